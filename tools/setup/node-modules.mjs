// Installs npm packages from the lock file, once per state of the lock file.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRoot, nodeModules, projectRoot } from './paths.mjs';
import { withLock } from './private-folder.mjs';
import { step } from './report.mjs';
import { mustRun } from './run-process.mjs';

const stamp = join(nodeModules, '.installed-from-lock');

function isCurrent(hash) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

/** Runs `npm ci` unless node_modules is complete for this lock file. */
export async function ensureNodeModules() {
  const lock = readFileSync(join(projectRoot, 'package-lock.json'));
  // Includes the platform: a folder shared between machines has binaries for one of them.
  const hash = createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
  if (isCurrent(hash)) return;
  await withLock(join(buildRoot, 'node-modules.lock'), async () => {
    if (isCurrent(hash)) return;
    rmSync(stamp, { force: true });
    await step('installing npm packages (npm ci)', () =>
      mustRun('npm', ['ci', '--no-audit', '--no-fund'], {
        cwd: projectRoot,
        what: 'npm ci',
        fix: "check the network and npm's registry setting, then run this again",
      }),
    );
    writeFileSync(stamp, hash);
  });
}
