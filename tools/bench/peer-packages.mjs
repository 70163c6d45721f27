// npm packages of the peers, from a separate lock file: 350 MB that only this benchmark needs.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRoot } from '../setup/paths.mjs';
import { withLock } from '../setup/private-folder.mjs';
import { step } from '../setup/report.mjs';
import { mustRun } from '../setup/run-process.mjs';
import { benchFolder } from './page-server.mjs';

const stamp = join(benchFolder, 'node_modules/.installed-from-lock');

export async function ensurePeerPackages() {
  const lock = readFileSync(join(benchFolder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await withLock(join(buildRoot, 'peer-packages.lock'), async () => {
    rmSync(stamp, { force: true });
    await step("installing the peers' npm packages (350 MB, in web/bench only)", () =>
      // Their install scripts download native builds that a browser does not need.
      mustRun('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
        cwd: benchFolder,
        what: 'npm ci in web/bench',
        fix: "check the network and npm's registry setting, then run this again",
      }),
    );
    writeFileSync(stamp, hash);
  });
}
