import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { openPage, useStage } from './support/browser';
import { useGate } from './support/gate';
import { grid, setField } from './support/grids';
import type { Serving } from './support/site';

const serving: Serving = {};
const stage = useStage(serving);
const gate = useGate(serving);

interface Watched {
  /** The rows of y of each result that was painted, and "ended" for each worker that was terminated. */
  readonly events: (number | 'ended')[];
}

/** A page that records which results are painted, and when workers end. */
async function watched(hash: string) {
  const open = await openPage(stage, {}, '');
  await open.page.addInitScript(() => {
    const seen: Watched = { events: [] };
    window.Worker = class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        this.addEventListener('message', ({ data }) => {
          const oh = data.result?.layers?.[0]?.geometry.oh;
          if (!oh) return;
          requestAnimationFrame(() => setTimeout(() => seen.events.push(oh)));
        });
      }
      override terminate() {
        seen.events.push('ended');
        super.terminate();
      }
    };
    Object.assign(window, { seen });
  });
  await open.page.goto(open.page.url().replace(/#.*$/, ''));
  await grid(open.page, 'y').waitFor();
  await follow(open.page, hash);
  return open;
}

const follow = (page: Page, hash: string) =>
  page.evaluate((next) => {
    location.hash = next;
  }, hash);

/** What happened after the first `since` events. */
const events = async (page: Page, since = 0) =>
  (await page.evaluate(() => (window as unknown as { seen: Watched }).seen.events)).slice(since);

/** Resolves when a y with `oh` rows was painted after the first `since` events. */
const painted = (page: Page, oh: number, since = 0) =>
  expect.poll(() => events(page, since), { interval: 20 }).toContain(oh);

/**
 * Expects that `edit` terminates the busy worker and paints its result with `oh` rows. A page that waits for the outdated
 * work terminates no worker.
 */
async function replaces(page: Page, oh: number, edit: () => Promise<void>): Promise<void> {
  const before = (await events(page)).length;
  await edit();
  await painted(page, oh, before);
  const since = await events(page, before);
  expect(since.slice(0, since.indexOf(oh))).toContain('ended');
}

describe('an edit does not wait for outdated work:', () => {
  it.each([
    ['a gradient check', 'h=7&kh=2&dy=mse:0&mode=gradient-check'],
    ['a gradient check of a batch', 'n=3&h=7&kh=2&c=4&k=4&dy=mse:0&mode=gradient-check'],
  ])('%s', async (_name, hash) => {
    const held = gate.hold((phase) => phase === 'gradient check');
    const { page, troubles } = await watched(hash);
    await painted(page, 6);
    await held.reached;
    await page.getByRole('progressbar').first().waitFor();
    await replaces(page, 3, () => setField(page, 'stride', '2'));
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('a long computation that a link replaces', async () => {
    const { page, troubles } = await watched('h=7&kh=2');
    await painted(page, 6);
    const held = gate.hold();
    await setField(page, 'kernel', '3');
    await held.reached;
    await page.getByRole('progressbar').first().waitFor();
    await replaces(page, 5, () => follow(page, 'h=6&kh=2'));
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

/** Memory of the renderer process, which includes the workers, in MiB. */
async function memoryOf(): Promise<number> {
  const browser = await stage.browser.newBrowserCDPSession();
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  return Math.max(...sizes);
}

// By counts of bytes in tests/web/compute/client.test.ts.
it.runIf(THOROUGH)('the memory of a huge problem is freed', async () => {
  const { page, troubles } = await watched('h=6&kh=2');
  await painted(page, 5);
  const before = await memoryOf();
  await follow(page, 'h=3000&w=3000&kh=1&kw=1&x=ones');
  await page.getByRole('button', { name: 'Compute anyway' }).click();
  await painted(page, 3000);
  const huge = await memoryOf();
  const since = (await events(page)).length;
  await follow(page, 'h=7&kh=2');
  await painted(page, 6, since);
  await expect.poll(() => events(page, since)).toContain('ended');
  // The page keeps x for undo. The browser frees arrays that nothing uses when it likes.
  const session = await page.context().newCDPSession(page);
  let after = huge;
  const collected = async () => {
    await session.send('HeapProfiler.collectGarbage');
    after = await memoryOf();
    return after;
  };
  await expect.poll(collected).toBeLessThan(huge - 100);
  console.info(
    `the page before, with and after a huge problem: ${[before, huge, after].map(Math.round).join(', ')} MiB`,
  );
  await page.context().close();
  expect(troubles).toEqual([]);
});
