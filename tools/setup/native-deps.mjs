// Sources that both builds need: the headers of xsimd and the amalgamated files of Catch2, from Debian trixie in the
// per-user cache. CMake looks for installed ones first, then here, then downloads a pinned tag; so a failure here is
// only a note.

import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canUsePrivateApt, downloadPackages, downloadSource, openPrivateApt, suite } from './apt-private.mjs';
import { cacheRoot } from './paths.mjs';
import { ensureFolder, isComplete } from './private-folder.mjs';
import { SetupError, say } from './report.mjs';
import { mustRun } from './run-process.mjs';

const neededBytes = 0.2e9;

/** The folder with include/ (xsimd) and catch2/ (catch_amalgamated.{hpp,cpp}), complete or absent. */
export const nativeDepsFolder = () => join(cacheRoot(), `native-deps-${suite}-r1`);

export async function ensureNativeDeps() {
  const folder = nativeDepsFolder();
  if (isComplete(folder) || !canUsePrivateApt()) return;
  try {
    await ensureFolder(folder, neededBytes, fill);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(
      `  note: Catch2 and xsimd could not be downloaded from Debian; CMake will look for them elsewhere.\n  ${error.message}`,
    );
  }
}

async function fill(at) {
  const apt = await openPrivateApt();
  const [xsimd] = await downloadPackages(apt, ['libxsimd-dev']);
  const unpacked = join(at, 'unpacked');
  await mustRun('dpkg', ['-x', xsimd, unpacked], { what: 'unpacking xsimd' });
  cpSync(join(unpacked, 'usr/include'), join(at, 'include'), { recursive: true });

  const tarballs = await downloadSource(apt, 'catch2');
  const original = tarballs.find((path) => path.includes('.orig.tar'));
  const catch2 = join(at, 'catch2');
  mkdirSync(catch2);
  await mustRun(
    'tar',
    ['-xf', original, '-C', catch2, '--strip-components=2', '--wildcards', '*/extras/catch_amalgamated.*'],
    { what: 'unpacking Catch2' },
  );
  rmSync(unpacked, { recursive: true });
}
