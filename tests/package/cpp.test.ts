// The library in another project: installed, moved, and added as a subdirectory.

import {
  copyFileSync,
  existsSync,
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
import { THOROUGH } from '../thorough';
import { BUILD_FOLDER, cmakeCacheEntry, configure, isInstalled, ROOT, run, textOf, WORK_FOLDER } from './build';

const INSTALLED = join(WORK_FOLDER, 'installed');
const EXAMPLE = 'tests/package/cpp';

/** As Debian installs it. */
const HAS_GOOGLETEST = existsSync('/usr/include/gtest/gtest.h');

/** 64 channels, 128 filters, all ones and a bias of 1: four taps meet x in the corner, nine in the middle. */
const COUNTED = `y: ${4 * 64 + 1} in the corner, ${9 * 64 + 1} in the middle\ndx: ${4 * 128} in the corner, ${9 * 128} in the middle\n`;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

beforeAll(async () => {
  const before = join(WORK_FOLDER, 'before-it-was-moved');
  for (const folder of [before, INSTALLED]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(WORK_FOLDER, { recursive: true });
  await run('cmake', '--install', BUILD_FOLDER, '--prefix', before);
  renameSync(before, INSTALLED);
});

describe('the installed library', () => {
  const headersOf = (name: string) =>
    readdirSync(join(ROOT, 'cpp/include', name)).map((header) => `include/${name}/${header}`);
  const headers = ['conv2d', 'conv2d_check'].flatMap(headersOf);
  const library = (): string => cmakeCacheEntry('CMAKE_INSTALL_LIBDIR');

  it('contains only the public headers, the libraries and their package files', () => {
    const version = cmakeCacheEntry('CMAKE_PROJECT_VERSION');
    const files = [
      ...headers,
      ...['conv2d-config', 'conv2d-config-version', 'conv2d-targets', 'conv2d-targets-release'].map(
        (name) => `${library()}/cmake/conv2d/${name}.cmake`,
      ),
      ...['libconv2d.a', 'libconv2d_check.a', 'pkgconfig/conv2d.pc'].map((name) => `${library()}/${name}`),
      ...['include/conv2d.h', `${library()}/pkgconfig/conv2d-c.pc`],
      `${library()}/libconv2d_c.so.${version}`,
      ...['CHANGELOG.md', 'LICENSE', 'THIRD_PARTY_NOTICES.txt'].map((name) => `share/doc/conv2d/${name}`),
    ];
    expect(filesBelow(INSTALLED)).toEqual(files.sort());
  });

  it('contains no path of the build machine', () => {
    const texts = filesBelow(INSTALLED).filter((name) => /\.(?:cmake|pc)$/.test(name));
    expect(texts.filter((name) => readFileSync(join(INSTALLED, name), 'utf8').includes(ROOT))).toEqual([]);
  });

  it('reports that it needs C++20 if the compiler uses an older standard', async () => {
    const compile = (header: string) => {
      const source = join(WORK_FOLDER, `${header.replace(/\W/g, '-')}.cpp`);
      writeFileSync(source, `#include <${header.replace('include/', '')}>\n`);
      const flags = ['-std=c++17', '-fsyntax-only', `-I${join(INSTALLED, 'include')}`];
      return run(cmakeCacheEntry('CMAKE_CXX_COMPILER'), ...flags, source);
    };
    const errors = await Promise.all(headers.map((header) => compile(header).catch(({ message }: Error) => message)));
    const first = errors.map((text) => /error: (.*)/.exec(text)?.[1]);
    expect(first.filter((error) => !error?.includes('conv2d needs C++20'))).toEqual([]);
  });

  it('is found by CMake, compiles without a warning and computes forward and backward', async () => {
    const build = join(WORK_FOLDER, 'found');
    const strict = 'CMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Werror';
    await configure(join(ROOT, EXAMPLE), build, `CMAKE_PREFIX_PATH=${INSTALLED}`, strict);
    await run('cmake', '--build', build);
    expect(await run(join(build, 'layer'))).toBe(COUNTED);
  });

  it.runIf(isInstalled('pkg-config'))('is found by pkg-config and computes forward and backward', async () => {
    process.env.PKG_CONFIG_PATH = join(INSTALLED, library(), 'pkgconfig');
    const flags = (await run('pkg-config', '--cflags', '--libs', 'conv2d')).trim().split(/\s+/);
    for (const [name, printed] of [
      ['layer', COUNTED],
      ['first', `ok, y[0] = ${4 * 64 + 1}\n`],
      ['transposed', `ok: ${64 + 1} ${2 * 64 + 1}\n    ${2 * 64 + 1} ${4 * 64 + 1}\n`],
    ] as const) {
      const program = join(WORK_FOLDER, name);
      const source = join(ROOT, EXAMPLE, `${name}.cpp`);
      await run(cmakeCacheEntry('CMAKE_CXX_COMPILER'), '-std=c++20', source, ...flags, '-o', program);
      expect(await run(program)).toBe(printed);
    }
    expect(await run('pkg-config', '--static', '--libs', 'conv2d')).toMatch(/-pthread\b/);
    expect((await run('pkg-config', '--modversion', 'conv2d')).trim()).toBe(cmakeCacheEntry('CMAKE_PROJECT_VERSION'));
  });

  it.runIf(isInstalled('pkg-config') && isInstalled('cc'))('links into a program by a C compiler', async () => {
    process.env.PKG_CONFIG_PATH = join(INSTALLED, library(), 'pkgconfig');
    const flags = async (kind: string) => (await run('pkg-config', '--static', kind, 'conv2d')).trim().split(/\s+/);
    const [object, program] = [join(WORK_FOLDER, 'layer.o'), join(WORK_FOLDER, 'layer-by-c')];
    const compiler = cmakeCacheEntry('CMAKE_CXX_COMPILER');
    await run(
      compiler,
      '-std=c++20',
      ...(await flags('--cflags')),
      '-c',
      join(ROOT, EXAMPLE, 'layer.cpp'),
      '-o',
      object,
    );
    await run('cc', object, ...(await flags('--libs')), '-o', program);
    expect(await run(program)).toBe(COUNTED);
  });

  it.each([
    [['LIBDIR=/opt/conv/lib'], /^prefix=\/usr\/local$/m, / -I\$\{prefix\}\/include$/m, / -L\/opt\/conv\/lib -lconv2d/],
    [
      ['LIBDIR=/opt/conv/lib', 'INCLUDEDIR=/opt/dev/include'],
      /^prefix=\/usr\/local$/m,
      / -I\/opt\/dev\/include$/m,
      / -L\/opt\/conv\/lib -lconv2d/,
    ],
    [
      ['LIBDIR=lib/x', 'INCLUDEDIR=/opt/dev/include'],
      /^prefix=\$\{pcfiledir\}\/\.\.\/\.\.\/\.\.$/m,
      / -I\/opt\/dev\/include$/m,
      / -L\$\{prefix\}\/lib\/x -lconv2d/,
    ],
  ])('has true folders in conv2d.pc with %s', async (folders, ...expected) => {
    const build = join(WORK_FOLDER, 'folders');
    const off = ['CONV2D_BUILD_TESTS=OFF', 'CONV2D_BUILD_BENCH=OFF', 'CMAKE_INSTALL_PREFIX=/usr/local'];
    const deps = `CONV2D_DEPS_DIR=${cmakeCacheEntry('CONV2D_DEPS_DIR')}`;
    await configure(ROOT, build, ...off, deps, ...folders.map((folder) => `CMAKE_INSTALL_${folder}`));
    const text = readFileSync(join(build, 'package/conv2d.pc'), 'utf8');
    for (const line of expected) expect(text).toMatch(line);
  });

  it.each([
    ['OFF', /^All 200 dw are right\.\n$/],
    ['ON', /^dw is right for \d+ of 200 samples\. It is wrong with stride > 1 and groups > 1[ .]/],
  ])('tests a kernel, with a bug %s', async (bug, expected) => {
    const build = join(WORK_FOLDER, `kernel-${bug}`);
    const definitions = [`CMAKE_PREFIX_PATH=${INSTALLED}`, 'CMAKE_BUILD_TYPE=Release', `WITH_BUG=${bug}`];
    await configure(join(ROOT, 'examples/test-a-kernel'), build, ...definitions);
    await run('cmake', '--build', build);
    const program = join(build, 'test_dw');
    const printed = bug === 'ON' ? run('sh', '-c', `! ${program}`) : run(program);
    expect(await printed).toMatch(expected);
  });

  it.runIf(HAS_GOOGLETEST)('prints its sentence in GoogleTest, and passes with a right kernel', async () => {
    const libraries = ['conv2d_check', 'conv2d'].map((name) => join(INSTALLED, library(), `lib${name}.a`));
    const flags = ['-std=c++20', '-I', join(INSTALLED, 'include'), join(ROOT, EXAMPLE, 'kernel_in_googletest.cpp')];
    const build = async (name: string, ...definitions: readonly string[]) => {
      const program = join(WORK_FOLDER, name);
      const all = [
        ...definitions,
        ...flags,
        ...libraries,
        ...['gtest', 'gtest_main'].map((one) => `-l${one}`),
        '-pthread',
        '-o',
        program,
      ];
      await run(cmakeCacheEntry('CMAKE_CXX_COMPILER'), ...all);
      return program;
    };
    expect(await run(await build('googletest'))).toContain('[  PASSED  ] 1 test.');
    const wrong = await build('googletest-bug', '-D', 'WITH_BUG');
    const printed = await run('sh', '-c', `! ${wrong}`);
    expect(printed).toMatch(/Value of: verdict\n +Actual: false\nExpected: true\n.*values of db.*\.\n/);
    expect(printed).toContain('[  FAILED  ] Kernel.Samples');
  });

  it('is rejected if another version is requested', async () => {
    const versions = 'VERSIONS=0.0;0.2;1.0;0.1.99';
    await configure(
      join(ROOT, 'tests/package/refused'),
      join(WORK_FOLDER, 'refused'),
      `CMAKE_PREFIX_PATH=${INSTALLED}`,
      versions,
    );
  });
});

describe('the project as a subdirectory', () => {
  const parent = join(WORK_FOLDER, 'parent');
  const build = join(WORK_FOLDER, 'parent-build');
  const DEPS = `CONV2D_DEPS_DIR=${cmakeCacheEntry('CONV2D_DEPS_DIR')}`;

  /** How the parent compiles the sources of the library. */
  const commandsOfLibrary = (): readonly string[] =>
    (JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8')) as readonly { readonly command: string }[])
      .map(({ command }) => command)
      .filter((command) => / -c \S*\/conv2d\/cpp\//.test(command));

  beforeAll(async () => {
    rmSync(parent, { recursive: true, force: true });
    mkdirSync(join(parent, 'cmake'), { recursive: true });
    copyFileSync(join(ROOT, EXAMPLE, 'layer.cpp'), join(parent, 'layer.cpp'));
    symlinkSync(ROOT, join(parent, 'conv2d'));
    // Modules of the same names as ours.
    const modules = readdirSync(join(ROOT, 'cpp/cmake')).filter((name) => name.endsWith('.cmake'));
    expect(modules).toContain('Settings.cmake');
    for (const name of modules)
      writeFileSync(join(parent, 'cmake', name), `message(FATAL_ERROR "${name} of the parent")\n`);
    const found = /^find_package\(.*\)$/m;
    const text = textOf(`${EXAMPLE}/CMakeLists.txt`);
    expect(text).toMatch(found);
    const added = [
      `list(PREPEND CMAKE_MODULE_PATH "${join(parent, 'cmake')}")`,
      'set(CMAKE_UNITY_BUILD ON)',
      'set(CMAKE_EXPORT_COMPILE_COMMANDS ON)',
      'add_subdirectory(conv2d)',
    ];
    writeFileSync(join(parent, 'CMakeLists.txt'), text.replace(found, added.join('\n')));
    // No build type, the CMake default: without optimization.
    await configure(parent, build, DEPS);
  });

  it('compiles the library with its own settings, optimized, one source at a time', () => {
    const commands = commandsOfLibrary();
    expect(commands.length).toBeGreaterThan(50);
    expect(commands.filter((command) => !command.includes(' -ffp-contract=off '))).toEqual([]);
    expect(commands.filter((command) => !/ -O3 /.test(command))).toEqual([]);
    expect(commands.filter((command) => /unity_\d/.test(command))).toEqual([]);
  });

  it.each([
    ['build type', 'CMAKE_BUILD_TYPE=Debug'],
    ['flags', 'CMAKE_CXX_FLAGS=-Og'],
  ])('leaves the optimization to the %s of its parent', async (_what, definition) => {
    await configure(parent, build, DEPS, definition);
    expect(commandsOfLibrary().filter((command) => command.includes(' -O3 '))).toEqual([]);
    await configure(parent, build, DEPS);
  });

  it('adds the library and no program', async () => {
    const targets = await run('cmake', '--build', build, '--target', 'help');
    expect(targets).toMatch(/\bconv2d\b/);
    expect(targets.match(/\bconv2d_(?:tests|cases|bench|module|catch2)\w*/g)).toBeNull();
  });

  // Compiles the whole library again, which takes half a minute.
  it.runIf(THOROUGH)('computes in a project, and installs nothing of ours', async () => {
    await run('cmake', '--build', build, '--parallel');
    expect(await run(join(build, 'layer'))).toBe(COUNTED);
    const made = filesBelow(build).filter(
      (name) => /\.a$|(?:^|\/)[^./]*$/.test(name) && !/CMakeFiles|\.ninja/.test(name),
    );
    expect(made).toEqual(['conv2d/cpp/libconv2d.a', 'layer']);
    rmSync(join(WORK_FOLDER, 'nothing'), { recursive: true, force: true });
    mkdirSync(join(WORK_FOLDER, 'nothing'));
    await run('cmake', '--install', build, '--prefix', join(WORK_FOLDER, 'nothing'));
    expect(filesBelow(join(WORK_FOLDER, 'nothing'))).toEqual([]);
  });
});
