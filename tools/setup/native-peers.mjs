// The peers of the native benchmark: oneDNN, OpenBLAS and XNNPACK of Debian trixie, unpacked into the per-user cache with
// the C library that they need.

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canUsePrivateApt, downloadPackages, openPrivateApt, privateArchitecture, suite } from './apt-private.mjs';
import { cacheRoot } from './paths.mjs';
import { ensureFolder } from './private-folder.mjs';
import { SetupError } from './report.mjs';
import { mustRun } from './run-process.mjs';

const neededBytes = 0.4e9;

/** Headers and libraries of the peers, and the libraries that these need. */
const PACKAGES = {
  onednn: ['libdnnl-dev', 'libdnnl3.6'],
  openblas: ['libopenblas-pthread-dev', 'libopenblas0-pthread'],
  xnnpack: ['libxnnpack-dev', 'libxnnpack0.20241108', 'libpthreadpool-dev', 'libpthreadpool0', 'libcpuinfo0'],
  system: ['libc6', 'libstdc++6', 'libgcc-s1', 'libgomp1', 'libgfortran5'],
};

const folder = () => join(cacheRoot(), `native-peers-${suite}-r1`);

/**
 * Resolves with { folder, command }: include/, lib/ and `versions` (a line "name version" for each peer), and the first
 * words of the command that runs a program linked with them.
 */
export async function ensureNativePeers() {
  const architecture = canUsePrivateApt() ? await privateArchitecture() : undefined;
  if (!architecture)
    throw new SetupError(
      `the native peers are packages of Debian ${suite}, and this machine cannot unpack them: it needs Debian's apt on x86-64 or 64-bit Arm`,
      'run the benchmark on Debian 12 or 13, or leave out --where native',
    );
  await ensureFolder(folder(), neededBytes, (at) => fill(at, architecture));
  const lib = join(folder(), 'lib');
  return { folder: folder(), command: [join(lib, architecture.loader), '--library-path', lib] };
}

async function fill(at, { triplet }) {
  const apt = await openPrivateApt();
  const debs = await downloadPackages(apt, Object.values(PACKAGES).flat());
  const unpacked = join(at, 'unpacked');
  for (const deb of debs) await mustRun('dpkg', ['-x', deb, unpacked], { what: `unpacking ${deb}` });
  const [lib, include] = [join(at, 'lib'), join(at, 'include')];
  mkdirSync(lib);
  mkdirSync(include);
  // Some headers and libraries lie in folders of their own, among which Debian lets the administrator choose.
  const libraries = join('usr/lib', triplet);
  for (const from of [libraries, join('lib', triplet), join(libraries, 'openblas-pthread')])
    copy(join(unpacked, from), lib);
  const headers = join('usr/include', triplet);
  for (const from of ['usr/include', headers, join(headers, 'openblas-pthread')]) copy(join(unpacked, from), include);
  const version = ([name]) => /_([^_]+)_/.exec(debs.find((deb) => deb.includes(`/${name}_`)) ?? '')?.[1];
  const lines = ['onednn', 'openblas', 'xnnpack'].map((peer) => `${peer} ${version(PACKAGES[peer])}\n`);
  writeFileSync(join(at, 'versions'), lines.join(''));
  rmSync(unpacked, { recursive: true });
}

/** Copies what is in a folder, links as they are. */
function copy(from, to) {
  if (!existsSync(from)) return;
  for (const name of readdirSync(from))
    cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
}
