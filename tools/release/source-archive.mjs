// The source archive: the committed files, and the headers of xsimd in the folder deps, where CMake finds them without a network.

import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { compilerCache } from '../setup/compiler-cache.mjs';
import { projectRoot } from '../setup/paths.mjs';
import { SetupError } from '../setup/report.mjs';
import { mustRun } from '../setup/run-process.mjs';

export async function requireCleanCheckout() {
  const { stdout } = await mustRun('git', ['status', '--porcelain'], { cwd: projectRoot });
  if (stdout !== '')
    throw new SetupError(`the checkout has changes:\n  ${stdout.trimEnd().split('\n').join('\n  ')}`, 'commit them');
  return (await mustRun('git', ['log', '-1', '--format=%h, %cs'], { cwd: projectRoot })).stdout.trim();
}

/** Writes the archive to `file`. The same commit and headers give the same bytes. `deps` is the folder of the set-up. */
export async function makeArchive(file, version, deps) {
  if (!deps)
    throw new SetupError(
      'the set-up has no headers of xsimd',
      'run it on Debian, or wherever apt can read its packages',
    );
  const top = `conv2d-${version}/`;
  const headers = readdirSync(join(deps, 'include/xsimd'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  // A prefix is that of the files after it.
  const added = headers.flatMap((header) => [
    `--prefix=${top}deps/${dirname(header.slice(deps.length + 1))}/`,
    `--add-file=${header}`,
  ]);
  const options = { cwd: projectRoot, maxBuffer: 1e9, encoding: 'buffer' };
  const { stdout } = await promisify(execFile)(
    'git',
    ['archive', '--format=tar', ...added, `--prefix=${top}`, 'HEAD'],
    options,
  );
  writeFileSync(file, gzipSync(stdout, { level: 9 }));
  return file;
}

/** A proxy that does not listen, to simulate a missing network. */
const Offline = Object.fromEntries(
  ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'ALL_PROXY'].map((name) => [name, 'http://127.0.0.1:9']),
);

/** Unpacks an archive in a folder and builds the library there, with a git that fails and no network. */
export async function buildArchive(archive, folder, progress) {
  const commands = join(folder, 'commands');
  mkdirSync(commands, { recursive: true });
  const called = join(folder, 'git-was-called');
  writeFileSync(join(commands, 'git'), `#!/bin/sh\necho "$@" >> "${called}"\nexit 1\n`);
  chmodSync(join(commands, 'git'), 0o755);
  await mustRun('tar', ['-xzf', archive, '--strip-components=1', '-C', folder], { what: 'unpacking the archive' });
  const env = {
    ...process.env,
    ...(await compilerCache()),
    CCACHE_BASEDIR: folder,
    ...Offline,
    NO_PROXY: '',
    no_proxy: '',
    PATH: [commands, process.env.PATH].join(delimiter),
    // Without what the set-up has put into the user's cache.
    CONV2D_TOOLCHAIN_DIR: join(folder, 'no-cache'),
  };
  const off = ['CONV2D_BUILD_TESTS=OFF', 'CONV2D_BUILD_BENCH=OFF', 'CMAKE_DISABLE_FIND_PACKAGE_xsimd=ON'];
  const configure = ['-S', folder, '-B', join(folder, 'build'), ...off.map((option) => `-D${option}`)];
  await mustRun('cmake', configure, { env, what: 'configuring the archive' });
  const onOutput = (text) => progress(/\[\s*\d+(?:\/\d+|%)\]/.exec(text)?.[0] ?? '');
  const build = ['--build', join(folder, 'build'), '--parallel', String(cpus().length)];
  await mustRun('cmake', [...build, '--target', 'all'], { env, onOutput, what: 'building the archive' });
  // Not installed: the library of the wheel, and that of the programs of the tab Code with several layers or a loss.
  const others = ['--target', 'conv2d_python', 'conv2d_teach'];
  await mustRun('cmake', [...build, ...others], { env, onOutput, what: 'building the archive' });
  if (existsSync(called))
    throw new SetupError('the build of the archive calls git', 'read the version from the header');
  return 'built';
}
