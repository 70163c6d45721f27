import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridOf, type MatrixForm, outputPositions, positionAt, windowCells } from '../../../web/src/geometry/grid';
import { toShown } from '../../../web/src/geometry/matrix';
import { box, regionHas } from '../../../web/src/geometry/region';
import { shownAreas } from '../../../web/src/geometry/shown-areas';
import { cellKind, isPaddingEntry } from '../../../web/src/geometry/window';
import type { Cell } from '../../../web/src/protocol/cell';
import { contains } from '../../../web/src/ui/grid/marks';
import { choiceOf, FOLLOWS } from '../../../web/src/views/lowering/choice';
import { linkedHighlightsOf } from '../../../web/src/views/lowering/linked-highlights';
import type { MatrixName } from '../../../web/src/views/lowering/matrix-products';
import { movingCopiesOf } from '../../../web/src/views/lowering/moving-copies';
import { sizingOf } from '../../../web/src/views/lowering/sizing';
import { arbitraryGeometry, descOf, geometryOf } from '../geometry/arbitrary-geometry';

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
        const { size } = gridOf(g, name);
        const one = { first: 0, step: 1, count: 1 };
        const region = box(g, name, { slice: one, row, col, channel: one });
        if (!region) return;
        const areas = shownAreas(g, region, name, 0, form);
        for (let r = 0; r < size.row; r += 1) {
          for (let c = 0; c < size.col; c += 1) {
            const plain = { slice: 0, row: r, col: c, channel: 0 };
            const at = toShown(g, name, plain, form);
            const covered = areas.some((area) => contains(area, at.row, at.col));
            expect(covered).toBe(regionHas(g, region, plain));
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
    const choice = choiceOf(whole, { part: 'nonsense', lane: 3, mode: '', rows: 99.4, folded: -1, order: true });
    expect(choice).toMatchObject({ part: 'unroll', product: { id: 'y' }, mode: 'sum', rows: 16, folded: 0 });
    expect(choice.form).toEqual({ order: 'kh_kw_c', transposed: false });
  });
});

describe('the size of a matrix on the page', () => {
  it('has values if they fit, else is a map with its short side fully visible', () => {
    expect(sizingOf(16, windowCells(whole), 400, 460)).toEqual({ kind: 'numbers', size: 27 });
    expect(sizingOf(50_176, 27, 420, 460)).toMatchObject({ kind: 'map', width: 351, height: 460, least: 13 });
    const lying = sizingOf(27, 50_176, 760, 460);
    expect(lying).toMatchObject({ kind: 'map', width: 752, height: 351 });
  });
});
