import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { cellAt, gridOf, indexAt, isInside, positionAt, positionOf, remapCell } from '../../../web/src/geometry/grid';
import { fromShown, im2colRatio, shownGrid, toShown } from '../../../web/src/geometry/matrix';
import { terms } from '../../../web/src/geometry/terms';
import { shapeSize, wShape, xShape, yShape } from '../../../web/src/protocol/shapes';
import { arbitraryDesc, arbitraryGeometry, cellOf, descOf, GRIDS, geometryOf } from './arbitrary-geometry';

// Brute force is slow while other suites run.
vi.setConfig({ testTimeout: 30_000 });

const form = fc.record({
  order: fc.constantFrom('kh_kw_c' as const, 'c_kh_kw' as const),
  transposed: fc.boolean(),
});

describe('grids', () => {
  test('address every cell once', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        for (const name of GRIDS) {
          const grid = gridOf(g, name);
          expect(shapeSize(grid.shape)).toBe(grid.cells);
          const indices = Array.from({ length: grid.cells }, (_, index) => index);
          const found = indices.map((index) => positionAt(grid, index));
          expect(found.every((p) => isInside(grid, p))).toBe(true);
          expect(found.map((p) => indexAt(grid, p))).toEqual(indices);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('have the shapes of the descriptor', () => {
    fc.assert(
      fc.property(arbitraryDesc, (desc) => {
        const g = geometryOf(desc);
        expect(gridOf(g, 'x').shape).toEqual(xShape(desc));
        expect(gridOf(g, 'w').shape).toEqual(wShape(desc));
        expect(gridOf(g, 'y').shape).toEqual(yShape(desc));
      }),
    );
  });

  test('contain no position outside', () => {
    const g = geometryOf(descOf({}));
    expect(cellAt(g, 'x', { slice: 0, row: -1, col: 0, channel: 0 })).toBeNull();
    expect(cellAt(g, 'x', { slice: 0, row: 0, col: 7, channel: 0 })).toBeNull();
    expect(cellAt(g, 'x', { slice: 0, row: 1, col: 2, channel: 0 })).toEqual(cellOf('x', 9));
  });

  test('keep a cell at its position when sizes and layout change', () => {
    const from = geometryOf(descOf({ c: 2 }));
    const to = geometryOf(descOf({ c: 2, h: 5, w: 9, layout: 'nchw' }));
    const cell = cellOf('x', gridOf(from, 'x').stride.row * 4 + 1);
    const moved = remapCell(cell, from, to);
    expect(moved && positionOf(to, moved)).toEqual(positionOf(from, cell));
    expect(remapCell(cellOf('x', gridOf(from, 'x').stride.row * 6), from, to)).toBeNull();
  });
});

describe('the forms of a matrix', () => {
  test('show every cell once, with an inverse', () => {
    fc.assert(
      fc.property(arbitraryGeometry, form, fc.constantFrom(...GRIDS), (g, shown, name) => {
        const plain = gridOf(g, name);
        const grid = shownGrid(g, name, shown);
        const seen = new Set<number>();
        let wrong = 0;
        for (let index = 0; index < plain.cells; index += 1) {
          const p = positionAt(plain, index);
          const q = toShown(g, name, p, shown);
          if (isInside(grid, q)) seen.add(indexAt(grid, q));
          wrong += indexAt(plain, fromShown(g, name, q, shown)) === index ? 0 : 1;
        }
        expect(seen.size).toBe(plain.cells);
        expect(wrong).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  test('order the taps of a channel like unfold', () => {
    const g = geometryOf(descOf({ h: 2, w: 2, c: 2, kh: 2, kw: 2, stride_h: 1, stride_w: 1, padding_mode: 'valid' }));
    // The single row of x_col in c_kh_kw order: channel 0 of the four pixels, then channel 1.
    const row = Array.from({ length: 8 }, (_, col) => {
      const p = fromShown(g, 'x_col', { slice: 0, row: 0, col, channel: 0 }, { order: 'c_kh_kw', transposed: false });
      return terms(g, cellOf('x_col', p.col))?.index_a[0];
    });
    expect(row).toEqual([0, 2, 4, 6, 1, 3, 5, 7]);
  });

  test('have the expansion factor of im2col', () => {
    expect(im2colRatio(geometryOf(descOf({ h: 8, w: 8, stride_h: 1, stride_w: 1 })))).toBe(9);
  });
});
