import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { recordFrames, takeFrames } from './support/frames/record';
import { cellAt, grid, readExact, typeInto } from './support/grids';
import { openMode } from './support/modes';

// A kept result and its difference from the current one. What it says: tests/web/page/keep.test.ts.

const stage = useStage();

const LINK = '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';
const MINUS = 'y, now \u2212 kept';

it('shows the difference of the same edit in each frame, from the menu until it is dropped', async () => {
  const { page, troubles } = await openPage(stage, {}, LINK);
  await grid(page, 'y').waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Keep this result' }).click();
  const kept = page.getByRole('region', { name: 'Kept' });
  await kept.getByText('Nothing has changed since.').waitFor();
  const before = (await readExact(page, 'y'))[0] ?? Number.NaN;
  await kept.getByRole('radio', { name: 'difference' }).check();
  await grid(page, MINUS).waitFor();

  await recordFrames(page);
  const values = [10, -3, 4000, 7];
  for (const value of values) {
    await typeInto(page, cellAt(page, 'x', 1, 1), String(value));
    // y[0,0] multiplies x[0,0], which was 0, by w[1,1] = 8.
    await expect.poll(() => readExact(page, MINUS)).toEqual([8 * value, ...Array<number>(15).fill(0)]);
  }
  const first = (cells: readonly (readonly [number, number, number])[] | undefined) =>
    cells?.find(([row, col]) => row === 0 && col === 0)?.[2] ?? Number.NaN;
  const { seen } = await takeFrames(page);
  for (const { grids } of seen.map((frame) => frame.seen)) {
    const of = (name: string) => first(grids.find(({ label }) => label === name)?.cells);
    // While an answer is late, the page shows values.
    const off = Number.isNaN(of(MINUS)) ? of('y') - before : of(MINUS);
    expect(off).toBe(8 * of('x'));
  }

  // The cells of a difference are those of y: their windows are outlined, and Explain has the current value.
  await cellAt(page, MINUS, 0, 0).click();
  await page
    .locator('.explain__title')
    .getByText(`y[0,0] = ${before + 56}`)
    .waitFor();
  expect(await page.locator('main .panel--x .mark--source').count()).toBeGreaterThan(0);

  // However many changes the bar tells, its choice and its button stay in the line of its title.
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.evaluate(() => {
    location.hash = 'h=9&kh=3&stride=2&padding=0&x=random:1&weights=random:2&dy=mse:0';
  });
  await expect.poll(() => kept.locator('.kept__changes .kept__change').count()).toBeGreaterThanOrEqual(5);
  const middles = await kept.locator('.kept__head').evaluate((head) =>
    [...head.querySelectorAll('.kept__title, .segmented, button')].map((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return (top + bottom) / 2;
    }),
  );
  expect(middles.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(1);

  await openMode(page, 'dx');
  expect(await kept.getByRole('radio', { name: 'values' }).isChecked()).toBe(true);
  await kept.getByRole('radio', { name: 'difference' }).check();
  await grid(page, MINUS).waitFor();
  await kept.getByRole('button', { name: 'Drop' }).click();
  await grid(page, 'y').waitFor();
  expect(await kept.count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('stage');
  await page.context().close();
  expect(troubles).toEqual([]);
});
