// The library in shared objects: static inside a plugin, and as a shared library.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { BUILD_FOLDER, cmakeCacheEntry, configure, ROOT, run, textOf, WORK_FOLDER } from './build';

/** The exports of a shared object, as C++ names. */
async function exportedBy(file: string): Promise<readonly string[]> {
  const lines = await run('nm', '--dynamic', '--extern-only', '--defined-only', '--demangle', file);
  return lines
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\S+ \S+ /, ''));
}

describe('the installed static library', () => {
  const installed = join(WORK_FOLDER, 'static');
  const plugin = join(WORK_FOLDER, 'plugin.so');

  beforeAll(async () => {
    rmSync(installed, { recursive: true, force: true });
    await run('cmake', '--install', BUILD_FOLDER, '--prefix', installed);
    const library = join(installed, cmakeCacheEntry('CMAKE_INSTALL_LIBDIR'), 'libconv2d.a');
    const source = join(ROOT, 'tests/package/plugin/plugin.cpp');
    const includes = `-I${join(installed, 'include')}`;
    const shared = ['-std=c++20', '-fPIC', '-shared', '-fvisibility-inlines-hidden', '-Wl,--no-undefined', '-pthread'];
    await run(cmakeCacheEntry('CMAKE_CXX_COMPILER'), ...shared, includes, source, library, '-o', plugin);
  });

  it('is linked into a shared object that a program opens and calls', async () => {
    const host = join(WORK_FOLDER, 'host');
    await run(cmakeCacheEntry('CMAKE_CXX_COMPILER'), join(ROOT, 'tests/package/plugin/host.cpp'), '-o', host, '-ldl');
    expect(await run(host, plugin)).toBe(`${9 * 8}\n`);
  });

  it('exports nothing from a plugin', async () => {
    const exported = await exportedBy(plugin);
    expect(exported).toContain('middle_of_ones');
    // Template instances of the standard library are visible because of its headers.
    expect(exported.filter((name) => /\bconv2d::/.test(name) && !/\bstd::/.test(name))).toEqual([]);
  });
});

/** The name of a function without parameters, template arguments and template return type. */
function nameOf(readable: string): string {
  let name = readable.replace(/\(.*/, '');
  for (let longer = ''; longer !== name; ) [longer, name] = [name, name.replace(/<[^<>]*>/g, '')];
  return name.split(' ').at(-1) ?? '';
}

/** Names of the functions that a public header declares but does not define, with their namespace. */
function declaredIn(header: string): string[] {
  const text = textOf(`cpp/include/conv2d/${header}`)
    .replace(/\/\/.*$/gm, '')
    .replace(/^#.*$/gm, '');
  const [, namespace = ''] =
    /^namespace (\S+) \{/m.exec(text.replace(/^namespace \S+ \{\s*class \w+;\s*\}/m, '')) ?? [];
  return [
    ...text.matchAll(
      /^(?=\w)(?!template|inline|constexpr)[\w:<>*& ,]+?[ >&*](\w+)\((?:[^(){};]|\{\})*\)(?: noexcept)?;/gm,
    ),
  ].map(([, name]) => `${namespace}::${name}`);
}

/** Names of the classes in a header that are exported, whole or some members. */
function classesExportedBy(text: string): string[] {
  const classes = [...text.matchAll(/^(?:class|struct) (CONV2D_API )?(\w+) \{.*\n((?: .*\n|\n)*)\};/gm)];
  return classes.flatMap(([, whole, name = '', body = '']) => (whole || /\bCONV2D_API\b/.test(body) ? [name] : []));
}

// Compiles the whole library again, without optimization.
describe.runIf(THOROUGH)('a shared build', () => {
  const build = join(WORK_FOLDER, 'shared-build');
  const installed = join(WORK_FOLDER, 'shared');
  const library = () => join(installed, cmakeCacheEntry('CMAKE_INSTALL_LIBDIR'));

  beforeAll(async () => {
    for (const folder of [build, installed]) rmSync(folder, { recursive: true, force: true });
    const deps = `CONV2D_DEPS_DIR=${cmakeCacheEntry('CONV2D_DEPS_DIR')}`;
    await configure(ROOT, build, deps, 'BUILD_SHARED_LIBS=ON', 'CONV2D_BUILD_BENCH=OFF', 'CMAKE_BUILD_TYPE=None');
    await run('cmake', '--build', build, '--parallel');
    await run('cmake', '--install', build, '--prefix', installed);
  }, 600_000);

  it('has a soname for each version that may break callers', async () => {
    const [major, minor] = cmakeCacheEntry('CMAKE_PROJECT_VERSION').split('.');
    const files = readdirSync(library()).filter((name) => name.startsWith('libconv2d'));
    const soname = `libconv2d.so.${major}.${minor}`;
    const version = cmakeCacheEntry('CMAKE_PROJECT_VERSION');
    // The judge, an archive in all builds, uses nothing that the shared library hides. The C library is shared in all builds.
    const c = ['', `.${major}.${minor}`, `.${version}`].map((suffix) => `libconv2d_c.so${suffix}`);
    expect(files.sort()).toEqual(['libconv2d.so', soname, `libconv2d.so.${version}`, ...c, 'libconv2d_check.a']);
    expect(await run('objdump', '-p', join(library(), 'libconv2d.so'))).toMatch(new RegExp(`SONAME +${soname}\\n`));
  });

  it('exports only what the public headers declare', async () => {
    const exported = await exportedBy(join(library(), 'libconv2d.so'));
    const headers = readdirSync(join(ROOT, 'cpp/include/conv2d'));
    const declared = headers.flatMap(declaredIn);
    const classes = headers.flatMap((header) => classesExportedBy(textOf(`cpp/include/conv2d/${header}`)));
    expect(declared).toContain('conv2d::pack_weights');
    expect(declared).toContain('conv2d::reference::backward_bias');
    const names = [...new Set(exported.map(nameOf))];
    const memberOf = (name: string) => /^conv2d::([A-Z]\w*)::/.exec(name)?.[1];
    expect(names.filter((name) => !memberOf(name)).sort()).toEqual([...new Set(declared)].sort());
    expect([...new Set(names.flatMap((name) => memberOf(name) ?? []))].sort()).toEqual([...new Set(classes)].sort());
  });

  it('is found by CMake, and computes forward and backward', async () => {
    const found = join(WORK_FOLDER, 'found-shared');
    await configure(join(ROOT, 'tests/package/cpp'), found, `CMAKE_PREFIX_PATH=${installed}`);
    await run('cmake', '--build', found);
    expect(await run(join(found, 'layer'))).toContain(`y: ${4 * 64 + 1} in the corner`);
    expect(await run('objdump', '-p', join(found, 'layer'))).toMatch(/NEEDED +libconv2d\.so/);
  });
});
