import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverageOf, unreadOf } from '../../../web/src/geometry/axis';
import { gridOf } from '../../../web/src/geometry/grid';
import { stepCount, stepPosition } from '../../../web/src/geometry/steps';
import { OUTSIDE, terms } from '../../../web/src/geometry/terms';
import { cellKind, tapsInPadding, windowAt } from '../../../web/src/geometry/window';
import { arbitraryGeometry, bruteTerms, cellOf, descOf, geometryOf } from './arbitrary-geometry';

describe('the window', () => {
  test('matches the terms of the output cell', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        const misplaced = bruteTerms(g).filter((term) => {
          const row = Math.floor(term.matrix_row / g.ow) % g.oh;
          const { rows, cols } = windowAt(g, row, term.matrix_row % g.ow);
          const tap = Math.floor(term.matrix_col / g.group_c);
          const tapRow = rows.first + rows.step * Math.floor(tap / g.kw);
          const tapCol = cols.first + cols.step * (tap % g.kw);
          return tapRow !== term.padded[0] || tapCol !== term.padded[1];
        });
        expect(misplaced).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('counts its taps in the padding', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        for (let row = 0; row < g.oh; row += 1) {
          for (let col = 0; col < g.ow; col += 1) {
            const { stride } = gridOf(g, 'y');
            const page = terms(g, cellOf('y', row * stride.row + col * stride.col));
            expect(tapsInPadding(g, row, col) * g.group_c).toBe(page?.inPadding);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('zeros', () => {
  test('have a kind', () => {
    const g = geometryOf(descOf({ h: 8, w: 8, padding_mode: 'valid' }));
    // dy 3 x 3, stride 2: 5 x 5 with inserted zeros, 6 x 6 with the remainder, 10 x 10 with 2 around.
    expect(gridOf(g, 'dy_upsampled').shape).toEqual([1, 5, 5, 1]);
    expect(gridOf(g, 'dy_extended').shape).toEqual([1, 6, 6, 1]);
    expect(gridOf(g, 'dy_inserted').shape).toEqual([1, 10, 10, 1]);
    const kinds = [0, 22, 23, 27, 77, 78].map((index) => cellKind(g, cellOf('dy_inserted', index)));
    expect(kinds).toEqual(['padding', 'data', 'inserted', 'inserted', 'inserted', 'padding']);
    expect(cellKind(g, cellOf('x', 0))).toBe('data');
  });

  test('of x_padded and x_col are the cells that copy nothing', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        for (const name of ['x_padded', 'x_col'] as const) {
          const cells = Array.from({ length: gridOf(g, name).cells }, (_, index) => cellOf(name, index));
          const kinds = cells.map((cell) => (terms(g, cell)?.index_a[0] === OUTSIDE ? 'padding' : 'data'));
          expect(cells.map((cell) => cellKind(g, cell))).toEqual(kinds);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('coverage', () => {
  test('counts the pairs of tap and output that read a cell', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        const { rows, cols } = coverageOf(g);
        const counts = new Array<number>(g.h * g.w).fill(0);
        const { stride } = gridOf(g, 'x');
        // One sample, one filter, and its first channel.
        for (const term of bruteTerms(g)) {
          if (term.x === null || term.y % gridOf(g, 'y').stride.slice !== term.y) continue;
          if (term.matrix_col % g.group_c !== 0 || term.group !== 0) continue;
          const row = Math.floor(term.x / stride.row) % g.h;
          const col = Math.floor(term.x / stride.col) % g.w;
          counts[row * g.w + col] = (counts[row * g.w + col] ?? 0) + 1 / g.group_k;
        }
        counts.forEach((count, i) => {
          expect((rows[Math.floor(i / g.w)] ?? 0) * (cols[i % g.w] ?? 0)).toBeCloseTo(count, 9);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('distinguishes the remainder from rows skipped by the stride', () => {
    expect(unreadOf(geometryOf(descOf({ h: 8, padding_mode: 'valid' })), 'row')).toEqual({
      remainder: [7],
      skipped: [],
    });
    const gaps = geometryOf(descOf({ h: 8, kh: 1, stride_h: 3, padding_mode: 'valid' }));
    expect(unreadOf(gaps, 'row')).toEqual({ remainder: [7], skipped: [1, 2, 4, 5] });
  });
});

describe('steps', () => {
  const g = geometryOf(descOf({ n: 2, h: 8, padding_mode: 'valid' }));

  test('visit every position once', () => {
    for (const [process, tensor] of [
      ['forward', 'y'],
      ['dx_scatter', 'dy'],
      ['dx_gather', 'dx'],
      ['dx_full_conv', 'x'],
      ['dw_dilated_dy', 'dw_uncropped'],
    ] as const) {
      const total = stepCount(g, process);
      const grid = gridOf(g, tensor);
      expect(total).toBe(grid.cells);
      const visited = Array.from({ length: total }, (_, t) => {
        const { n, row, col } = stepPosition(g, process, t);
        return n * grid.stride.slice + row * grid.stride.row + col * grid.stride.col;
      });
      expect(visited).toEqual(Array.from({ length: total }, (_, index) => index));
    }
  });
});
