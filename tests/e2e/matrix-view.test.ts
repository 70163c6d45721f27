import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { breakKernel } from './support/broken-kernel';
import { openPage, useStage } from './support/browser';
import { grid, readExact } from './support/grids';

// The convolution matrix: its entries, and the meaning of its rows, columns and entries.

// The result of one algorithm has an error of x[0,0].
const stage = useStage({
  patch: breakKernel({ pass: 'backward_data', algorithm: 'gather', slot: 'dx', error: 'x[0]' }),
});

/** C for w = 9, 8, ..., 1 and x is 4 x 4: the rows of C, written out. */
const C = [
  [9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0, 0, 0, 0, 0],
  [0, 9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0, 0, 0, 0],
  [0, 0, 0, 0, 9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0],
  [0, 0, 0, 0, 0, 9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1],
];
const FOUR = '#h=4&kh=3&x=ramp:1&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=matrix';

const main = (page: Page): Locator => page.getByRole('main');
const words = (page: Page): Locator => main(page).locator('.player-words');
const badge = (page: Page): Locator => main(page).getByRole('note', { name: 'adjoint test' });
const explain = (page: Page): Locator => page.getByRole('complementary', { name: 'Explain' });
/** The entry of C at a row and a column of the displayed grid. */
const entry = (of: Locator, row: number, col: number): Locator => of.locator(`[data-row="${row}"][data-col="${col}"]`);
/** The outlines of a tone in the panel of a tensor, as SVG paths. */
const marks = (page: Page, panel: string, tone: string): Promise<(string | null)[]> =>
  main(page)
    .locator(`.panel--${panel} .mark--${tone} .mark__line`)
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));

it('shows C with its vectors and the meaning of its rows, columns and an entry', async () => {
  const { page, troubles } = await openPage(stage, {}, FOUR);
  const matrix = grid(page, 'C');
  await matrix.waitFor();
  const shown = await matrix
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.map((cell) => [cell.textContent, cell.getAttribute('aria-label') === 'nothing']));
  expect(shown).toEqual(C.flat().map((value) => (value === 0 ? ['', true] : [String(value), false])));
  expect(await readExact(page, 'x in one row')).toEqual(await readExact(page, 'x'));
  expect(await readExact(page, 'y in one column')).toEqual(await readExact(page, 'y'));
  await expect.poll(() => badge(page).textContent()).toMatch(/⟨C x, dy⟩ = (\d+)⟨x, Cᵀ dy⟩ = \1Equal/);

  // By mouse: an entry is at a row and a column.
  await entry(matrix, 2, 5).hover();
  await expect
    .poll(() => words(page).textContent())
    .toBe('Row 2 gives y[1,0], column 5 is x[1,1]. Their entry is w[0,1].');
  await expect.poll(() => marks(page, 'w', 'source')).toHaveLength(1);
  await entry(matrix, 0, 3).click();
  await expect.poll(() => explain(page).textContent()).toContain('x[0,3] is not in the window of y[0,0]');
  await expect.poll(() => page.url()).toContain('cell=C.3');

  // By keyboard: the pinned cell moves too.
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => explain(page).getByRole('heading', { level: 2 }).textContent()).toBe('C[0,2] = 7');
  expect(await entry(matrix, 0, 2).getAttribute('aria-label')).toBe('C[0,2] = 7');
  await explain(page).getByRole('button', { name: 'x[0,2]' }).first().click();
  await expect.poll(() => words(page).textContent()).toBe('Column 2 (2 entries) lists the cells of y that use x[0,2].');

  // The same problem transposed: a row of Cᵀ gives a cell of dx.
  await main(page).getByRole('radio', { name: 'dx = Cᵀ dy' }).check();
  const transposed = grid(page, 'C transposed');
  await transposed.waitFor();
  await expect.poll(() => page.url()).toContain('matrix.form=transposed');
  await grid(page, 'dx').locator('[data-row="1"][data-col="1"]').hover();
  await expect
    .poll(() => words(page).textContent())
    .toBe('Row 5 holds the weights of dx[1,1] (4 entries): row 5 · dy = dx[1,1].');
  const column = await transposed
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-value')));
  expect(column.slice(20, 24).map(Number)).toEqual(C.map((row) => row[5]));
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('draws the visible part of the 50,176 by 50,176 and computes only the visible part', async () => {
  const { page, troubles } = await openPage(
    stage,
    {},
    '#h=224&w=224&kernel=3&padding=1&x=constant:1&weights=countdown:9&mode=matrix&cell=y.30000',
  );
  const matrix = grid(page, 'C');
  await matrix.waitFor();
  expect(await matrix.getAttribute('aria-rowcount')).toBe('50176');
  const cell = matrix.getByRole('gridcell');
  await cell.focus();
  await page.keyboard.press('Control+End');
  // The last cell of x is in the middle of the last window.
  await expect.poll(() => cell.getAttribute('aria-label')).toBe('C[50175,50175] = 5');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => cell.getAttribute('aria-label')).toBe('C[50175,50174] = 6');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await expect.poll(() => cell.getAttribute('aria-label')).toBe('C[50174,0]: nothing');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('reports a dx with one wrong cell as different from Cᵀ dy', async () => {
  const { page, troubles } = await openPage(stage, {}, `${FOUR}&backward_data=gather`);
  // dx[0,0] is 1 too large, and so is its product with x[0,0].
  await expect.poll(() => badge(page).textContent()).toContain('Difference 1: dx is not Cᵀ dy.');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('uses the whole stage for a map', async () => {
  const hash = '#v=2&h=7&w=7&c=3&k=4&kh=3&kw=3&padding=same&x=random:3&weights=random:5&mode=matrix';
  const { page } = await openPage(stage, { viewport: { width: 1920, height: 1080 } }, hash);
  const map = page.locator('.panel--C canvas').first();
  await map.waitFor();
  const [c, room] = [await map.boundingBox(), await page.locator('.stage__room').boundingBox()];
  expect(c?.height).toBeGreaterThan(0.85 * (room?.height ?? 9999));
  await page.context().close();
});
