// The Emscripten compiler: an installed one, the distribution's, or Debian's in a private folder.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canUsePrivateApt } from './apt-private.mjs';
import { ensurePrivateEmscripten, privateEmscripten } from './emscripten-private.mjs';
import { SetupError, say } from './report.mjs';
import { capture, compareVersions, which } from './run-process.mjs';
import { candidateVersion, hasApt, missingOf, updateLists } from './system-packages.mjs';

const oldestEmscripten = '3.1.69';

/**
 * Decides where emcc comes from: { packages, ensure }. `packages` must be installed first (a list for installPackages).
 * `ensure(machine)` then makes it usable and resolves with { root, env }: the Emscripten folder and its environment. It
 * may start earlier: `machine` is the promise of the packages and of node_modules.
 */
export async function planEmscripten() {
  const found = await findInstalled();
  if (found.usable) return { packages: [], ensure: (machine) => machine.then(() => found.usable) };
  const complete = privateEmscripten();
  if (complete) return { packages: missingCompilers(), ensure: (machine) => machine.then(() => complete) };

  if (hasApt()) {
    if ((await candidateVersion('emscripten')) === undefined) await updateLists();
    const candidate = await candidateVersion('emscripten');
    if (candidate && compareVersions(candidate, oldestEmscripten) >= 0) {
      return { packages: [{ name: 'emscripten', reason: 'WebAssembly compiler' }], ensure: ensureDistribution };
    }
  }
  if (canUsePrivateApt()) return { packages: missingCompilers(), ensure: ensurePrivateEmscripten };
  throw new SetupError(
    `no Emscripten ${oldestEmscripten} or newer found${found.tooOld ? ` (${found.tooOld} is too old)` : ''}, and this system's packages do not have one`,
    `git clone https://github.com/emscripten-core/emsdk && cd emsdk\n./emsdk install ${oldestEmscripten} && ./emsdk activate ${oldestEmscripten}\n. ./emsdk_env.sh, then run this again`,
  );
}

async function findInstalled() {
  const fromSdk = process.env.EMSDK && join(process.env.EMSDK, 'upstream', 'emscripten', 'emcc');
  let tooOld;
  for (const emcc of [fromSdk, which('emcc')]) {
    if (!emcc || !existsSync(emcc)) continue;
    const { code, stdout } = await capture(emcc, ['--version']);
    const version = /\) (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    if (code === 0 && version && compareVersions(version, oldestEmscripten) >= 0)
      return { usable: { root: await rootOf(emcc), env: {} } };
    tooOld = `${emcc} ${version ?? '(does not run)'}`;
  }
  return { tooOld };
}

/** The folder with the Emscripten scripts: that of emcc, or that of em-config if emcc is a wrapper. */
async function rootOf(emcc) {
  const root = dirname(realpathSync(emcc));
  if (existsSync(join(root, 'cmake', 'Modules', 'Platform', 'Emscripten.cmake'))) return root;
  const { stdout } = await capture(join(dirname(emcc), 'em-config'), ['EMSCRIPTEN_ROOT']);
  return stdout.trim();
}

async function ensureDistribution(machine) {
  await machine;
  const { usable, tooOld } = await findInstalled();
  if (usable) return usable;
  throw new SetupError(
    `the emscripten package is installed, but emcc is not usable (${tooOld ?? 'not on PATH'})`,
    'run emcc --version to see why',
  );
}

/** This version of Emscripten in Debian requires exactly this LLVM. */
function missingCompilers() {
  const reason = 'WebAssembly compiler';
  const missing = missingOf(
    [which('clang-19'), 'clang-19', reason],
    [which('wasm-ld-19'), 'lld-19', reason],
    [which('llvm-ar-19'), 'llvm-19', reason],
    [which('python3'), 'python3', reason],
  );
  if (missing.length === 0 && !existsSync(join(dirname(realpathSync(which('clang-19'))), 'clang++'))) {
    say('  note: clang-19 is not where Debian puts it; Emscripten will look for its tools next to it');
  }
  return missing;
}
