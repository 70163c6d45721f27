import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenPage, openPage, useStage } from './support/browser';
import { cellAt, grid, readNumbers, typeInto } from './support/grids';
import { openMode } from './support/modes';

const stage = useStage();
let open: OpenPage;
let view: Locator;

beforeEach(async () => {
  open = await openPage(stage);
  await grid(open.page, 'dx').waitFor();
  view = await openMode(open.page, 'dy and loss');
});
afterEach(async () => {
  const troubles = [...open.troubles];
  await open.page.context().close();
  expect(troubles).toEqual([]);
});

const ones = (count: number) => Array.from({ length: count }, () => 1);
const choose = (name: string) => view.getByRole('radio', { name, exact: true }).check();
const shows = (page: Page, name: string, expected: readonly number[]) =>
  expect.poll(() => readNumbers(page, name), { message: name }).toEqual(expected);

it('moves the single 1 of dy to a clicked cell, so that dx is w in its window', async () => {
  const { page } = open;
  await choose('a single 1');
  await cellAt(page, 'dy', 1, 1).click();
  await shows(page, 'dy', [...Array(5).fill(0), 1, ...Array(10).fill(0)]);
  // Its window starts at row 1, column 1 of x.
  const dx: number[] = Array(49).fill(0);
  [12, 11, 10, 9, 8, 7, 6, 5, 4].forEach((tap, i) => {
    dx[(1 + Math.floor(i / 3)) * 7 + 1 + (i % 3)] = tap;
  });
  await shows(page, 'dx', dx);
  await shows(page, 'dx', dx);
});

it('paints −1 on a dy of ones by default', async () => {
  const { page } = open;
  await choose('painted');
  await shows(page, 'dy', ones(16));
  await cellAt(page, 'dy', 0, 1).click();
  await shows(page, 'dy', [1, -1, ...ones(14)]);
  await shows(page, 'db', [14]);
});

it('paints by dragging and by key, with one undo step per stroke', async () => {
  const { page } = open;
  await choose('painted');
  await shows(page, 'dy', ones(16));
  await view.getByRole('radio', { name: '−1', exact: true }).check();
  const from = await cellAt(page, 'dy', 1, 0).boundingBox();
  const to = await cellAt(page, 'dy', 1, 3).boundingBox();
  if (!from || !to) throw new Error('dy is not on the page');
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  // In one pointer move: the cells in between are painted too.
  await page.mouse.move(to.x + 5, to.y + 5, { steps: 1 });
  await page.mouse.up();
  const stroke = [...ones(4), -1, -1, -1, -1, ...ones(8)];
  await shows(page, 'dy', stroke);
  await shows(page, 'db', [8]);

  await cellAt(page, 'dy', 3, 3).focus();
  await page.keyboard.press(' ');
  await shows(page, 'dy', [...stroke.slice(0, 15), -1]);
  await page.keyboard.press('ControlOrMeta+z');
  await shows(page, 'dy', stroke);
  await page.keyboard.press('ControlOrMeta+z');
  await shows(page, 'dy', ones(16));

  await view.getByRole('button', { name: 'Clear' }).click();
  await shows(page, 'dx', Array(49).fill(0));
});

it('has dy = 0 with y as the target, until w changes', async () => {
  const { page } = open;
  await choose('squared error');
  await view.getByRole('button', { name: 'Use y as the target' }).click();
  await shows(page, 'dy', Array(16).fill(0));
  await shows(page, 'target', await readNumbers(page, 'y'));
  // w[1,1] from 8 to 24 adds 16 x to y, and dy is the difference divided by the 16 cells of y: x.
  await typeInto(page, cellAt(page, 'w', 1, 1), '24');
  await shows(page, 'dy', [0, 2, 4, 6, 14, 16, 18, 20, 28, 30, 32, 34, 42, 44, 46, 48]);
});

it('draws dx over a photo, and w and dw in the same colors on request', async () => {
  const { page } = open;
  await page.getByRole('button', { name: 'Portrait' }).click();
  await view.getByRole('img', { name: 'dx, channel 0, over the photo x' }).waitFor();
  const colors = () => cellAt(page, 'dw', 0, 0).evaluate((cell) => cell.style.background);
  await grid(page, 'dw').waitFor();
  const own = await colors();
  await view.getByRole('checkbox', { name: 'same colors for w and dw' }).check();
  await expect.poll(colors).not.toBe(own);
});
