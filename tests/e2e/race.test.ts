import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { FAULTS, type FaultName, TECHNICAL_TERMS } from './support/faults';
import { useGate } from './support/gate';
import type { Serving } from './support/site';

// A race on this device: it starts on request, cancels at once, and its results can be saved and compared.

const serving: Serving = {};
const stage = useStage(serving);
/** The clock of the race is that of the gate: what is timed does not depend on the machine. */
const gate = useGate(serving);
afterEach(() => {
  serving.patch = undefined;
});

const TINY = '#h=6&kh=3&c=2&k=3&race=this.y-db';

const start = (page: Page) => page.getByRole('button', { name: 'Start race' });
const over = (page: Page) => page.getByText('Race finished.').waitFor();
const racing = (page: Page) => page.workers().filter((worker) => worker.url().includes('race-worker')).length;
const answerOf = (fault: FaultName, body: Buffer) => FAULTS[fault](body);
const rows = (page: Page) => page.locator('.bars tbody tr').allTextContents();

it('starts on request, cancels at once, and compares with a link', async () => {
  const { page, troubles } = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] }, TINY);
  await start(page).waitFor();
  // A link does not start a race.
  expect(racing(page)).toBe(0);
  const held = gate.hold((phase) => phase === 'timing');
  await start(page).click();
  await held.reached;
  await page.getByRole('progressbar').first().waitFor();
  await expect.poll(() => racing(page)).toBe(1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  // A race that ends by itself says so instead.
  await page.getByText('Canceled. The finished results are shown.').waitFor();
  await expect.poll(() => racing(page)).toBe(0);
  held.open();

  await start(page).click();
  await over(page);
  await expect.poll(() => racing(page)).toBe(0);
  const first = await rows(page);
  // Five entrants for y and five for db, some of which do not apply; two more with relaxed SIMD.
  expect(first.length).toBeGreaterThanOrEqual(10 - 2);
  expect(first.filter((row) => /plain loops.*\d (ns|µs|ms)/.test(row)).length).toBeGreaterThanOrEqual(2);
  expect(first.filter((row) => row.includes('its result is wrong'))).toEqual([]);
  // Without cross-origin isolation there are no threads, and the page says so.
  await page.getByText(/Not included: the library with relaxed SIMD and threads/).waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as JSON' }).click(),
  ]);
  const json = await readFile(await download.path(), 'utf8');
  const saved = JSON.parse(json);
  expect(saved).toMatchObject({ format: 'conv2d-race', version: 1, setup: 'this.y-db', cores: expect.any(Number) });
  expect(saved.results).toHaveLength(2);
  const times = saved.results[0].entries.filter(({ fate }: { fate: string }) => fate === 'timed');
  // Each batch takes 400 ms by the clock of the gate: the fewest rounds.
  for (const { samples } of times) expect(samples).toHaveLength(3);

  const file = join(tmpdir(), `race-${process.pid}.json`);
  await writeFile(file, json);
  await page.getByLabel('Saved race').setInputFiles(file);
  await page.getByText(/Hatched: another device, Chromium \d+/).waitFor();
  expect(await page.locator('.bars__other').count()).toBeGreaterThanOrEqual(times.length);
  await writeFile(file, json.slice(0, 500));
  await page.getByLabel('Saved race').setInputFiles(file);
  await page.getByText('This file is not a race that this page saved, or it is damaged.').waitFor();
  // The earlier results stay.
  expect(await page.locator('.bars__other').count()).toBeGreaterThanOrEqual(times.length);

  await page.getByRole('button', { name: 'Copy link with times' }).click();
  await page.getByText('Link copied.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.length).toBeLessThan(600);
  expect(troubles).toEqual([]);
  await page.context().close();

  const elsewhere = await openPage(stage, {}, new URL(link).hash);
  await elsewhere.page.getByText(/Shown: another device, Chromium \d+/).waitFor();
  expect(racing(elsewhere.page)).toBe(0);
  const shown = await rows(elsewhere.page);
  expect(shown.length).toBe(first.filter((row) => !row.includes('Not timed')).length);
  // Its own times beside those of the link.
  await start(elsewhere.page).click();
  await over(elsewhere.page);
  await elsewhere.page.getByText(/Hatched: another device, Chromium \d+/).waitFor();
  const hatched = elsewhere.page.locator('.bars__other');
  expect(await hatched.count()).toBeGreaterThanOrEqual(times.length);
  await elsewhere.page.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => hatched.count()).toBe(0);
  await elsewhere.page.getByRole('button', { name: 'Back to the problem' }).click();
  await elsewhere.page.getByRole('grid').first().waitFor();
  await expect.poll(() => elsewhere.page.url()).not.toContain('race=');
  // R opens and closes the race; closing cancels a running race.
  await elsewhere.page.keyboard.press('r');
  const again = gate.hold();
  await start(elsewhere.page).click();
  await again.reached;
  await expect.poll(() => racing(elsewhere.page)).toBe(1);
  await elsewhere.page.keyboard.press('r');
  await expect.poll(() => racing(elsewhere.page)).toBe(0);
  expect(elsewhere.troubles).toEqual([]);
  await elsewhere.page.context().close();
});

it('does not time wrong results, and says what failed to load', async () => {
  // Serves modules that add 1e-3 to the first value of y, only in a race.
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
        // The loader replaces the function at its first call.
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

  const opened = await openPage(stage, {}, TINY);
  const alert = opened.page.getByRole('alert').filter({ hasText: 'The race failed' });
  for (const [fault, part] of [
    ['missing', /assets\/race-worker-/],
    ['another page', /assets\/race-[^/]*\.(js|wasm)$/],
  ] as const) {
    serving.patch = (file, body) => (part.test(file) ? answerOf(fault, body) : body);
    await start(opened.page).click();
    await alert.waitFor();
    expect(await alert.textContent()).not.toMatch(TECHNICAL_TERMS);
    serving.patch = undefined;
    await start(opened.page).click();
    await over(opened.page);
    await alert.waitFor({ state: 'detached' });
  }
  await opened.page.context().close();
});

it('opens with all passes of the current problem, and explains an older link to other problems', async () => {
  const { page } = await openPage(stage);
  await page.locator('.panel--y').waitFor();
  await page.keyboard.press('r');
  await start(page).waitFor();
  expect(await page.getByRole('group', { name: 'Results' }).getByRole('checkbox', { checked: true }).count()).toBe(4);
  await page.context().close();

  const { page: older } = await openPage(stage, {}, '#race=S1-R5.y-dx&times=A:1::::~lf:1');
  await older.getByText('This link names races of other problems.').waitFor();
  await older.getByRole('alert').filter({ hasText: 'The times in this link are of other problems' }).waitFor();
  expect(await older.getByRole('checkbox', { name: 'dx (gradient of x)' }).isChecked()).toBe(true);
  await older.context().close();
});
