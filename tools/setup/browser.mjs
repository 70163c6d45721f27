// The Chromium that the end-to-end tests and the screenshots drive.

import { existsSync } from 'node:fs';
import { SetupError } from './report.mjs';
import { which } from './run-process.mjs';
import { hasApt, osRelease } from './system-packages.mjs';

/** Path of a Chromium, or undefined: CHROME_PATH first, then the usual names. */
export function findBrowser() {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new SetupError(
      `CHROME_PATH names ${named}, which does not exist`,
      'set CHROME_PATH to a Chromium or Chrome, or unset it',
    );
  }
  return ['chromium', 'google-chrome-stable', 'google-chrome', 'chromium-browser']
    .map((name) => which(name))
    .find(Boolean);
}

/** Packages that are missing for a browser, as a list for installPackages. */
export function missingBrowser() {
  if (findBrowser()) return [];
  // Ubuntu's package of that name only fetches a snap, which a container cannot run.
  if (!hasApt() || osRelease().ID === 'ubuntu') {
    throw new SetupError(
      'no Chromium found for the end-to-end tests',
      'install Chromium or Chrome and set CHROME_PATH to it',
    );
  }
  return [{ name: 'chromium', reason: 'the end-to-end tests' }];
}
