import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areasInForm } from '../../../web/src/geometry/forms';
import {
  box,
  gridOf,
  type MatrixForm,
  outputPositions,
  positionAt,
  regionIndices,
  windowCells,
} from '../../../web/src/geometry/grid';
import { toShown } from '../../../web/src/geometry/matrix';
import { cellKind, isPaddingEntry } from '../../../web/src/geometry/window';
import type { Cell } from '../../../web/src/protocol/problem';
import { FOLLOWS, loweringChoice, PRODUCTS } from '../../../web/src/views/im2col/choice';
import { linkedHighlightsOf } from '../../../web/src/views/im2col/Im2col';
import { MATRIX_LIMITS } from '../../../web/src/views/im2col/MatrixPanel';
import { C_LIMITS } from '../../../web/src/views/matrix/ConvMatrix';
import { fitGrid } from '../../../web/src/views/shared/fit-grid';
import { type MatrixName, shownProduct } from '../../../web/src/views/shared/matrix-product';
import { layoutStage } from '../../../web/src/views/shared/stage/layout';
import { arbitraryGeometry, descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { contains } from '../support/area';

const arbitraryForm = fc.record<MatrixForm>({
  order: fc.constantFrom('kh_kw_c', 'c_kh_kw'),
  transposed: fc.boolean(),
});
const arbitraryName = fc.constantFrom<MatrixName>('x_col', 'w_col', 'y_col', 'dy_col', 'dx_col', 'dw_col');
const whole = geometryOf(descOf({}));
const FOCUS = { n: 0, c: 0, k: 0 };

describe('areas of a matrix in any form', () => {
  it('cover exactly the cells of the region', () => {
    const range = fc.record({
      first: fc.nat(3),
      step: fc.integer({ min: 1, max: 2 }),
      count: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(arbitraryGeometry, arbitraryName, arbitraryForm, range, range, (g, name, form, row, col) => {
        const { size, stride } = gridOf(g, name);
        const one = { first: 0, step: 1, count: 1 };
        const region = box(g, name, { slice: one, row, col, channel: one });
        if (!region) return;
        const cells = new Set(regionIndices(g, region));
        const areas = areasInForm(g, region, name, 0, 0, form);
        for (let r = 0; r < size.row; r += 1) {
          for (let c = 0; c < size.col; c += 1) {
            const plain = { slice: 0, row: r, col: c, channel: 0 };
            const at = toShown(g, name, plain, form);
            const covered = areas.some((area) => contains(area, at.row, at.col));
            expect(covered).toBe(cells.has(r * stride.row + c * stride.col));
          }
        }
      }),
    );
  });
});

describe('entries of x_col that come from the padding', () => {
  it('are determined by their indices', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        const grid = gridOf(g, 'x_col');
        for (let index = 0; index < grid.cells; index += 1) {
          const { row, col } = positionAt(grid, index);
          expect(isPaddingEntry(g, row, col)).toBe(cellKind(g, { tensor: 'x_col', index }) === 'padding');
        }
      }),
    );
  });
});

describe('the linked brush', () => {
  it('highlights the window of a row, the weight of a column and the copies of a pixel', () => {
    // Row 5 is y[1,1] and column 4 the middle weight: a copy of x[2,2] = 16.
    const cell: Cell = { tensor: 'x_col', index: 5 * 9 + 4 };
    const [row, column, copies] = FOLLOWS.map(({ value }) => linkedHighlightsOf(whole, cell, value, FOCUS, 0));
    expect(row?.sentence).toContain('Row 5 of x_col is the window of y[1,1]');
    expect(column?.sentence).toContain('every pixel that w[1,1] multiplies');
    expect(copies?.sentence).toBe('x[2,2] is in x_col once: one window reads it.');
    expect(row?.highlights.sources.find(({ tensor }) => tensor === 'x_padded')).toMatchObject({
      row: { first: 2, step: 1, count: 3 },
      col: { first: 2, step: 1, count: 3 },
    });
    expect(column?.highlights.sources.find(({ tensor }) => tensor === 'x_padded')).toMatchObject({
      row: { first: 1, step: 2, count: 4 },
      col: { first: 1, step: 2, count: 4 },
    });
  });

  it('counts the copies of a pixel in several windows', () => {
    const pixel: Cell = { tensor: 'x', index: 1 * 7 + 1 };
    const brush = linkedHighlightsOf(whole, pixel, 'row', FOCUS, 0);
    expect(brush.sentence).toContain('4 times');
    expect(brush.highlights.targets).toMatchObject([{ tensor: 'x_col', count: 4 }]);
  });

  it('always has highlights', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.constantFrom(...FOLLOWS), (g, { value }) => {
        const brush = linkedHighlightsOf(g, null, value, FOCUS, outputPositions(g) - 1);
        expect(brush.sentence).toMatch(/\.$/);
        expect(brush.focus.c).toBeLessThan(g.c);
      }),
    );
  });
});

