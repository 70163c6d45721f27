// Unpacks Emscripten of Debian trixie, its Binaryen and the libraries of that Binaryen into the per-user cache.

import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { downloadPackages, openPrivateApt, privateArchitecture, suite } from './apt-private.mjs';
import { cacheRoot, nodeModules } from './paths.mjs';
import { ensureFolder, isComplete } from './private-folder.mjs';
import { SetupError, say, step } from './report.mjs';
import { capture, compareVersions, mustRun, which } from './run-process.mjs';

// Increase the revision when the layout below changes: older clones keep theirs.
const folderName = `emscripten-${suite}-r1`;
const neededBytes = 1.2e9;

// System libraries that no build links: link-time optimization, position-independent code, 64-bit memory, Wasm Workers,
// sanitizers. They are three quarters of the package. The -mt variants are needed for threads.
const leftOut = [
  '*/wasm32-emscripten/lto',
  '*/wasm32-emscripten/thinlto',
  '*/wasm32-emscripten/pic',
  '*/wasm64-emscripten',
  '*-ww.a',
  '*-ww-*.a',
  '*san*.a',
  '*-emu*.a',
  './usr/share/doc',
  './usr/share/man',
  '*/emscripten/test',
  '*/emscripten/docs',
];

const folder = () => join(cacheRoot(), folderName);

function describe(at) {
  return {
    root: join(at, 'usr/share/emscripten'),
    env: {
      EM_CONFIG: join(at, 'emscripten.config'),
      EM_NODE_JS: process.execPath,
      EM_LLVM_ROOT: dirname(which('clang-19') ?? '/usr/bin/clang-19'),
    },
  };
}

/** { root, env } of the private Emscripten if it is complete, otherwise undefined. */
export function privateEmscripten() {
  return isComplete(folder()) ? describe(folder()) : undefined;
}

/** `machine` is the promise of the compilers and of node_modules, which are needed only after unpacking. */
export async function ensurePrivateEmscripten(machine) {
  await ensureFolder(folder(), neededBytes, async (at) => {
    say(`  Emscripten goes to ${folder()}, for all clones of this project`);
    const apt = await openPrivateApt();
    const debs = await downloadPackages(apt, ['emscripten', 'binaryen', 'libc6', 'libstdc++6', 'libgcc-s1']);
    for (const deb of debs) await unpack(deb, at);
    await wrapBinaryen(at);
    writeFileSync(join(at, 'emscripten.config'), configuration);
    await machine;
    // The JavaScript optimizer of Emscripten imports it, and imports search node_modules of the parent folders only.
    cpSync(join(nodeModules, 'acorn'), join(at, 'node_modules/acorn'), { recursive: true });
    await tryOut(at);
  });
  return describe(folder());
}

async function unpack(deb, target) {
  const name = deb.split('/').at(-1).split('_')[0];
  const excludes = leftOut.map((pattern) => `--exclude=${pattern}`);
  const pipe = 'set -o pipefail; deb=$1; shift; dpkg --fsys-tarfile "$deb" | tar -x "$@"';
  await step(`unpacking ${name}`, () =>
    mustRun('bash', ['-c', pipe, 'bash', deb, '-C', target, ...excludes], { what: `unpacking ${name}` }),
  );
  rmSync(deb);
}

/**
 * Binaryen needs a newer C library than that of the system: its programs run with the unpacked loader and libraries.
 */
async function wrapBinaryen(at) {
  const machine = await privateArchitecture();
  if (!machine)
    throw new SetupError(
      'no private Emscripten for the architecture of this machine',
      'install and activate an emsdk, then run this again',
    );
  const bin = join(at, 'binaryen/bin');
  mkdirSync(bin, { recursive: true });
  for (const program of readdirSync(join(at, 'usr/bin')).filter((name) => name.startsWith('wasm'))) {
    const libraries = `usr/lib/${machine.triplet}`;
    const script = `#!/bin/sh\nroot=\${0%/*}/../..\nexec "$root/${libraries}/${machine.loader}" --library-path "$root/${libraries}" "$root/usr/bin/${program}" "$@"\n`;
    writeFileSync(join(bin, program), script);
    chmodSync(join(bin, program), 0o755);
  }
}

// Relative to itself, so the folder can be renamed. Node and LLVM come from the environment (EM_NODE_JS, EM_LLVM_ROOT):
// both may move while the cache stays.
const configuration = `import os
ROOT = os.path.dirname(os.environ['EM_CONFIG'])
BINARYEN_ROOT = os.path.join(ROOT, 'binaryen')
CACHE = os.path.join(ROOT, 'usr/share/emscripten/cache')
LLVM_ROOT = '/usr/bin'
NODE_JS = 'node'
FROZEN_CACHE = True
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
`;

async function tryOut(at) {
  const { root, env } = describe(at);
  await step('trying the compiler out', async () => {
    const source = join(at, 'try.cpp');
    const script = join(at, 'try.mjs');
    writeFileSync(source, '#include <cstdio>\nint main() { std::puts("works"); }\n');
    await mustRun(join(root, 'em++'), ['-O2', source, '-o', script], {
      env: { ...process.env, ...env },
      what: 'a first compilation with the unpacked Emscripten',
    });
    const { stdout, output } = await capture(process.execPath, [
      '--input-type=module',
      '-e',
      `await (await import(${JSON.stringify(script)})).default()`,
    ]);
    if (!stdout.includes('works'))
      throw new SetupError(`a first program compiled with the unpacked Emscripten does not run:\n  ${output}`);
    for (const name of ['try.cpp', 'try.mjs', 'try.wasm']) rmSync(join(at, name));
  });
  const version = await capture(join(root, 'emcc'), ['--version'], { env: { ...process.env, ...env } });
  if (compareVersions(/\) (\S+)/.exec(version.stdout)?.[1] ?? '0', '3.1.69') < 0)
    throw new SetupError(`unexpected Emscripten: ${version.stdout.split('\n')[0]}`);
}
