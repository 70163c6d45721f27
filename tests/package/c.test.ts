// The C API: programs by a C compiler with the installed library, and its binary interface as stored in c/abi.txt.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUILD_FOLDER, cmakeCacheEntry, configure, isInstalled, ROOT, run, textOf, WORK_FOLDER } from './build';

const INSTALLED = join(WORK_FOLDER, 'installed-c');
const STRICT = ['-std=c11', '-Wall', '-Wextra', '-pedantic', '-Werror'];
const HEADER = textOf('cpp/include/conv2d.h').replace(/\/\*[\s\S]*?\*\//g, '');

const library = (): string => join(INSTALLED, cmakeCacheEntry('CMAKE_INSTALL_LIBDIR'));

/** Compiles a program with the installed library and returns what it prints. */
async function printedBy(source: string, name: string, ...flags: readonly string[]): Promise<string> {
  const program = join(WORK_FOLDER, name);
  const paths = [`-I${join(INSTALLED, 'include')}`, `-L${library()}`, `-Wl,-rpath,${library()}`];
  await run('cc', ...STRICT, ...flags, ...paths, source, '-lconv2d_c', '-o', program);
  return run(program);
}

/** The functions that the header declares, each in one line. */
const PROTOTYPES = [...HEADER.matchAll(/^CONV2D_C_API ([^;]+);/gm)].map(([, text = '']) => text.replace(/\s+/g, ' '));

/** The members of each structure, in their order. */
const STRUCTURES = [...HEADER.matchAll(/typedef struct (\w+) \{([^}]*)\} \w+;/g)].map(([, name = '', body = '']) => ({
  name,
  members: [...body.matchAll(/[\s,*](\w+)(?:\[\d+\])?(?=[;,])/g)].map(([, member = '']) => member),
}));

const CONSTANTS = [...HEADER.matchAll(/^\s*(?:enum \{ )?(?:CONV2D_\w+ = \d+,? ?)+/gm)].flatMap(([line]) =>
  [...line.matchAll(/CONV2D_\w+/g)].map(([name]) => name),
);

/** A program that prints the sizes and offsets of all structures and the values of all constants. */
const LAYOUT = [
  '#include <conv2d.h>',
  '#include <stdio.h>',
  'int main(void) {',
  ...STRUCTURES.flatMap(({ name, members }) => [
    `printf("${name} %zu\\n", sizeof(${name}));`,
    ...members.map(
      (member) =>
        `printf("${name}.${member} %zu %zu\\n", offsetof(${name}, ${member}), sizeof(((${name}*)0)->${member}));`,
    ),
  ]),
  ...CONSTANTS.map((name) => `printf("${name} %d\\n", ${name});`),
  'return 0; }',
].join('\n');

async function exportedBy(file: string): Promise<readonly string[]> {
  const lines = await run('nm', '--dynamic', '--extern-only', '--defined-only', file);
  return lines
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\S+ \S+ /, ''))
    .sort();
}

