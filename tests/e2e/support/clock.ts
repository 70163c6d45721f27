import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Stage, WAITING_LIMIT } from './browser';

/** A page with a clock that moves only in steps of the test. Its worker computes as always. */
export interface ClockedPage {
  readonly page: Page;
  /** Lets ms pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** Lets time pass until `isThere`, a frame or two at a time. */
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
      // The worker does not compute by this clock.
      const end = Date.now() + WAITING_LIMIT;
      while (!(await isThere())) {
        if (Date.now() > end) throw new Error('it did not happen, however much time passed by the clock of the page');
        await pass(STEP_MS);
      }
    },
  };
}