describe('the choice', () => {
  it('ignores invalid values of a link', () => {
    const choice = loweringChoice(whole, { part: 'nonsense', lane: 3, mode: '', rows: 99.4, folded: -1, order: true });
    expect(choice).toMatchObject({ part: 'unroll', product: { id: 'y' }, mode: 'sum', rows: 16, folded: 0 });
    expect(choice.form).toEqual({ order: 'kh_kw_c', transposed: false });
  });
});

describe('the size of a grid on the page', () => {
  const room = { width: 400, height: 522 };

  it('of a tensor has values if they fit, else is a map of the whole', () => {
    expect(fitGrid(room, 9, 9)).toEqual({ kind: 'numbers', size: 43 });
    expect(fitGrid(room, 2, 2)).toEqual({ kind: 'numbers', size: 44 });
    expect(fitGrid(room, 98, 196)).toEqual({ kind: 'map', width: 392, height: 196, least: 0 });
  });

  it('of a matrix has values beside their labels, else is a map with its short side fully visible', () => {
    expect(fitGrid(room, 16, windowCells(whole), MATRIX_LIMITS)).toEqual({ kind: 'numbers', size: 28 });
    const standing = fitGrid({ ...room, width: 420 }, 50_176, 27, MATRIX_LIMITS);
    // 420 px without 8 for the frame and 50 for the overview.
    expect(standing).toEqual({ kind: 'map', width: 362, height: 460, least: 362 / 27 });
    const lying = fitGrid({ ...room, width: 760 }, 27, 50_176, MATRIX_LIMITS);
    // The room's 460 px of height without 52 for the overview.
    expect(lying).toEqual({ kind: 'map', width: 752, height: 408, least: 408 / 27 });
  });

  it('of C leaves room for its vectors, else is a large part with values, else a map of its whole pattern while an entry has a pixel', () => {
    // 392 px without 32 for the sign and the frame of y: 14 or 15 columns.
    expect(fitGrid(room, 9, 13, C_LIMITS)).toEqual({ kind: 'numbers', size: 25 });
    expect(fitGrid(room, 9, 14, C_LIMITS)).toEqual({ kind: 'numbers', size: 24 });
    // A map has 56 beside it and 32 above: 336 px are 14 columns, which is three tenths of 46, but less of 48.
    expect(fitGrid(room, 9, 16, C_LIMITS)).toEqual({ kind: 'map', width: 14 * 24, height: 9 * 24, least: 24 });
    expect(fitGrid(room, 9, 46, C_LIMITS)).toEqual({ kind: 'map', width: 14 * 24, height: 9 * 24, least: 24 });
    expect(fitGrid(room, 9, 48, C_LIMITS)).toMatchObject({ kind: 'map', width: 336, least: 0 });
    expect(fitGrid(room, 336, 336, C_LIMITS)).toEqual({ kind: 'map', width: 336, height: 336, least: 0 });
    expect(fitGrid(room, 784, 784, C_LIMITS)).toEqual({ kind: 'map', width: 286, height: 428, least: 3 });
  });
});

describe('a product of matrices on the page', () => {
  const DW = PRODUCTS.find(({ c }) => c.name === 'dw_col') ?? PRODUCTS[0];
  const drawn = (h: number, width: number, height: number) => {
    const g = geometryOf(
      descOf({ h, w: h, c: 1, k: 1, kh: 3, kw: 3, padding_mode: 'valid', stride_h: 1, stride_w: 1 }),
    );
    return shownProduct(g, DW, layoutStage(g, false, { width, height }));
  };

  it('is in one row, with the values of all three matrices, on a low stage', () => {
    // x is 5 x 5: 9 rows of 24 px, with 36 for a title and a frame, are 252 px high; one above the other they need 504.
    expect(drawn(5, 828, 257)).toMatchObject({ inRow: true, cell: 24 });
    expect(drawn(5, 828, 257).seen).toEqual({ rows: 9, cols: 1, inner: 9 });
  });

  it('lets row and column meet in the result where that costs no figures', () => {
    expect(drawn(5, 696, 560)).toMatchObject({ inRow: false, seen: { rows: 9, cols: 1, inner: 9 } });
  });

  it('has the operands of its formula, also where the transpose had larger cells', () => {
    const { a, b, c } = drawn(4, 696, 560);
    expect([c, a, b].map(({ name, transposed }) => [name, transposed])).toEqual([
      ['dw_col', false],
      ['x_col', true],
      ['dy_col', false],
    ]);
  });
});
