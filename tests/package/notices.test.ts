// THIRD_PARTY_NOTICES.txt has the license of every work that the library, the npm package or the site contains.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheRoot } from '../../tools/setup/paths.mjs';
import { BUILD_FOLDER, ROOT, textOf } from './build';

interface Notice {
  readonly name: string;
  readonly license: string;
  readonly text: string;
}

interface Package {
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const words = (text: string): string => text.replace(/[\s*]+/g, ' ').trim();

const NOTICES: readonly Notice[] = textOf('THIRD_PARTY_NOTICES.txt')
  .split(/^={70,}\n(?=.*\nLicense: )/m)
  .slice(1)
  .map((part) => {
    const [, name = '', license = '', text = ''] = /^([^\n]*)\nLicense: ([^\n]*)\n[^=]*={70,}\n(.*)$/s.exec(part) ?? [];
    return { name, license, text: words(text) };
  });

const noticeOf = (name: string): Notice | undefined => NOTICES.find((notice) => notice.name === name);

const packageOf = (name: string): Package =>
  JSON.parse(textOf(join(name === '' ? '' : `node_modules/${name}`, 'package.json'))) as Package;

/** The packages that a package needs at run time, and those that they need. Types are not in the site. */
function runtimePackages(name = '', found = new Set<string>()): ReadonlySet<string> {
  for (const needed of Object.keys(packageOf(name).dependencies ?? {})) {
    if (needed.startsWith('@types/') || found.has(needed)) continue;
    runtimePackages(needed, found.add(needed));
  }
  return found;
}

/** The license file of a package. */
const licenseText = (name: string): string => {
  const [file] = ['LICENSE', 'LICENSE.md'].filter((file) => existsSync(join(ROOT, 'node_modules', name, file)));
  return words(textOf(`node_modules/${name}/${file}`));
};

describe('the notices of third parties', () => {
  it.each([...runtimePackages()])('have the license of the npm package %s', (name) => {
    expect(noticeOf(name)?.license).toBe(packageOf(name).license);
    expect(noticeOf(name)?.text).toBe(licenseText(name));
  });

  it('name no npm package that is not installed', () => {
    const works = [
      'xsimd',
      'Emscripten',
      'musl',
      'LLVM: libc++, libc++abi and compiler-rt',
      'GCC: libstdc++ and libgcc',
      'Optical Recognition of Handwritten Digits',
    ];
    expect(NOTICES.map(({ name }) => name).sort()).toEqual([...works, ...runtimePackages()].sort());
  });

  it('have the license of every package that the library is built with', () => {
    // Threads is part of the system. The others are not in the library: Catch2 is in the test programs, and benchmark in theirs.
    const outside = ['Threads', 'Catch2', 'benchmark'];
    const files = readdirSync(join(ROOT, 'cpp'), { recursive: true }).map(String);
    const found = files
      .filter((file) => /CMakeLists\.txt$|\.cmake$/.test(file))
      .flatMap((file) => [...textOf(join('cpp', file)).matchAll(/find_package\((\w+)/g)].map(([, name = '']) => name));
    const packages = [...new Set(found)].filter((name) => !outside.includes(name));
    expect(packages).toEqual(['xsimd']);
    expect(packages.filter((name) => noticeOf(name) === undefined)).toEqual([]);
  });

  it('name the authors and the license that the headers of xsimd name', () => {
    const header = readFileSync(join(BUILD_FOLDER, 'xsimd-include/xsimd/xsimd.hpp'), 'utf8');
    const [comment = ''] = header.split('*/');
    const authors = words(comment.replace(/^\/|\*/gm, ' '));
    const [, holders = ''] = /Copyright \(c\) (.*?) Distributed under/.exec(authors) ?? [];
    const each = holders.split(' Copyright (c) ');
    expect(each.length).toBeGreaterThan(1);
    expect(each.filter((holder) => !noticeOf('xsimd')?.text.includes(`Copyright (c) ${holder}`))).toEqual([]);
    expect(authors).toContain('the BSD 3-Clause License');
    expect(noticeOf('xsimd')?.license).toBe('BSD-3-Clause');
  });

  it('have the license of the C library of Emscripten', ({ skip }) => {
    const folder = readdirSync(cacheRoot()).find((name) => name.startsWith('emscripten-'));
    if (folder === undefined) skip('skipped: the set-up has not installed Emscripten');
    const system = join(cacheRoot(), folder ?? '', 'usr/share/emscripten/system');
    expect(noticeOf('musl')?.text).toBe(words(readFileSync(join(system, 'lib/libc/musl/COPYRIGHT'), 'utf8')));
  });

  it.each([
    ['Emscripten', 'The above copyright notice and this permission notice shall be included in all copies'],
    ['LLVM: libc++, libc++abi and compiler-rt', 'LLVM Exceptions to the Apache 2.0 License'],
    ['GCC: libstdc++ and libgcc', 'You have permission to propagate a work of Target Code'],
  ])('have the license of %s', (name, sentence) => {
    expect(noticeOf(name)?.text).toContain(sentence);
  });
});
