import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  entriesOfWeight,
  inputOfC,
  lineOfC,
  NOTHING,
  outputOfC,
  runsOfRow,
  weightAt,
  weightIndexOf,
} from '../../../web/src/geometry/conv-matrix';
import { gridOf, indexAt, positionAt, regionIndices } from '../../../web/src/geometry/grid';
import { sourcesOf, targetsOf } from '../../../web/src/geometry/links';
import type { Geometry } from '../../../web/src/protocol/problem';
import { arbitraryGeometry, bruteTerms, cellOf, descOf, geometryOf } from './arbitrary-geometry';

// Brute force is slow while other suites run.
vi.setConfig({ testTimeout: 30_000 });

/** C of image 0 from the loops of the definition: the weight index of each entry, row by row. */
function bruteC(g: Geometry): Int32Array {
  const [rows, cols] = [g.oh * g.ow * g.k, g.h * g.w * g.c];
  const entries = new Int32Array(rows * cols).fill(NOTHING);
  for (const { x, w, y } of bruteTerms({ ...g, n: 1 })) if (x !== null) entries[y * cols + x] = w;
  return entries;
}

const LARGE = geometryOf(
  descOf({ h: 224, w: 224, c: 1, k: 1, kh: 3, kw: 3, stride_h: 1, stride_w: 1, padding_mode: 'same' }),
);

describe('C', () => {
  test('has the weights of the loops of the definition, and no others', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        const { row: rows, col: cols } = gridOf(g, 'C').size;
        expect([rows, cols, gridOf(g, 'C').cells]).toEqual([g.oh * g.ow * g.k, g.h * g.w * g.c, rows * cols]);
        const indexOf = weightIndexOf(g);
        const w = gridOf(g, 'w');
        const made = new Int32Array(rows * cols);
        const named = new Int32Array(rows * cols);
        for (let row = 0; row < rows; row += 1) {
          for (let col = 0; col < cols; col += 1) {
            made[row * cols + col] = indexOf(row, col);
            const weight = weightAt(g, row, col);
            named[row * cols + col] = weight ? indexAt(w, weight) : NOTHING;
          }
        }
        expect(made).toEqual(bruteC(g));
        expect(named).toEqual(made);
      }),
      { numRuns: 60 },
    );
  });

  test('computes entries of a photo without storing 50,176 x 50,176 of them', () => {
    const { cells } = gridOf(LARGE, 'C');
    expect(cells).toBe(50_176 ** 2);
    const indexOf = weightIndexOf(LARGE);
    const held: number[] = [];
    for (let col = 0; col < 50_176; col += 1) if (indexOf(30_000, col) >= 0) held.push(col);
    // Row 133, column 208 of y, and the nine cells around it in x.
    expect(held).toEqual([-224, 0, 224].flatMap((by) => [30_000 + by - 1, 30_000 + by, 30_000 + by + 1]));
    expect(positionAt(gridOf(LARGE, 'C'), cells - 1)).toEqual({ slice: 0, row: 50_175, col: 50_175, channel: 0 });
  });

  test('names its rows and columns by the cells of y and x of one image', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), (g, seed) => {
        const [y, x] = [gridOf(g, 'y'), gridOf(g, 'x')];
        const [iy, ix] = [seed % y.cells, seed % x.cells];
        const { row, col } = gridOf(g, 'C').size;
        expect(lineOfC(g, 'y', positionAt(y, iy))).toBe(iy % row);
        expect(lineOfC(g, 'x', positionAt(x, ix))).toBe(ix % col);
        expect({ ...positionAt(y, iy), slice: 0 }).toEqual(outputOfC(g, iy % row));
        expect({ ...positionAt(x, ix), slice: 0 }).toEqual(inputOfC(g, ix % col));
      }),
    );
  });

  test('has each weight once for every cell of y that reads x with it', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), (g, seed) => {
        const w = gridOf(g, 'w');
        const index = seed % w.cells;
        const { col: cols } = gridOf(g, 'C').size;
        const found = entriesOfWeight(g, positionAt(w, index), 1e6).map(({ row, col }) => row * cols + col);
        const right = [...bruteC(g).entries()].filter(([, weight]) => weight === index).map(([at]) => at);
        expect(found.sort((a, b) => a - b)).toEqual(right);
        expect(entriesOfWeight(g, positionAt(w, index), 2).length).toBe(Math.min(2, right.length));
      }),
    );
  });

  test('has all entries of a row in its spans, which start and end in the window', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        const { row: rows, col: cols } = gridOf(g, 'C').size;
        const entries = bruteC(g);
        for (let row = 0; row < rows; row += 1) {
          const runs = runsOfRow(g, row);
          for (let col = 0; col < cols; col += 1) {
            const within = runs.some(([first, last]) => first <= col && col <= last);
            if ((entries[row * cols + col] ?? NOTHING) >= 0) expect(within, `${row}, ${col}`).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('links x to y and dy to dx in every image, through a weight', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), (g, seed) => {
        const { row: rows, col: cols } = gridOf(g, 'C').size;
        const index = seed % (rows * cols);
        const weight = bruteC(g)[index] ?? NOTHING;
        const listed = (tensor: string) =>
          targetsOf(g, cellOf('C', index))
            .filter((region) => region.tensor === tensor)
            .flatMap((region) => [...regionIndices(g, region)]);
        const images = weight < 0 ? [] : Array.from({ length: g.n }, (_, n) => n);
        expect(listed('y')).toEqual(images.map((n) => n * rows + Math.floor(index / cols)));
        expect(listed('dx')).toEqual(images.map((n) => n * cols + (index % cols)));
        const made = sourcesOf(g, cellOf('C', index)).flatMap((region) => [...regionIndices(g, region)]);
        expect(made).toEqual(weight < 0 ? [] : [weight]);
      }),
    );
  });
});
