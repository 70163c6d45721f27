import type { Page } from 'playwright-core';

/**
 * The duration of a task, ms, from which a page counts as frozen: three times the longest that was seen on a busy
 * machine (1,055 ms). Times themselves are measured by benchmarks.
 */
export const FROZEN = 3000;

/** Records the longest task of `page` from now on. The result reads it, ms, and starts again from 0. */
export async function watchLongTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const held = { longest: 0 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) held.longest = Math.max(held.longest, duration);
    }).observe({ type: 'longtask' });
    Object.assign(window, { held });
  });
  return () =>
    page.evaluate(() => {
      const { held } = window as unknown as { readonly held: { longest: number } };
      const { longest } = held;
      held.longest = 0;
      return longest;
    });
}

/** The minimum of up to three durations: a busy processor adds time, but a frozen page is frozen each time. */
export async function shortestOf(measure: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && best >= FROZEN; attempt += 1) best = Math.min(best, await measure());
  return best;
}
