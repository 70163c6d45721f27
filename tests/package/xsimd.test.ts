// The versions of an installed xsimd that the build accepts.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILD_FOLDER, cmakeCacheEntry, configure, ROOT, WORK_FOLDER } from './build';

const HEADERS = join(BUILD_FOLDER, 'xsimd-include/xsimd');

/** A prefix with a package of xsimd of a version, with the version rule of its own package: the same major version. */
function installXsimd(version: string): string {
  const prefix = join(WORK_FOLDER, `xsimd-${version}`);
  const folder = join(prefix, 'lib/cmake/xsimd');
  rmSync(prefix, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(prefix, 'include'));
  symlinkSync(HEADERS, join(prefix, 'include/xsimd'));
  const properties = `INTERFACE_INCLUDE_DIRECTORIES "${join(prefix, 'include')}"`;
  writeFileSync(
    join(folder, 'xsimdConfig.cmake'),
    `add_library(xsimd INTERFACE IMPORTED)\nset_target_properties(xsimd PROPERTIES ${properties})\n`,
  );
  writeFileSync(
    join(folder, 'xsimdConfigVersion.cmake'),
    `set(PACKAGE_VERSION "${version}")
if(PACKAGE_FIND_VERSION_MAJOR STREQUAL "${version.split('.')[0]}")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
`,
  );
  return prefix;
}

/** The folder of headers that the build uses, with a package of xsimd on the path. */
async function headersWith(version: string): Promise<string> {
  const options = ['CONV2D_BUILD_TESTS=OFF', 'CONV2D_BUILD_BENCH=OFF', `CMAKE_PREFIX_PATH=${installXsimd(version)}`];
  // Only the package on the path, and not one of the system.
  options.push('CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF', `CONV2D_DEPS_DIR=${cmakeCacheEntry('CONV2D_DEPS_DIR')}`);
  const output = await configure(ROOT, join(WORK_FOLDER, 'with-xsimd'), ...options);
  return /^-- xsimd: (.*)$/m.exec(output)?.[1] ?? '';
}

it.each(['13.0.0', '13.2.0', '14.0.0', '14.3.1'])('uses an installed xsimd %s', async (version) => {
  expect(await headersWith(version)).toBe(join(WORK_FOLDER, `xsimd-${version}`, 'include'));
});

it.each(['12.1.1', '8.1.0'])('does not use an installed xsimd %s', async (version) => {
  expect(await headersWith(version)).not.toContain(`xsimd-${version}`);
});
