// The browsers of the walk in tests/engines, and the driver of WebKit.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { which } from './run-process.mjs';
import { hasApt, missingOf, osRelease } from './system-packages.mjs';

/** Paths of the programs, by the environment variables that the walk reads; '' if not found. */
export function findEngines() {
  const programs = {
    CHROME_PATH: findBrowser(),
    FIREFOX_PATH: ['firefox-esr', 'firefox'].map((name) => which(name)).find(Boolean),
    WEBKIT_PATH: findMiniBrowser(),
    WEBKIT_DRIVER_PATH: which('WebKitWebDriver'),
    XVFB_PATH: which('Xvfb'),
  };
  return Object.fromEntries(
    Object.entries(programs).map(([name, found]) => [name, process.env[name] || (found ?? '')]),
  );
}

/** The MiniBrowser of WebKit is not on the path: it is next to the library, in a folder named after the version. */
function findMiniBrowser() {
  const libraries = '/usr/lib';
  const folders = existsSync(libraries) ? readdirSync(libraries).filter((name) => name.endsWith('-linux-gnu')) : [];
  return folders
    .flatMap((name) => ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((api) => join(libraries, name, api, 'MiniBrowser')))
    .find((file) => existsSync(file));
}

/**
 * Missing packages of the walk, as a list for installPackages. On systems other than Debian, the walk skips engines
 * that it does not find, and reports them.
 */
export function missingEngines() {
  if (!hasApt() || osRelease().ID !== 'debian') return [];
  const engines = findEngines();
  return missingOf(
    [engines.FIREFOX_PATH, 'firefox-esr', 'the walk in Firefox'],
    [engines.WEBKIT_PATH && engines.WEBKIT_DRIVER_PATH, 'webkit2gtk-driver', 'the walk in WebKit'],
    [engines.XVFB_PATH, 'xvfb', 'a display for WebKit'],
  );
}
