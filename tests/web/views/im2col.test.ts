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
import { movingCopiesOf } from '../../../web/src/views/im2col/CopyAnimation';
import { FOLLOWS, loweringChoice } from '../../../web/src/views/im2col/choice';
import { linkedHighlightsOf } from '../../../web/src/views/im2col/Im2col';
import { MATRIX_LIMITS } from '../../../web/src/views/im2col/MatrixPanel';
import { C_LIMITS } from '../../../web/src/views/matrix/ConvMatrix';
import { fitGrid } from '../../../web/src/views/shared/fit-grid';
import type { MatrixName } from '../../../web/src/views/shared/matrix-product';
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

describe('the animation of col2im', () => {
  it('omits the padding and ends at the pixel', () => {
    const rows = outputPositions(whole);
    const data = Float32Array.from({ length: rows * 9 }, (_, i) => i);
    const dx_col = { shape: [1, rows, 9, 1] as const, data, stats: { min: 0, max: 0, max_abs: 0, not_finite: 0 } };
    const flyers = movingCopiesOf(whole, dx_col, 0, 0);
    expect(flyers.map(({ fromCol, toRow, toCol, text }) => [fromCol, toRow, toCol, text])).toEqual([
      [4, 0, 0, '4'],
      [5, 0, 1, '5'],
      [7, 1, 0, '7'],
      [8, 1, 1, '8'],
    ]);
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
    expect(fitGrid(room, 9, 13, C_LIMITS)).toEqual({ kind: 'numbers', size: 26 });
    expect(fitGrid(room, 9, 14, C_LIMITS)).toEqual({ kind: 'numbers', size: 24 });
    expect(fitGrid(room, 9, 16, C_LIMITS)).toEqual({ kind: 'map', width: 16 * 24, height: 9 * 24, least: 24 });
    // 392 px: 16.3 columns, which is three tenths of 54, but less of 55.
    expect(fitGrid(room, 9, 54, C_LIMITS)).toEqual({ kind: 'map', width: 16 * 24, height: 9 * 24, least: 24 });
    expect(fitGrid(room, 9, 55, C_LIMITS)).toMatchObject({ kind: 'map', width: 392, least: 0 });
    expect(fitGrid(room, 392, 392, C_LIMITS)).toEqual({ kind: 'map', width: 392, height: 392, least: 0 });
    expect(fitGrid(room, 784, 784, C_LIMITS)).toEqual({ kind: 'map', width: 342, height: 460, least: 3 });
  });
});
