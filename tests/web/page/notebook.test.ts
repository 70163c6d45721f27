import { describe, expect, it } from 'vitest';
import {
  imagePlane,
  kernelPlane,
  linkTo,
  type NotebookCase,
  planeName,
  TESTED_CASES,
} from '../../e2e/support/notebook';
import { all, exact, grid, hasGrid, numberIn, one, texts } from '../support/page/find';
import { DESKTOP, open, usePage } from '../support/page/open';
import { choose, openMode, slider } from '../support/page/stage';
import { focus, press, pressQuickly } from '../support/page/user';

// One test per view and notebook case. The expected values come from an independent implementation.

usePage();

/** Large enough for the values of all matrices. */
const LARGE = { ...DESKTOP, room: { width: 1600, height: 1800 } };

async function walk(one: NotebookCase, tab: string): Promise<HTMLElement> {
  await open(linkTo(one), LARGE);
  return openMode(tab);
}

/** The notebook's values of the planes in focus: channel 0, filter 0, and the last image. */
function planes(one: NotebookCase, n: number) {
  const w = kernelPlane(one.dw, one.w_shape, 0, 0);
  return { y: imagePlane(one.y, one.y_shape, n, 0), dx: imagePlane(one.dx, one.x_shape, n, 0), dw: w, db: one.db };
}

/** Cells that a keyboard reads in a reasonable time. */
const MOST_KEYS = 160;

/** An im2col matrix row by row, however it is drawn. A map is read by keyboard, a large one only in its first column. */
async function matrix(name: string, most = MOST_KEYS): Promise<number[][]> {
  const isTransposed = hasGrid(`${name} transposed`);
  const found = grid(isTransposed ? `${name} transposed` : name);
  const sizes = ['aria-rowcount', 'aria-colcount'].map((size) => Number(found.getAttribute(size)));
  const [rows = 0, cols = 0] = isTransposed ? sizes.reverse() : sizes;
  const cells = all('gridcell', undefined, found);
  if (cells.length > 1) {
    const values = exact(isTransposed ? `${name} transposed` : name);
    const at = (row: number, col: number) => values[isTransposed ? col * rows + row : row * cols + col] ?? Number.NaN;
    return Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_cell, col) => at(row, col)));
  }
  const [next, across] = isTransposed ? (['ArrowRight', 'ArrowDown'] as const) : (['ArrowDown', 'ArrowRight'] as const);
  const lines: number[][] = Array.from({ length: rows }, () => []);
  const cell = () => one('gridcell', undefined, found);
  await focus(cell());
  for (let col = 0; col < (rows * cols <= most ? cols : 1); col += 1) {
    await pressQuickly('Control+Home');
    for (let i = 0; i < col; i += 1) await pressQuickly(across);
    for (const line of lines) {
      line.push(Number(cell().dataset['value']));
      await pressQuickly(next);
    }
  }
  return lines;
}

const inRows = (values: readonly number[], cols: number): number[][] =>
  Array.from({ length: values.length / cols }, (_, row) => values.slice(row * cols, (row + 1) * cols));

/** The read part of a row is the start of each correct row. */
const expectRows = (found: readonly number[][], right: readonly number[][]) =>
  expect(found).toEqual(right.map((row, i) => row.slice(0, found[i]?.length)));

describe.each(TESTED_CASES.map((each) => [each.name, each] as const))('case %s', (_, each) => {
  const last = each.x_shape[0] - 1;
  const ends = planes(each, last);

  /** The player of a choice, from 0 to the gradient. */
  async function play(view: HTMLElement, choice: string, process: string, result: 'dx' | 'dw' | 'db'): Promise<void> {
    await choose(choice, view);
    await press('Home', slider(`steps of ${process}`));
    expect(exact(planeName(result, each, { n: 0 })), choice).toEqual(ends[result].map(() => 0));
    await press('End', slider(`steps of ${process}`));
    expect(exact(planeName(result, each, { n: last })), choice).toEqual(ends[result]);
  }

  it('dx goes from 0 to the gradient by scatter and gather, and matches in the full convolution and the phase split', async () => {
    const view = await walk(each, 'dx');
    await play(view, 'scatter', 'dx by scatter', 'dx');
    await play(view, 'gather', 'dx by gather', 'dx');
    await choose('full convolution', view);
    await press('End', slider('steps of the full convolution'));
    expect(exact(planeName('dx', each, { n: last }))).toEqual(ends.dx);
    await choose('phase split', view);
    expect(exact(planeName('dx', each))).toEqual(planes(each, 0).dx);
  });

  it('dw and db go from 0 to the gradient, and dw matches in three algorithms', async () => {
    const view = await walk(each, 'dw & db');
    await play(view, 'window by window', 'dw adds up', 'dw');
    await play(view, 'db', 'db adds up', 'db');
    await choose('matrix product', view);
    // dw_col has the weights of a group in HWIO order.
    expect((await matrix('dw_col')).flat()).toEqual(each.dw);
    await choose('x convolved with dy', view);
    await press('End', slider('positions of dy on x'));
    expect(exact('dw_uncropped')).toEqual(ends.dw);
    await choose('grouped', view);
    const images = Array.from({ length: last + 1 }, (_image, n) => exact(`dw of image ${n}`));
    const sums = ends.dw.map((_value, i) => images.reduce((sum, image) => sum + (image[i] ?? Number.NaN), 0));
    expect(sums).toEqual(ends.dw);
  });

  it('matches in the products of im2col, and in col2im, in which rows add up', async () => {
    const view = await walk(each, 'im2col');
    const k = each.w_shape[3];
    await choose('2 Three products', view);
    // The bias is added after the product.
    expectRows(
      await matrix('y_col'),
      inRows(
        each.y.map((value, i) => value - (each.b?.[i % k] ?? 0)),
        k,
      ),
    );
    await choose('dw_col = x_colᵀ · dy_col', view);
    // All of its columns are read as a result of the view of dw.
    expectRows(await matrix('dw_col', 1), inRows(each.dw, k));
    await choose('3 col2im', view);
    const player = () => slider('rows of dx_col added to dx');
    expect(exact(planeName('dx', each, { n: 0 }))).toEqual(planes(each, 0).dx);
    await press('Home', player());
    expect(exact(planeName('dx', each, { n: 0 }))).toEqual(ends.dx.map(() => 0));
    await press('End', player());
    expect(exact(planeName('dx', each, { n: last }))).toEqual(ends.dx);
    // A difference from the reference would be shown.
    expect(texts('.badge', view)).toEqual([]);
  });

  it('matches in the gradient check', async () => {
    const view = await walk(each, 'Gradient check');
    for (const [name, values] of Object.entries({ dx: each.dx, dw: each.dw, db: each.db })) {
      await choose(name, view);
      const row = one('row', new RegExp(`^backward pass, ${name}\\[`), view);
      const [float32, float64] = texts('td', row).map(numberIn);
      // The cell with the largest gradient of its plane; those of a plane are not all negative.
      const most = Math.max(...(name === 'db' ? values.slice(0, 1) : planes(each, 0)[name as 'dx' | 'dw']));
      expect([float32, float64]).toEqual([most, most]);
    }
  });
});
