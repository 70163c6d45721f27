import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Stage } from './browser';

/** A page with a clock that moves only in steps of the test. Its worker computes as always. */
export interface ClockedPage {
  readonly page: Page;
  /** Lets ms pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** Lets time pass until `isThere`, a frame or two at a time; fails after a minute of it. */
  readonly until: (isThere: () => Promise<boolean>) => Promise<void>;
}

const STEP_MS = 50;

/** Opens the site in an empty browser. */
export async function openWithClock(
  { newContext, site }: Stage,
  options: BrowserContextOptions,
  hash: string,
): Promise<ClockedPage> {
  const page = await (await newContext({ serviceWorkers: 'block', ...options })).newPage();
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(site.url + hash);
  const pass = (ms: number) => page.clock.runFor(ms);
  return {
    page,
    pass,
    async until(isThere) {
      for (let passed = 0; !(await isThere()); passed += STEP_MS) {
        if (passed > 60_000) throw new Error('it did not happen within a minute of the page’s clock');
        await pass(STEP_MS);
      }
    },
  };
}
