import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { FAULTS, type FaultName, FOR_PROGRAMMERS } from './support/faults';
import type { Serving } from './support/site';

// A race on this device: it begins when it is asked to, ends at once, and what it says can be saved and compared with.

const serving: Serving = {};
let stage: Stage;
beforeAll(async () => {
  stage = await openStage(serving);
});
afterAll(() => closeStage(stage));
afterEach(() => {
  serving.patch = undefined;
});

const TINY = '#h=6&kh=3&c=2&k=3&race=this.y-db';

const start = (page: Page) => page.getByRole('button', { name: 'Start the race' });
const over = (page: Page) => page.getByText('The race is over.').waitFor({ timeout: 30_000 });
const racing = (page: Page) => page.workers().filter((worker) => worker.url().includes('race-worker')).length;
const answerOf = (fault: FaultName, body: Buffer) => FAULTS[fault](body);
const rows = (page: Page) => page.locator('.bars tbody tr').allTextContents();

it('runs when it is started, ends at once, and is compared by file and by link', async () => {
  const { page, troubles } = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] }, TINY);
  await start(page).waitFor();
  // A link starts nothing.
  expect(racing(page)).toBe(0);
  await start(page).click();
  await page.getByRole('progressbar').waitFor();
  await expect.poll(() => racing(page)).toBe(1);
  // The page goes on painting.
  const frames = await page.evaluate(async () => {
    let longest = 0;
    let last = performance.now();
    for (let i = 0; i < 30; i += 1) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      longest = Math.max(longest, now - last);
      last = now;
    }
    return longest;
  });
  expect(frames).toBeLessThan(1000);
  const spent = await page.evaluate(async () => {
    const cancel = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Cancel');
    const begun = performance.now();
    cancel?.click();
    while (!document.body.textContent?.includes('Cancelled: what was finished by then is shown.'))
      await new Promise(requestAnimationFrame);
    return performance.now() - begun;
  });
  expect(spent).toBeLessThan(200);
  await expect.poll(() => racing(page)).toBe(0);

  await start(page).click();
  await over(page);
  expect(racing(page)).toBe(0);
  const first = await rows(page);
  // Five of y, and five of db, some of which have nothing to do there; two more where there is relaxed SIMD.
  expect(first.length).toBeGreaterThanOrEqual(10 - 2);
  expect(first.filter((row) => /plain loops.*\d (ns|µs|ms)/.test(row)).length).toBeGreaterThanOrEqual(2);
  expect(first.filter((row) => row.includes('its result is wrong'))).toEqual([]);
  // Without isolation there are no threads, and the page says so.
  await page.getByText(/Does not race: the library with relaxed SIMD and threads/).waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as JSON' }).click(),
  ]);
  const json = await readFile(await download.path(), 'utf8');
  const saved = JSON.parse(json);
  expect(saved).toMatchObject({ format: 'conv2d-race', version: 1, setup: 'this.y-db', cores: expect.any(Number) });
  expect(saved.results).toHaveLength(2);
  const times = saved.results[0].entries.filter(({ fate }: { fate: string }) => fate === 'timed');
  for (const { samples } of times) expect(samples).toHaveLength(7);

  const file = join(tmpdir(), `race-${process.pid}.json`);
  await writeFile(file, json);
  await page.getByLabel('A saved race').setInputFiles(file);
  await page.getByText(/Hatched: another device, Chromium \d+/).waitFor();
  expect(await page.locator('.bars__other').count()).toBeGreaterThanOrEqual(times.length);
  await writeFile(file, json.slice(0, 500));
  await page.getByLabel('A saved race').setInputFiles(file);
  await page.getByText('This file is no JSON: it may have been cut off.').waitFor();
  // Nothing of what was there is lost.
  expect(await page.locator('.bars__other').count()).toBeGreaterThanOrEqual(times.length);

  await page.getByRole('button', { name: 'Copy a link to compare with' }).click();
  await page.getByText(/^Link copied\. Who opens it/).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.length).toBeLessThan(600);
  expect(troubles).toEqual([]);
  await page.context().close();

  const elsewhere = await openPage(stage, {}, new URL(link).hash);
  await elsewhere.page.getByText(/Shown: another device, Chromium \d+/).waitFor();
  expect(racing(elsewhere.page)).toBe(0);
  const shown = await rows(elsewhere.page);
  expect(shown.length).toBe(first.filter((row) => !row.includes('Not timed')).length);
  await elsewhere.page.getByRole('button', { name: 'Back to the stage' }).click();
  await elsewhere.page.getByRole('grid').first().waitFor();
  await expect.poll(() => elsewhere.page.url()).not.toContain('race=');
  // By its key, and back; whoever leaves while it runs ends it.
  await elsewhere.page.keyboard.press('r');
  await start(elsewhere.page).click();
  await expect.poll(() => racing(elsewhere.page)).toBe(1);
  await elsewhere.page.keyboard.press('r');
  await expect.poll(() => racing(elsewhere.page)).toBe(0);
  expect(elsewhere.troubles).toEqual([]);
  await elsewhere.page.context().close();
});

it('does not time who computes something else, and says what could not be fetched', async () => {
  // Serves the modules with a convolution whose first number is off by a thousandth, in a race alone.
  serving.patch = (file, body) => {
    if (!/conv2d-(simd|relaxed)[^/]*\.js$/.test(file)) return body;
    const text = body.toString('utf8');
    const exported = /export\s*\{\s*(\w+) as default\s*\};?\s*$/;
    const name = exported.exec(text)?.[1];
    if (!name) throw new Error(`${file} does not end with its default export`);
    const wrong = `
      const createSound = ${name};
      export default async (options) => {
        const module = await createSound(options);
        let run = module._conv2d_run;
        const wrong = (session, pass) => {
          const code = run(session, pass);
          module.view(session, module.Slot.y)[0] += 1e-3;
          return code;
        };
        // At its first call the loader's own one puts another in its place.
        return Object.defineProperty(module, '_conv2d_run', { get: () => wrong, set: (next) => { run = next; } });
      };`;
    return Buffer.from(text.replace(exported, wrong));
  };
  const { page } = await openPage(stage, {}, '#h=6&kh=3&c=2&k=3&race=this.y');
  await start(page).click();
  await over(page);
  const told = await rows(page);
  const wrong = told.filter((row) => /Not timed: its result is wrong \(off by \d/.test(row));
  expect(wrong.length).toBe(told.filter((row) => row.includes('im2col') || row.includes('choice')).length);
  expect(told.filter((row) => row.startsWith('plain loops') && /\d (ns|µs|ms)/.test(row)).length).toBeGreaterThan(0);
  await page.context().close();

  for (const fault of ['missing', 'another page'] as const) {
    for (const part of [/assets\/race-worker-/, /assets\/race-[^/]*\.(js|wasm)$/]) {
      serving.patch = (file, body) => (part.test(file) ? answerOf(fault, body) : body);
      const opened = await openPage(stage, {}, TINY);
      await start(opened.page).click();
      const alert = opened.page.getByRole('alert').filter({ hasText: 'The race broke off' });
      await alert.waitFor();
      expect(await alert.textContent()).not.toMatch(FOR_PROGRAMMERS);
      serving.patch = undefined;
      await start(opened.page).waitFor();
      await opened.page.context().close();
    }
  }
});
