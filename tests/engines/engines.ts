import { QUIET } from '../e2e/support/browser';
import type { Driver } from './driver';
import { openWithPuppeteer } from './puppeteer-driver';
import { openWebKit } from './webkit';

export interface Engine {
  readonly name: string;
  /** Why it is not tested on this machine, or null. */
  readonly missing: string | null;
  readonly start: () => Promise<Driver>;
}

/** Paths of the programs, from the environment variables that `npm test` sets. */
const path = (name: string): string => process.env[name] ?? '';
const missing = (...names: readonly string[]): string | null => {
  const without = names.filter((name) => !path(name));
  return without.length > 0 ? `no program was found for ${without.join(', ')}` : null;
};

/** The engines of the walk. */
export const ENGINES: readonly Engine[] = [
  {
    name: 'Chromium',
    missing: missing('CHROME_PATH'),
    start: () => openWithPuppeteer({ browser: 'chrome', executablePath: path('CHROME_PATH'), args: [...QUIET] }),
  },
  {
    name: 'Firefox',
    missing: missing('FIREFOX_PATH'),
    start: () => openWithPuppeteer({ browser: 'firefox', executablePath: path('FIREFOX_PATH') }),
  },
  {
    name: 'WebKit',
    missing: missing('WEBKIT_PATH', 'WEBKIT_DRIVER_PATH', 'XVFB_PATH'),
    start: () =>
      openWebKit({ browser: path('WEBKIT_PATH'), driver: path('WEBKIT_DRIVER_PATH'), display: path('XVFB_PATH') }),
  },
];
