// The Chromium that tests, screenshots and benchmarks drive.

import { existsSync } from 'node:fs';
import { SetupError } from './report.mjs';
import { which } from './run-process.mjs';
import { hasApt, isRoot, osRelease } from './system-packages.mjs';

const SHELL = 'chromium-headless-shell';

/**
 * Path of the browser for tests that open hundreds of pages: Chromium without its own windows where there is one, which
 * takes 0.6 s of a processor for a page where the whole browser takes 1.5 s, else what findBrowser finds.
 */
export function findHeadless() {
  return process.env.CHROME_PATH ? findBrowser() : (which(SHELL) ?? findBrowser());
}

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

/** Packages that are missing for findHeadless, as a list for installPackages: those who cannot install them can do without. */
export function missingHeadless() {
  if (findBrowser() && !isRoot()) return [];
  if (process.env.CHROME_PATH || which(SHELL) || !hasApt() || osRelease().ID !== 'debian') return missingBrowser();
  return [{ name: SHELL, reason: 'the end-to-end tests' }];
}

/** Packages that are missing for a whole browser, as a list for installPackages. */
export function missingBrowser() {
  if (findBrowser()) return [];
  // Ubuntu's package of that name only fetches a snap, which a container cannot run.
  if (!hasApt() || osRelease().ID === 'ubuntu') {
    throw new SetupError('no Chromium found', 'install Chromium or Chrome and set CHROME_PATH to it');
  }
  return [{ name: 'chromium', reason: 'tests and pictures of the page' }];
}
