import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { areasInPlane, gridOf, positionAt, type Region, regionIndices } from '../../../web/src/geometry/grid';
import { linksOf, sourcesOf, targetsOf } from '../../../web/src/geometry/links';
import { factorBeside, OUTSIDE, terms } from '../../../web/src/geometry/terms';
import type { Geometry, GridName } from '../../../web/src/protocol/problem';
import { arbitraryGeometry, cellOf, descOf, GRIDS, geometryOf } from './arbitrary-geometry';

// Brute force is slow while other suites run.
vi.setConfig({ testTimeout: 30_000 });

const cellsIn = (g: Geometry, regions: readonly Region[], tensor: GridName): number[] =>
  regions
    .filter((region) => region.tensor === tensor)
    .flatMap((region) => [...regionIndices(g, region)])
    .sort((a, b) => a - b);

/** For every cell of `source`, the cells of `result` with it among their terms, by checking each of them. */
function usersOf(g: Geometry, source: GridName, result: GridName): Map<number, Set<number>> {
  const users = new Map<number, Set<number>>();
  for (let index = 0; index < gridOf(g, result).cells; index += 1) {
    const page = terms(g, cellOf(result, index));
    if (!page) continue;
    page.index_a.forEach((a, t) => {
      // A weight or a gradient that meets padding contributes nothing.
      if (a === OUTSIDE) return;
      const factor = page.a === source ? a : page.b === source ? page.index_b[t] : undefined;
      if (factor !== undefined) users.set(factor, (users.get(factor) ?? new Set()).add(index));
    });
  }
  return users;
}

const PAIRS: readonly (readonly [GridName, readonly GridName[]])[] = [
  ['x', ['y', 'dw', 'x_padded', 'x_col']],
  ['w', ['y', 'dx', 'y_col', 'dx_col', 'w_col']],
  ['dy', ['dx', 'dw', 'db', 'dx_col', 'dy_col']],
];

