// The source of xsimd on a machine without a package of it and without network.

import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { nativeDepsFolder } from '../../tools/setup/native-deps.mjs';
import { cmakeCacheEntry, ROOT, run, WORK_FOLDER } from './build';

const folder = join(WORK_FOLDER, 'offline');
const build = join(folder, 'build');
const cache = join(folder, 'cache');

/** A proxy that does not listen, to simulate a missing network. */
const OFFLINE = ['https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => `${name}=http://127.0.0.1:9`);

function configureOffline(): Promise<string> {
  const environment = [...OFFLINE, 'NO_PROXY=', 'no_proxy=', `CONV2D_TOOLCHAIN_DIR=${cache}`];
  const same = ['CMAKE_CXX_COMPILER', 'CMAKE_MAKE_PROGRAM'].map((name) => `-D${name}=${cmakeCacheEntry(name)}`);
  const options = ['CONV2D_BUILD_TESTS=OFF', 'CONV2D_BUILD_BENCH=OFF', 'CMAKE_DISABLE_FIND_PACKAGE_xsimd=ON'];
  const defined = [...same, ...options.map((option) => `-D${option}`)];
  const cmake = ['cmake', '-G', cmakeCacheEntry('CMAKE_GENERATOR'), ...defined, '-S', ROOT, '-B', build];
  return run('env', ...environment, ...cmake);
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
});

describe('a first build without network', () => {
  it('reports the missing dependency and names both solutions', async () => {
    const message = await configureOffline().then(
      () => '',
      ({ message }: Error) => message.replace(/\s+/g, ' '),
    );
    expect(message).toContain('xsimd 13.2.0 was not found and could not be downloaded');
    expect(message).toContain('Install xsimd 13 or 14 (libxsimd-dev of Debian 13)');
    expect(message).toContain('set CONV2D_DEPS_DIR to a folder with include/xsimd');
  });

  it('uses the headers that the set-up left in the user cache', async ({ skip }) => {
    const filled = cmakeCacheEntry('CONV2D_DEPS_DIR');
    if (!filled) skip('skipped: the set-up has filled no cache on this machine');
    const link = join(cache, basename(nativeDepsFolder()));
    symlinkSync(filled, link);
    expect(await configureOffline()).toContain(`xsimd: ${link}/include`);
    await run('cmake', '--build', build, '--target', 'conv2d_micro_kernels');
  });
});
