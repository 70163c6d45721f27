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
  /** Results that were painted. */
  readonly results: { readonly at: number; readonly oh: number }[];
  /** Times when workers were started. */
  readonly began: number[];
  /** Times when workers were terminated. */
  readonly ended: number[];
}

/** A page that records when results are painted and when workers start and end. */
async function watched(hash: string) {
  const open = await openPage(stage, {}, '');
  await open.page.addInitScript(() => {
    const seen: Watched = { results: [], began: [], ended: [] };
    window.Worker = class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        seen.began.push(performance.now());
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

/** Resolves to the time after `since` when a y with `oh` rows was painted. */
async function painted(page: Page, oh: number, since: number): Promise<number> {
  const find = async () => (await seen(page)).results.find((each) => each.oh === oh && each.at > since)?.at ?? 0;
  await expect.poll(find, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  return find();
}

/**
 * Expects that `edit` terminates the busy worker and paints its result with `oh` rows. A page that waits for the outdated
 * work terminates no worker.
 */
async function replaces(page: Page, oh: number, edit: () => Promise<void>): Promise<void> {
  const began = await page.evaluate(() => performance.now());
  await edit();
  const end = await painted(page, oh, began);
  const { ended } = await seen(page);
  expect(ended.filter((at) => at > began && at < end)).not.toEqual([]);
}

const PHOTO = 'h=512&w=512&c=3&k=3&groups=3&kh=9&padding=same&x=sample:landscape&dy=mse:0';
/** 16 images take a second and half a gigabyte to compute. */
const BATCH = `n=${THOROUGH ? 16 : 3}&h=512&w=512&c=4&k=4&kh=5&padding=same`;

describe('an edit does not wait for outdated work:', () => {
  it.each([
    ['a gradient check of a photograph', `${PHOTO}&mode=gradient-check`],
    ['a gradient check of a batch', `${BATCH}&mode=gradient-check`],
  ])('%s', { timeout: 120_000 }, async (_name, hash) => {
    const { page, troubles } = await watched(hash);
    if (hash.startsWith('n=16')) await page.getByRole('button', { name: 'Compute anyway' }).click();
    await painted(page, 512, 0);
    await page.getByRole('progressbar').waitFor();
    await replaces(page, 256, () => setField(page, 'stride', '2'));
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('a long computation that a link replaces', async () => {
    const { page, troubles } = await watched('h=7&kh=2');
    await painted(page, 6, 0);
    const held = gate.hold();
    await setField(page, 'kernel', '3');
    await held.reached;
    await page.getByRole('progressbar').waitFor();
    await replaces(page, 5, () => follow(page, 'h=6&kh=2'));
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

/** The shown sizes of y while the height slider moves once a frame for two seconds. */
async function dragHeight(): Promise<string[]> {
  const field = [...document.querySelectorAll('.number-field')].find(({ textContent }) => textContent === 'height');
  const slider = field?.querySelector<HTMLInputElement>('input[type=range]');
  if (!slider) throw new Error('no slider');
  const found: string[] = [];
  const note = () => {
    const size = document.querySelector('.panel--y .figure__size')?.textContent ?? '';
    if (size !== found.at(-1)) found.push(size);
  };
  note();
  for (const end = performance.now() + 2000; performance.now() < end; ) {
    slider.value = String(Number(slider.value) - 1);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise(requestAnimationFrame);
    note();
  }
  return found;
}

it('dragging the height of a photograph for two seconds paints results without restarting workers', async () => {
  const { page, troubles } = await watched(
    'h=512&w=512&c=3&k=3&kh=3&padding=same&x=sample:landscape&weights=filter:blur',
  );
  await page.locator('.panel--y .figure__size', { hasText: '512 × 512' }).waitFor();
  const started = (await seen(page)).began.length;
  let most = 0;
  // Three attempts, for a busy machine.
  for (let attempt = 0; attempt < 3 && most < 5; attempt += 1) {
    const sizes = await page.evaluate(dragHeight);
    most = Math.max(most, sizes.length - 1);
    // After the drag the latest size is shown.
    const height = await page.getByRole('spinbutton', { name: 'height', exact: true }).inputValue();
    await page.locator('.panel--y .figure__size', { hasText: `${height} × 512` }).waitFor();
  }
  const made = (await seen(page)).began.length - started;
  console.info(`a drag of 2 s: ${most} results painted, ${made} workers made`);
  expect(most).toBeGreaterThanOrEqual(3);
  expect(made).toBeLessThanOrEqual(1);
  await page.context().close();
  expect(troubles).toEqual([]);
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

it('the memory of a huge problem is freed', async () => {
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
  // The page keeps x for undo.
  expect(after).toBeLessThan(huge - 100);
  await page.context().close();
  expect(troubles).toEqual([]);
});