describe('feeds', () => {
  test.each(PAIRS)('of %s are the cells with it among their terms', (source, results) => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        for (const result of results) {
          const users = usersOf(g, source, result);
          const cells = Array.from({ length: gridOf(g, source).cells }, (_, index) => index);
          const fed = cells.map((index) => cellsIn(g, targetsOf(g, cellOf(source, index)), result));
          const used = cells.map((index) => [...(users.get(index) ?? [])].sort((a, b) => a - b));
          // A whole column of y_col depends on a weight, also where it meets padding.
          const compared = result === 'y_col' ? fed.map((list, i) => list.filter((at) => used[i]?.includes(at))) : fed;
          expect(compared, `${source} -> ${result}`).toEqual(used);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('of a weight of a large image are described, not listed', () => {
    const g = geometryOf(descOf({ h: 1024, w: 1024, stride_h: 1, stride_w: 1 }));
    const y = targetsOf(g, cellOf('w', 0)).find(({ tensor }) => tensor === 'y');
    expect(y).toMatchObject({ kind: 'box', count: 1023 * 1023, row: { first: 1, step: 1, count: 1023 } });
  });

  test('of x_col and dx_col follow the three products', () => {
    const g = geometryOf(descOf({}));
    expect(cellsIn(g, targetsOf(g, cellOf('x_col', 13)), 'y_col')).toEqual([1]);
    expect(cellsIn(g, targetsOf(g, cellOf('x_col', 13)), 'dw_col')).toEqual([4]);
    expect(cellsIn(g, targetsOf(g, cellOf('dx_col', 13)), 'dx')).toEqual([2]);
  });
});

describe('reads', () => {
  test('are exactly the factors of the terms, without padding', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        for (const result of [
          'y',
          'dx',
          'dw',
          'db',
          'x_padded',
          'x_col',
          'dx_col',
          'w_flipped',
          'dx_padded',
          'dw_uncropped',
          'dw_per_image',
        ] as const) {
          const cells = Array.from({ length: gridOf(g, result).cells }, (_, index) => cellOf(result, index));
          const pages = cells.map((cell) => terms(g, cell));
          const found = cells.map((cell, i) => cellsIn(g, sourcesOf(g, cell), pages[i]?.a ?? 'x'));
          const factors = pages.map((page) => [...new Set(page?.index_a)].filter((a) => a !== OUTSIDE));
          expect(found, result).toEqual(factors.map((list) => list.sort((a, b) => a - b)));
        }
      }),
      { numRuns: 20 },
    );
  });

  test('of dx include its copies in dx_col, and their positions map back to it', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (g) => {
        for (let index = 0; index < gridOf(g, 'dx').cells; index += 1) {
          for (const copy of cellsIn(g, sourcesOf(g, cellOf('dx', index)), 'dx_col')) {
            expect(cellsIn(g, targetsOf(g, cellOf('dx_col', copy)), 'dx')).toEqual([index]);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

test('links dy and y, cell by cell, if and only if dy is the gradient of a loss', () => {
  fc.assert(
    fc.property(arbitraryGeometry, fc.nat(), (g, seed) => {
      const index = seed % gridOf(g, 'y').cells;
      const [y, dy] = [cellOf('y', index), cellOf('dy', index)];
      expect(cellsIn(g, linksOf(g, y, true).targets, 'dy')).toEqual([index]);
      expect(cellsIn(g, linksOf(g, dy, true).sources, 'y')).toEqual([index]);
      expect(cellsIn(g, linksOf(g, y).targets, 'dy')).toEqual([]);
      expect(linksOf(g, dy).sources).toEqual([]);
      // Sources of y and targets of dy do not depend on it.
      expect(linksOf(g, y, true).sources).toEqual(linksOf(g, y).sources);
      expect(linksOf(g, dy, true).targets).toEqual(linksOf(g, dy).targets);
    }),
    { numRuns: 50 },
  );
});

describe('factors', () => {
  /** For each cell of y, its pairs of x and w, without padding. */
  const pairsOf = (g: Geometry) =>
    Array.from({ length: gridOf(g, 'y').cells }, (_, y) => {
      const page = terms(g, cellOf('y', y));
      return [...(page?.index_a ?? [])].flatMap((x, t) => (x === OUTSIDE ? [] : [{ y, x, w: page?.index_b[t] ?? -1 }]));
    }).flat();
  const unique = (list: readonly number[]) => [...new Set(list)].sort((a, b) => a - b);

  test('a weight is linked to the cells of x and dy that it is multiplied by, a cell of x to its weights', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), (g, seed) => {
        const pairs = pairsOf(g);
        const w = seed % gridOf(g, 'w').cells;
        const met = pairs.filter((pair) => pair.w === w);
        const ofW = linksOf(g, cellOf('w', w)).sources;
        expect(cellsIn(g, ofW, 'x')).toEqual(unique(met.map(({ x }) => x)));
        expect(cellsIn(g, ofW, 'dy')).toEqual(unique(met.map(({ y }) => y)));
        const x = seed % gridOf(g, 'x').cells;
        const ofX = linksOf(g, cellOf('x', x)).sources;
        expect(cellsIn(g, ofX, 'w')).toEqual(unique(pairs.filter((pair) => pair.x === x).map((pair) => pair.w)));
      }),
      { numRuns: 60 },
    );
  });

  test('beside a cell in the sum of another are those of the definition', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), (g, seed) => {
        const pairs = pairsOf(g);
        const pair = pairs[seed % Math.max(pairs.length, 1)];
        if (!pair) return;
        const [x, w, y] = [cellOf('x', pair.x), cellOf('w', pair.w), cellOf('y', pair.y)];
        const dy = cellOf('dy', pair.y);
        expect(factorBeside(g, x, y)).toEqual(w);
        expect(factorBeside(g, w, y)).toEqual(x);
        expect(factorBeside(g, dy, cellOf('dx', pair.x))).toEqual(w);
        expect(factorBeside(g, w, cellOf('dx', pair.x))).toEqual(dy);
        expect(factorBeside(g, x, cellOf('dw', pair.w))).toEqual(dy);
        expect(factorBeside(g, dy, cellOf('dw', pair.w))).toEqual(x);
        expect(factorBeside(g, dy, cellOf('db', 0))).toBeNull();
        expect(factorBeside(g, y, cellOf('dx', pair.x))).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});

describe('regions', () => {
  test('contain their listed cells, plane by plane', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.constantFrom(...GRIDS), fc.nat(), (g, tensor, seed) => {
        const cell = cellOf(tensor, seed % gridOf(g, tensor).cells);
        for (const region of [...targetsOf(g, cell), ...sourcesOf(g, cell)]) {
          const grid = gridOf(g, region.tensor);
          const listed = new Set(regionIndices(g, region));
          expect(listed.size).toBe(region.count);
          const wrong: number[] = [];
          for (let index = 0; index < grid.cells; index += 1) {
            const p = positionAt(grid, index);
            const drawn = areasInPlane(g, region, p.slice, p.channel).some(
              (area) =>
                p.row >= area.row &&
                p.col >= area.col &&
                (p.row - area.row) % area.rowStep === 0 &&
                (p.col - area.col) % area.colStep === 0 &&
                (p.row - area.row) / area.rowStep < area.rows &&
                (p.col - area.col) / area.colStep < area.cols,
            );
            if (drawn !== listed.has(index)) wrong.push(index);
          }
          expect(wrong).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});
