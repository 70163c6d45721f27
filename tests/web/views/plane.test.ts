import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridOf, positionAt, positionOf, validFocus } from '../../../web/src/geometry/grid';
import { sourcesOf, targetsOf } from '../../../web/src/geometry/links';
import type { TensorName } from '../../../web/src/protocol/problem';
import { valueAt } from '../../../web/src/ui/grid/grid-data';
import { linkedHighlightsOf } from '../../../web/src/views/im2col/Im2col';
import { cellOfSpot, gridData, marksOn, planeOf, spotOf } from '../../../web/src/views/shared/plane';
import { arbitraryGeometry, descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { contains } from '../support/area';

const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];
const tensor = fc.constantFrom(...TENSORS);
const focus = fc.record({ n: fc.nat(3), c: fc.nat(5), k: fc.nat(5) });

describe('a plane of a tensor', () => {
  it('shows exactly the cells of its slice and channel, each at its position', () => {
    fc.assert(
      fc.property(arbitraryGeometry, tensor, focus, (g, name, wanted) => {
        const plane = planeOf(g, name, validFocus(g, wanted));
        // Every cell holds its own index, so that a wrong stride is detected.
        const values = Float32Array.from({ length: gridOf(g, name).cells }, (_, i) => i);
        const data = gridData(plane, values);
        for (let row = 0; row < data.rows; row += 1) {
          for (let col = 0; col < data.cols; col += 1) {
            const cell = cellOfSpot(g, plane, { row, col });
            expect(cell).toEqual({ tensor: name, index: valueAt(data, { row, col }) });
            expect(cell && spotOf(plane, positionOf(g, cell))).toEqual({ row, col });
          }
        }
      }),
    );
  });

  it('has cells of x_padded around x, and none around dx', () => {
    const g = geometryOf(descOf({}));
    const corner = { row: -1, col: -1 };
    expect(cellOfSpot(g, planeOf(g, 'x', { n: 0, c: 0, k: 0 }), corner)).toEqual({ tensor: 'x_padded', index: 0 });
    expect(cellOfSpot(g, planeOf(g, 'dx', { n: 0, c: 0, k: 0 }), corner)).toBeNull();
  });
});

describe('marks', () => {
  it('cover in every plane the cells that a cell reads or is used by', () => {
    fc.assert(
      fc.property(arbitraryGeometry, tensor, fc.nat(), tensor, focus, (g, name, seed, shown, wanted) => {
        const grid = gridOf(g, name);
        const cell = { tensor: name, index: seed % grid.cells };
        const [sources, targets] = [sourcesOf(g, cell), targetsOf(g, cell)];
        const plane = planeOf(g, shown, validFocus(g, wanted));
        const marks = marksOn(g, plane, { cell, pinned: false, sources, targets, term: [] });
        const lit = (tone: string, row: number, col: number) =>
          marks.some((mark) => mark.tone === tone && contains(mark.area, row, col));
        for (const [tone, regions] of [
          ['source', sources],
          ['target', targets],
        ] as const) {
          const cells = regions.filter((region) => region.tensor === shown && region.kind === 'box');
          for (let row = 0; row < plane.rows; row += 1) {
            for (let col = 0; col < plane.cols; col += 1) {
              const at = cellOfSpot(g, plane, { row, col });
              const p = at && positionAt(gridOf(g, shown), at.index);
              const joined = cells.some(
                (region) =>
                  region.kind === 'box' &&
                  p &&
                  (['slice', 'row', 'col', 'channel'] as const).every((axis) => {
                    const { first, step, count } = region[axis];
                    return Array.from({ length: count }, (_, i) => first + i * step).includes(p[axis]);
                  }),
              );
              expect(lit(tone, row, col), `${tone} ${shown}[${row},${col}]`).toBe(joined);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('show the whole window of an output, including its part in the padding', () => {
    const g = geometryOf(descOf({}));
    const cell = { tensor: 'y', index: 0 } as const;
    const plane = planeOf(g, 'x', { n: 0, c: 0, k: 0 });
    const marks = marksOn(g, plane, { cell, pinned: true, sources: sourcesOf(g, cell), targets: [], term: [] });
    const window = marks.find(({ tone }) => tone === 'source');
    expect(window?.area).toEqual({ row: -1, col: -1, rows: 3, cols: 3, rowStep: 1, colStep: 1 });
  });

  it.each([
    ['a pixel', 4, { row: 0, col: 0 }],
    ['the padding', 0, { row: -1, col: -1 }],
  ])('include, for an entry of x_col, %s that it copies', (_, index, at) => {
    const sides = { top: 1, bottom: 1, left: 1, right: 1 };
    const g = geometryOf(descOf({ h: 4, w: 4, c: 1, k: 1, kh: 3, kw: 3, padding: sides }));
    const focus = { n: 0, c: 0, k: 0 };
    for (const follow of ['row', 'column', 'copies'] as const) {
      const { highlights } = linkedHighlightsOf(g, { tensor: 'x_col', index }, follow, focus, 0);
      const term = marksOn(g, planeOf(g, 'x', focus), highlights).filter(({ tone }) => tone === 'term');
      expect(term.map(({ area: { row, col, rows, cols } }) => [{ row, col }, rows * cols])).toEqual([[at, 1]]);
    }
  });

  it('hatch the rows of the remainder', () => {
    const g = geometryOf(descOf({ h: 8, w: 7, padding: { top: 0, bottom: 0, left: 0, right: 0 } }));
    for (const name of ['x', 'dx'] as const) {
      const unread = marksOn(g, planeOf(g, name, { n: 0, c: 0, k: 0 }), null).filter(({ tone }) => tone === 'unread');
      expect(unread.map(({ area }) => area)).toEqual([{ row: 7, col: 0, rows: 1, cols: 7, rowStep: 1, colStep: 1 }]);
    }
  });
});
