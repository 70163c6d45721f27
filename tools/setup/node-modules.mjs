// Installs npm packages from a lock file, once per state of the lock file.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRoot, projectRoot } from './paths.mjs';
import { withLock } from './private-folder.mjs';
import { step } from './report.mjs';
import { mustRun } from './run-process.mjs';

/** Runs `npm ci` in `folder` unless its node_modules is complete for its lock file. `machine`: what else the packages depend on. */
export async function ensureInstalled({ folder, name, title, what = 'npm ci', options = [], machine = '' }) {
  const stamp = join(folder, 'node_modules/.installed-from-lock');
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).update(machine).digest('hex');
  const isCurrent = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isCurrent()) return;
  await withLock(join(buildRoot, `${name}.lock`), async () => {
    if (isCurrent()) return;
    rmSync(stamp, { force: true });
    // Vite's build sets NODE_ENV to production in its process, and npm would then leave the development packages out.
    await step(title, () =>
      mustRun('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', ...options], {
        cwd: folder,
        what,
        fix: "check the network and npm's registry setting, then run this again",
      }),
    );
    writeFileSync(stamp, hash);
  });
}

export const ensureNodeModules = () =>
  ensureInstalled({
    folder: projectRoot,
    name: 'node-modules',
    title: 'installing npm packages (npm ci)',
    // A folder shared between machines has binaries for one of them.
    machine: `${process.platform}-${process.arch}`,
  });
