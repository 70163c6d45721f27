import { expect, it } from 'vitest';
import { all, cellAt, exact, grid, nameOf, one, texts } from '../support/page/find';
import { address, open, usePage } from '../support/page/open';
import { choose, explained, headline, marks } from '../support/page/stage';
import { click, focus, hover, press } from '../support/page/user';
import { breakKernel } from '../support/page/worker';

// The convolution matrix: its entries, and the meaning of its rows, columns and entries.

usePage();

/** C for w = 9, 8, ..., 1 and x is 4 x 4: the rows of C, written out. */
const C = [
  [9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0, 0, 0, 0, 0],
  [0, 9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0, 0, 0, 0],
  [0, 0, 0, 0, 9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0],
  [0, 0, 0, 0, 0, 9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1],
];
const FOUR = '#h=4&kh=3&x=ramp:1&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=matrix';

const words = () => texts('main .player-words').join('');
const badge = () => one('note', 'adjoint test').textContent;
const block = (row: number, col: number, rows = 1, cols = 1) => ({ row, col, rows, cols });

it('shows C with its vectors and the meaning of its rows, columns and an entry', async () => {
  await open(FOUR);
  expect(
    all('gridcell', undefined, grid('C')).map((cell) => [
      cell.textContent,
      cell.getAttribute('aria-label') === 'nothing',
    ]),
  ).toEqual(C.flat().map((value) => (value === 0 ? ['', true] : [String(value), false])));
  expect(exact('x in one row')).toEqual(exact('x'));
  expect(exact('y in one column')).toEqual(exact('y'));
  expect(badge()).toMatch(/⟨C x, dy⟩ = (\d+)⟨x, Cᵀ dy⟩ = \1Equal/);

  // By mouse: an entry is at a row and a column.
  await hover(cellAt('C', 2, 5));
  expect(words()).toBe('Row 2 gives y[1,0], column 5 is x[1,1]. Their entry is w[0,1].');
  expect(marks('w', 'source')).toEqual([block(0, 1)]);
  await click(cellAt('C', 0, 3));
  expect(explained().textContent).toContain('x[0,3] is not in the window of y[0,0]');
  expect(await address()).toContain('cell=C.3');

  // By keyboard: the pinned cell moves too.
  await press('ArrowLeft');
  expect(headline()).toBe('C[0,2] = 7');
  expect(cellAt('C', 0, 2).getAttribute('aria-label')).toBe('C[0,2] = 7');
  await click(all('button', 'x[0,2]', explained())[0] as HTMLElement);
  expect(words()).toBe('Column 2 (2 entries) lists the cells of y that use x[0,2].');

  // The same problem transposed: a row of Cᵀ gives a cell of dx.
  await choose('dx = Cᵀ dy');
  expect(await address()).toContain('matrix.form=transposed');
  await hover(cellAt('dx', 1, 1));
  expect(words()).toBe('Row 5 holds the weights of dx[1,1] (4 entries): row 5 · dy = dx[1,1].');
  const entries = all('gridcell', undefined, grid('C transposed')).map((cell) => Number(cell.dataset['value']));
  expect(entries).toEqual(Array.from({ length: 64 }, (_, i) => C[i % 4]?.[Math.floor(i / 4)]));
});

it('draws the visible part of the 50,176 by 50,176 and computes only the visible part', async () => {
  await open('#h=224&w=224&kernel=3&padding=1&x=constant:1&weights=countdown:9&mode=matrix&cell=y.30000');
  expect(grid('C').getAttribute('aria-rowcount')).toBe('50176');
  const named = () => nameOf(one('gridcell', undefined, grid('C')));
  await focus(one('gridcell', undefined, grid('C')));
  await press('Control+End');
  // The last cell of x is in the middle of the last window.
  expect(named()).toBe('C[50175,50175] = 5');
  await press('ArrowLeft');
  expect(named()).toBe('C[50175,50174] = 6');
  await press('ArrowUp');
  await press('Home');
  expect(named()).toBe('C[50174,0]: nothing');
});

it('reports a dx with one wrong cell as different from Cᵀ dy', async () => {
  breakKernel({ pass: 'backward_data', algorithm: 'gather', slot: 'dx', error: 'x[0]' });
  await open(`${FOUR}&backward_data=gather`);
  // dx[0,0] is 1 too large, and so is its product with x[0,0].
  expect(badge()).toContain('Difference 1: dx is not Cᵀ dy.');
});
