// The library as somebody else's project finds it: installed, moved, and added as a folder.

import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUILT, cached, configure, has, ROOT, run, textOf, WORK } from './build';

const INSTALLED = join(WORK, 'installed');
const EXAMPLE = 'tests/package/cpp';

/** 64 channels, 128 filters, ones everywhere and a bias of 1: four taps meet x in the corner, nine in the middle. */
const COUNTED = `y: ${4 * 64 + 1} in the corner, ${9 * 64 + 1} in the middle\ndx: ${4 * 128} in the corner, ${9 * 128} in the middle\n`;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

beforeAll(async () => {
  const before = join(WORK, 'before-it-was-moved');
  for (const folder of [before, INSTALLED]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  await run('cmake', '--install', BUILT, '--prefix', before);
  renameSync(before, INSTALLED);
});

describe('the installed library', () => {
  const headers = readdirSync(join(ROOT, 'cpp/include/conv2d')).map((name) => `include/conv2d/${name}`);
  const library = (): string => cached('CMAKE_INSTALL_LIBDIR');

  it('is the public headers, the library and what finds them, and nothing else', () => {
    const files = [
      ...headers,
      ...['conv2d-config', 'conv2d-config-version', 'conv2d-targets', 'conv2d-targets-release'].map(
        (name) => `${library()}/cmake/conv2d/${name}.cmake`,
      ),
      ...['libconv2d.a', 'pkgconfig/conv2d.pc'].map((name) => `${library()}/${name}`),
      ...['CHANGELOG.md', 'LICENSE'].map((name) => `share/doc/conv2d/${name}`),
    ];
    expect(filesBelow(INSTALLED)).toEqual(files.sort());
  });

  it('names no folder of the machine that has built it', () => {
    const texts = filesBelow(INSTALLED).filter((name) => /\.(?:cmake|pc)$/.test(name));
    expect(texts.filter((name) => readFileSync(join(INSTALLED, name), 'utf8').includes(ROOT))).toEqual([]);
  });

  it('is found by CMake, compiles without a warning and computes both ways', async () => {
    const build = join(WORK, 'found');
    const strict = 'CMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Werror';
    await configure(join(ROOT, EXAMPLE), build, `CMAKE_PREFIX_PATH=${INSTALLED}`, strict);
    await run('cmake', '--build', build);
    expect(await run(join(build, 'layer'))).toBe(COUNTED);
  });

  it.runIf(has('pkg-config'))('is found by pkg-config and computes both ways', async () => {
    process.env.PKG_CONFIG_PATH = join(INSTALLED, library(), 'pkgconfig');
    const flags = (await run('pkg-config', '--cflags', '--libs', 'conv2d')).trim().split(/\s+/);
    const program = join(WORK, 'layer');
    const source = join(ROOT, EXAMPLE, 'layer.cpp');
    await run(cached('CMAKE_CXX_COMPILER'), '-std=c++20', source, ...flags, '-o', program);
    expect(await run(program)).toBe(COUNTED);
    expect((await run('pkg-config', '--modversion', 'conv2d')).trim()).toBe(cached('CMAKE_PROJECT_VERSION'));
  });

  it('is not taken for a version that it is not', async () => {
    const versions = 'VERSIONS=0.0;0.2;1.0;0.1.99';
    await configure(
      join(ROOT, 'tests/package/refused'),
      join(WORK, 'refused'),
      `CMAKE_PREFIX_PATH=${INSTALLED}`,
      versions,
    );
  });
});

describe('the project as a folder of another one', () => {
  const parent = join(WORK, 'parent');
  const build = join(WORK, 'parent-build');

  beforeAll(async () => {
    rmSync(parent, { recursive: true, force: true });
    mkdirSync(parent, { recursive: true });
    copyFileSync(join(ROOT, EXAMPLE, 'layer.cpp'), join(parent, 'layer.cpp'));
    symlinkSync(ROOT, join(parent, 'conv2d'));
    const found = /^find_package\(.*\)$/m;
    const text = textOf(`${EXAMPLE}/CMakeLists.txt`);
    expect(text).toMatch(found);
    writeFileSync(join(parent, 'CMakeLists.txt'), text.replace(found, 'add_subdirectory(conv2d)'));
    // No type of build, as from whoever thinks of none: without optimisation.
    await configure(parent, build, `CONV2D_DEPS_DIR=${cached('CONV2D_DEPS_DIR')}`);
  });

  it('brings the library and no program', async () => {
    const targets = await run('cmake', '--build', build, '--target', 'help');
    expect(targets).toMatch(/\bconv2d\b/);
    expect(targets.match(/\bconv2d_(?:tests|cases|bench|module|catch2)\w*/g)).toBeNull();
  });

  // It compiles the whole library once more, which takes half a minute.
  it.runIf(process.env.CONV2D_THOROUGH === 'yes')('computes both ways, and installs nothing of ours', async () => {
    await run('cmake', '--build', build, '--parallel');
    expect(await run(join(build, 'layer'))).toBe(COUNTED);
    const made = filesBelow(build).filter(
      (name) => /\.a$|(?:^|\/)[^./]*$/.test(name) && !/CMakeFiles|\.ninja/.test(name),
    );
    expect(made).toEqual(['conv2d/cpp/libconv2d.a', 'layer']);
    rmSync(join(WORK, 'nothing'), { recursive: true, force: true });
    mkdirSync(join(WORK, 'nothing'));
    await run('cmake', '--install', build, '--prefix', join(WORK, 'nothing'));
    expect(filesBelow(join(WORK, 'nothing'))).toEqual([]);
  });
});
