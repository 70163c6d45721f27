// The Chromium for tests, screenshots and benchmarks.

import { existsSync } from 'node:fs';
import { SetupError } from './report.mjs';
import { which } from './run-process.mjs';
import { hasApt, isRoot, osRelease } from './system-packages.mjs';

const SHELL = 'chromium-headless-shell';

/**
 * The browser for tests that open hundreds of pages: chromium-headless-shell if installed, which takes 0.6 s of
 * processor time per page instead of 1.5 s, otherwise the result of findBrowser.
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

/**
 * Missing packages for findHeadless, as a list for installPackages. Empty if they cannot be installed: they are
 * optional.
 */
export function missingHeadless() {
  if (findHeadless() && (which(SHELL) || !isRoot())) return [];
  if (process.env.CHROME_PATH || !hasApt() || osRelease().ID !== 'debian') return missingBrowser();
  return [{ name: SHELL, reason: 'the end-to-end tests' }];
}

/** Missing packages for a complete browser, as a list for installPackages. */
export function missingBrowser() {
  if (findBrowser()) return [];
  // The Ubuntu package of that name only downloads a snap, which does not run in a container.
  if (!hasApt() || osRelease().ID === 'ubuntu') {
    throw new SetupError('no Chromium found', 'install Chromium or Chrome and set CHROME_PATH to it');
  }
  return [{ name: 'chromium', reason: 'tests and pictures of the page' }];
}
