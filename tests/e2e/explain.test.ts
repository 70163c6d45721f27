import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt, grid, readNumbers } from './support/grids';

// The explanation of a cell: its formula, its values, and what it affects.

const stage = useStage();

const explained = (page: Page) => page.getByRole('complementary', { name: 'Explain' });

/** The value of a row of the totals. */
const total = (page: Page, term: string) => explained(page).locator(`dt:has-text("${term}") + dd`).textContent();

const text = async (page: Page, selector: string) =>
  (await explained(page).locator(selector).first().textContent())?.trim();

async function open(hash: string) {
  const opened = await openPage(stage, {}, hash);
  await grid(opened.page, 'dx').or(grid(opened.page, 'dx[n=0, c=0]')).waitFor();
  return opened;
}

it('a squared error: y affects dy, and dy is computed from y by its formula', async () => {
  const { page, troubles } = await open('#h=4&w=4&kernel=3&stride=1&padding=0&x=ramp&weights=countdown&dy=mse:0');
  const [, y] = await readNumbers(page, 'y');
  await cellAt(page, 'y', 0, 1).click();
  await explained(page).getByRole('tab', { name: 'Used by' }).click();
  await explained(page).getByRole('button', { name: 'dy[0,1]', exact: true }).click();
  await explained(page).getByRole('tab', { name: 'Computed from' }).click();
  // Four cells: dy = (y - 0) / 4.
  await expect.poll(() => text(page, '.formula')).toBe('dy[0,1] = (y[0,1] − target[0,1]) / 4');
  await expect.poll(() => total(page, 'y[0,1] − target[0,1]')).toBe(String(y));
  expect(Number(await total(page, 'divided by 4'))).toBe((y ?? Number.NaN) / 4);
  await explained(page).getByRole('button', { name: 'y[0,1]', exact: true }).click();
  await explained(page)
    .getByRole('heading', { name: /^y\[0,1\] = / })
    .waitFor();
  // The overview shows this too: L is between y and dy.
  expect(await page.locator('.loss').textContent()).toMatch(/^L = \d+(, )?squared error to the target 0$/);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('a given dy is described as given, and y affects nothing', async () => {
  const { page, troubles } = await open('#h=4&w=4&kernel=3&stride=1&padding=0&x=ramp&weights=countdown');
  await cellAt(page, 'dy', 0, 1).click();
  await explained(page).getByText('Input, not computed.').waitFor();
  await cellAt(page, 'y', 0, 1).click();
  await explained(page)
    .getByRole('heading', { name: /^y\[0,1\]/ })
    .waitFor();
  expect(await explained(page).getByRole('tab').count()).toBe(0);
  expect(await page.locator('.loss').textContent()).toBe('L = Σ y · dy, dy is given');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('a sum over channels shows its subtotals, its formula, and its factors side by side', async () => {
  const { page, troubles } = await open('#h=4&w=4&c=3&kernel=3&stride=1&padding=0&x=ramp&weights=ones');
  await cellAt(page, 'y', 0, 0).click();
  // Until a cell is explained, the formula is that of the view.
  await expect.poll(() => text(page, '.formula')).toMatch(/^y\[0,0\] = Σc,p,q x\[p,q,c\] · w\[p,q,c\]$/);
  // x is 0, 1, 2, ... with the channel fastest; w is 1: channel c of the first window sums 9 cells.
  const x = (row: number, col: number, channel: number) => (row * 4 + col) * 3 + channel;
  const taps = [0, 1, 2].flatMap((row) => [0, 1, 2].map((col) => [row, col] as const));
  const sums = [0, 1, 2].map((c) => taps.reduce((sum, [row, col]) => sum + x(row, col, c), 0));
  await expect.poll(() => explained(page).locator('.plane__subtotal').allTextContents()).toEqual(sums.map(String));
  expect(await total(page, 'sum of the products')).toBe(String(sums.reduce((a, b) => a + b, 0)));
  // The terms are folded, so that all subtotals are in view.
  expect(await explained(page).locator('.term').count()).toBe(0);
  await explained(page).getByRole('button', { name: 'channel 0', exact: true }).click();
  // The window and w of the open channel; pointing at a cell highlights its partner and its term.
  const grids = explained(page).locator('.pair__cells');
  const shown = await grids.first().locator('.pair__cell').allTextContents();
  expect(shown.map(Number)).toEqual(taps.map(([row, col]) => x(row, col, 0)));
  await grids.nth(1).locator('.pair__cell').nth(5).hover();
  await expect.poll(() => explained(page).locator('.pair__cell--pointed').count()).toBe(2);
  expect(await text(page, '.term--pointed .term__names')).toBe('x[1,2,0] · w[1,2,0]');
  await explained(page).getByRole('button', { name: 'channel 2', exact: true }).click();
  await expect
    .poll(async () => (await grids.first().locator('.pair__cell').allTextContents()).map(Number))
    .toEqual(taps.map(([row, col]) => x(row, col, 2)));
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('pinning announces the sum, and the cells of the grid have the index names that the explanation uses', async () => {
  const { page, troubles } = await open('#h=4&w=4&kernel=3&stride=1&padding=1&x=ramp&weights=ones');
  await cellAt(page, 'y', 1, 2).click();
  await expect
    .poll(() => explained(page).getByRole('status').last().textContent())
    .toMatch(/^y\[1,2\] is \d+: the sum of 9 products$/);
  // After the ring of padding: x[0,0] is the first of its row.
  const cell = cellAt(page, 'x', 1, 1);
  expect(await cell.getAttribute('aria-colindex')).toBe('1');
  expect(await cell.locator('..').getAttribute('aria-rowindex')).toBe('1');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it.each([
  ['abc', '“abc” is not a number'],
  ['', 'No value was entered'],
  ['NaN', 'Enter a finite number'],
  ['1e400', 'too large'],
])('an invalid value (%s) shows its reason until the next edit', async (typed, why) => {
  const { page, troubles } = await open('#h=4&w=4&kernel=3&stride=1&padding=0&x=ramp&weights=ones');
  const before = await readNumbers(page, 'y');
  // In the grid: Enter keeps the invalid field open; leaving it clears the reason.
  await cellAt(page, 'x', 0, 1).click();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  if (typed) await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
  const note = page.locator('.edit-note');
  await note.getByText(why).waitFor();
  await page.getByRole('heading', { name: 'Controls' }).click();
  expect(await note.textContent()).toContain(why);
  await cellAt(page, 'x', 0, 2).click();
  await page.keyboard.press('Enter');
  await expect.poll(() => note.textContent()).toBe('');
  await page.keyboard.press('Escape');
  // In the panel.
  const field = explained(page).getByRole('textbox', { name: 'value of x[0,2]' });
  await field.fill(typed);
  await field.press('Enter');
  const alert = explained(page).getByRole('alert');
  await expect.poll(() => alert.textContent()).toContain(why);
  expect(await field.inputValue()).toBe('2');
  await field.fill('5');
  expect(await alert.textContent()).toBe('');
  expect(await readNumbers(page, 'y')).toEqual(before);
  await page.context().close();
  expect(troubles).toEqual([]);
});
