import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { breakKernel } from './support/broken-kernel';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { grid, readExact } from './support/grids';

// The convolution as a matrix: what is where, and what one sees of a row, a column and an entry.

let stage: Stage;

beforeAll(async () => {
  // One algorithm is wrong by x[0,0].
  stage = await openStage({
    patch: breakKernel({ pass: 'backward_data', algorithm: 'gather', slot: 'dx', error: 'x[0]' }),
  });
});
afterAll(() => closeStage(stage));

/** w is 9, 8, ..., 1 over a 4 x 4 x: the rows of C by hand. */
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
/** Row and column of the entry under the pointer or the keyboard, in the grid as it is shown. */
const entry = (of: Locator, row: number, col: number): Locator => of.locator(`[data-row="${row}"][data-col="${col}"]`);
/** Outlines of a tone in the panel of a tensor, as SVG paths. */
const marks = (page: Page, panel: string, tone: string): Promise<(string | null)[]> =>
  main(page)
    .locator(`.panel--${panel} .mark--${tone} .mark__line`)
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));

it('shows the matrix, its vectors, and what a row, a column and an entry are', async () => {
  const { page, troubles } = await openPage(stage, {}, FOUR);
  const matrix = grid(page, 'C');
  await matrix.waitFor();
  const shown = await matrix
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.map((cell) => [cell.textContent, cell.getAttribute('aria-label') === 'nothing']));
  expect(shown).toEqual(C.flat().map((value) => (value === 0 ? ['', true] : [String(value), false])));
  expect(await readExact(page, 'x in one row')).toEqual(await readExact(page, 'x'));
  expect(await readExact(page, 'y in one column')).toEqual(await readExact(page, 'y'));
  await expect.poll(() => badge(page).textContent()).toMatch(/⟨C x, dy⟩ = (\d+)⟨x, Cᵀ dy⟩ = \1The same/);

  // By mouse: an entry is where a row and a column meet.
  await entry(matrix, 2, 5).hover();
  await expect
    .poll(() => words(page).textContent())
    .toBe('Row 2 makes y[1,0], column 5 is x[1,1]. They meet through w[0,1].');
  await expect.poll(() => marks(page, 'w', 'source')).toHaveLength(1);
  await entry(matrix, 0, 3).click();
  await expect.poll(() => explain(page).textContent()).toContain('x[0,3] is not in the window of y[0,0]');
  await expect.poll(() => page.url()).toContain('cell=C.3');

  // By keyboard: the pinned cell comes along.
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => explain(page).getByRole('heading', { level: 2 }).textContent()).toBe('C[0,2] = 7');
  expect(await entry(matrix, 0, 2).getAttribute('aria-label')).toBe('C[0,2] = 7');
  await explain(page).getByRole('button', { name: 'x[0,2]' }).first().click();
  await expect
    .poll(() => words(page).textContent())
    .toBe('Column 2, with 2 entries, is where x[0,2] goes: the cells of y that hear it.');

  // The same problem turned over: a row of Cᵀ makes a cell of dx.
  await main(page).getByRole('radio', { name: 'dx = Cᵀ dy' }).check();
  const turned = grid(page, 'C transposed');
  await turned.waitFor();
  await expect.poll(() => page.url()).toContain('matrix.form=transposed');
  await grid(page, 'dx').locator('[data-row="1"][data-col="1"]').hover();
  await expect
    .poll(() => words(page).textContent())
    .toBe('Row 5 makes dx[1,1]: 4 entries, which times dy, and added, are its gradient.');
  const column = await turned
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-value')));
  expect(column.slice(20, 24).map(Number)).toEqual(C.map((row) => row[5]));
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('draws the matrix of a photo, 50,176 by 50,176, of which only what is in sight is looked up', async () => {
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
  // The last window: its middle is the last cell of x.
  await expect.poll(() => cell.getAttribute('aria-label')).toBe('C[50175,50175] = 5');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => cell.getAttribute('aria-label')).toBe('C[50175,50174] = 6');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await expect.poll(() => cell.getAttribute('aria-label')).toBe('C[50174,0]: nothing');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('says that a dx that is wrong in one cell is not Cᵀ dy', async () => {
  const { page, troubles } = await openPage(stage, {}, `${FOUR}&backward_data=gather`);
  // dx[0,0] is 1 too much, and so is x[0,0] times it.
  await expect.poll(() => badge(page).textContent()).toContain('1 apart: dx is not Cᵀ dy.');
  await page.context().close();
  expect(troubles).toEqual([]);
});
