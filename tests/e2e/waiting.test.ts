import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { grid, setField } from './support/grids';
import { THOROUGH } from './support/thorough';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

interface Watched {
  /** Numbers that were painted. */
  readonly results: { readonly at: number; readonly oh: number }[];
  /** When a worker was given up. */
  readonly ended: number[];
}

/** A page that notes when numbers have been painted and when workers end. */
async function watched(hash: string) {
  const open = await openPage(stage, {}, '');
  await open.page.addInitScript(() => {
    const seen: Watched = { results: [], ended: [] };
    window.Worker = class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        this.addEventListener('message', ({ data }) => {
          const oh = data.result?.geometry?.oh;
          if (!oh) return;
          requestAnimationFrame(() => setTimeout(() => seen.results.push({ at: performance.now(), oh })));
        });
      }
      override terminate() {
        seen.ended.push(performance.now());
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

const seen = (page: Page) => page.evaluate(() => (window as unknown as { seen: Watched }).seen);

/** Resolves to when numbers of so many rows were painted, after `since`. */
async function painted(page: Page, oh: number, since: number): Promise<number> {
  const find = async () => (await seen(page)).results.find((each) => each.oh === oh && each.at > since)?.at ?? 0;
  await expect.poll(find, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  return find();
}

interface Times {
  /** Until the worker was given up that was busy with something else. */
  readonly ended: number;
  /** Until the numbers were on the screen. */
  readonly painted: number;
}

/** What `edit` takes until its numbers, of so many rows, are there. */
async function timesOf(page: Page, oh: number, edit: () => Promise<void>): Promise<Times> {
  const began = await page.evaluate(() => performance.now());
  await edit();
  const end = await painted(page, oh, began);
  const { ended } = await seen(page);
  return { ended: (ended.find((at) => at > began) ?? end) - began, painted: end - began };
}

const MOST_WAITED = 300;
/**
 * Another worker, its inputs, the numbers themselves, and whatever else a busy machine does. What was waited for takes 4 s and
 * much more.
 */
const MOST_IN_ALL = THOROUGH ? 8000 : 2000;

/** Once more where the machine was busy: the better of two. */
async function better(attempt: () => Promise<Times>): Promise<Times> {
  const first = await attempt();
  if (first.ended < MOST_WAITED && first.painted < MOST_IN_ALL) return first;
  const second = await attempt();
  return { ended: Math.min(first.ended, second.ended), painted: Math.min(first.painted, second.painted) };
}

function judge(name: string, { ended, painted }: Times): void {
  console.info(
    `${name}: given up after ${Math.round(ended)} ms, the new numbers painted after ${Math.round(painted)} ms`,
  );
  expect(ended).toBeLessThan(MOST_WAITED);
  expect(painted).toBeLessThan(MOST_IN_ALL);
}

const PHOTO = 'h=512&w=512&c=3&k=3&groups=3&kh=3&padding=same&x=sample:landscape&weights=filter:blur&dy=mse:0';
/** Of 16 images the numbers themselves take a second and half a gigabyte. */
const BATCH = `n=${THOROUGH ? 16 : 3}&h=512&w=512&c=4&k=4&kh=5&padding=same`;

describe('an edit does not wait for what nobody needs any more', () => {
  it.each([
    ['a gradient check of a photograph', `${PHOTO}&mode=gradient-check`],
    ['a gradient check of a batch', `${BATCH}&mode=gradient-check`],
  ])('%s', { timeout: 120_000 }, async (name, hash) => {
    const times = await better(async () => {
      const { page, troubles } = await watched(hash);
      if (THOROUGH && hash.startsWith('n=16')) await page.getByRole('button', { name: 'Compute anyway' }).click();
      await painted(page, 512, 0);
      await page.getByRole('progressbar').waitFor();
      const measured = await timesOf(page, 256, () => setField(page, 'stride', '2'));
      await page.context().close();
      expect(troubles).toEqual([]);
      return measured;
    });
    judge(name, times);
  });

  it('a computation of seconds, which a link replaces', async () => {
    const times = await better(async () => {
      const { page, troubles } = await watched('h=1024&w=1024&c=3&k=3&groups=3&kh=3&padding=same');
      await painted(page, 1024, 0);
      await setField(page, 'kernel', '31');
      await page.getByRole('progressbar').waitFor();
      const measured = await timesOf(page, 5, () => follow(page, 'h=6&kh=2'));
      await page.context().close();
      expect(troubles).toEqual([]);
      return measured;
    });
    judge('a computation of seconds', times);
  });
});

/** Of the process that draws the page, its workers in it, in MiB. */
async function memoryOf(): Promise<number> {
  const browser = await stage.browser.newBrowserCDPSession();
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  return Math.max(...sizes);
}

it('the memory of a huge problem comes back', async () => {
  const { page, troubles } = await watched('h=6&kh=2');
  await painted(page, 5, 0);
  const before = await memoryOf();
  await follow(page, 'h=3000&w=3000&kh=1&kw=1&x=ones');
  await page.getByRole('button', { name: 'Compute anyway' }).click();
  await painted(page, 3000, 0);
  const huge = await memoryOf();
  const { ended } = await seen(page);
  await follow(page, 'h=7&kh=2');
  await painted(page, 6, 0);
  await expect.poll(async () => (await seen(page)).ended.length).toBe(ended.length + 1);
  const after = await memoryOf();
  console.info(
    `the page before, with and after a huge problem: ${[before, huge, after].map(Math.round).join(', ')} MiB`,
  );
  // The page itself keeps x, to undo.
  expect(after).toBeLessThan(huge - 100);
  await page.context().close();
  expect(troubles).toEqual([]);
});