describe.runIf(isInstalled('cc'))('the C library', () => {
  beforeAll(async () => {
    rmSync(INSTALLED, { recursive: true, force: true });
    await run('cmake', '--install', BUILD_FOLDER, '--prefix', INSTALLED);
  });

  it('computes forward and backward in a program without a warning, and reports the field at fault', async () => {
    expect(await printedBy(join(ROOT, 'tests/package/c/layer.c'), 'layer-c')).toBe(
      [
        `y: ${4 * 64 + 1} in the corner, ${9 * 64 + 1} in the middle`,
        `dx: ${4 * 128} in the corner, ${9 * 128} in the middle`,
        'invalid_stride of stride_h: vertical stride is 0, but must be at least 1',
        '',
      ].join('\n'),
    );
  });

  it('names the mistake behind a wrong gradient', async () => {
    expect(await printedBy(join(ROOT, 'tests/package/c/verdict.c'), 'verdict-c')).toMatch(
      /^db is 0\.25 times the right one \(.*mean over the batch\)/,
    );
  });

  it('finds the layer of some arrays, and the result that is wrong', async () => {
    const [sentence, json = '', refusal] = (await printedBy(join(ROOT, 'tests/package/c/arrays.c'), 'arrays-c')).split(
      '\n',
    );
    expect(sentence).toBe('1 of 3 results is wrong.');
    const { verdict, layers } = JSON.parse(json);
    expect({ verdict, layers }).toMatchObject({
      verdict: 'wrong',
      layers: [
        {
          kind: 'conv',
          geometry: { kernel: [2, 2], stride: [1, 1], padding: [0, 0, 0, 0] },
          tensors: {
            y: { verdict: 'matches' },
            dw: { verdict: 'matches' },
            db: { verdict: 'mistake', names: ['averaged', 'mean_or_sum'] },
          },
        },
      ],
    });
    expect(refusal).toBe('invalid_argument of arrays: arrays.count is negative');
  });

  it('allocates nothing in a run, also one that is refused', async () => {
    expect(await printedBy(join(ROOT, 'tests/package/c/allocations.c'), 'allocations-c')).toBe('0 0 0 0 0 some\n');
  });

  it('is found by CMake in a project without C++', async () => {
    const build = join(WORK_FOLDER, 'found-c');
    await configure(join(ROOT, 'tests/package/c'), build, `CMAKE_PREFIX_PATH=${INSTALLED}`);
    await run('cmake', '--build', build);
    expect(await run(join(build, 'layer'))).toContain(`y: ${4 * 64 + 1} in the corner`);
  });

  it.runIf(isInstalled('pkg-config'))('is found by pkg-config', async () => {
    process.env.PKG_CONFIG_PATH = join(library(), 'pkgconfig');
    const flags = (await run('pkg-config', '--cflags', '--libs', 'conv2d-c')).trim().split(/\s+/);
    const program = join(WORK_FOLDER, 'layer-c-found');
    await run(
      'cc',
      ...STRICT,
      join(ROOT, 'tests/package/c/layer.c'),
      ...flags,
      `-Wl,-rpath,${library()}`,
      '-o',
      program,
    );
    expect(await run(program)).toContain(`y: ${4 * 64 + 1} in the corner`);
  });

  it('has a header that C++ reads without a warning', async () => {
    const source = join(WORK_FOLDER, 'header.cpp');
    writeFileSync(source, '#include <conv2d.h>\nint main() { return int(conv2d_default_desc().n) - 1; }\n');
    const flags = ['-std=c++11', '-Wall', '-Wextra', '-Wpedantic', '-Wold-style-cast', '-Werror', '-fsyntax-only'];
    await run(cmakeCacheEntry('CMAKE_CXX_COMPILER'), ...flags, `-I${join(INSTALLED, 'include')}`, source);
  });

  it('exports the functions of its header and nothing else, with a soname', async () => {
    const names = PROTOTYPES.map((text) => /(\w+)\(/.exec(text)?.[1]).sort();
    expect(names).toContain('conv2d_run');
    expect(await exportedBy(join(library(), 'libconv2d_c.so'))).toEqual(names);
    const [major, minor] = cmakeCacheEntry('CMAKE_PROJECT_VERSION').split('.');
    expect(await run('objdump', '-p', join(library(), 'libconv2d_c.so'))).toMatch(
      new RegExp(`SONAME +libconv2d_c\\.so\\.${major}\\.${minor}\\n`),
    );
    expect(readdirSync(library()).filter((name) => name.startsWith('libconv2d_c.so'))).toHaveLength(3);
  });

  // A change here breaks programs that were compiled before: a new minor version, before 1.0. Additions are new lines.
  it('has the functions, structures and constants of c/abi.txt', async () => {
    const source = join(WORK_FOLDER, 'abi.c');
    writeFileSync(source, LAYOUT);
    const layout = (await printedBy(source, 'abi')).trim().split('\n');
    expect(layout.length).toBeGreaterThan(150);
    expect([...PROTOTYPES, ...layout]).toEqual(
      readFileSync(join(ROOT, 'tests/package/c/abi.txt'), 'utf8').trim().split('\n'),
    );
  });
});
