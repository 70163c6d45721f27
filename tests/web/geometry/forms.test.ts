import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areasInForm } from '../../../web/src/geometry/forms';
import { box, cellBox, gridOf, type PlaneArea, positionAt, regionIndices } from '../../../web/src/geometry/grid';
import { targetsOf } from '../../../web/src/geometry/links';
import { upsampledSource } from '../../../web/src/geometry/rules';
import type { Geometry, GridName } from '../../../web/src/protocol/problem';
import { arbitraryGeometry, cellOf } from './arbitrary-geometry';

const covers = (area: PlaneArea, row: number, col: number): boolean => {
  const along = (at: number, first: number, step: number, count: number) =>
    (at - first) % step === 0 && at >= first && (at - first) / step < count;
  return along(row, area.row, area.rowStep, area.rows) && along(col, area.col, area.colStep, area.cols);
};

/** Cells of `form` that are highlighted with a cell of `tensor`. */
function lit(g: Geometry, tensor: GridName, index: number, form: GridName): number[] {
  const region = box(g, tensor, cellBox(positionAt(gridOf(g, tensor), index)));
  const grid = gridOf(g, form);
  return Array.from({ length: grid.cells }, (_, at) => at).filter((at) => {
    const p = positionAt(grid, at);
    return region && areasInForm(g, region, form, p.slice, p.channel).some((area) => covers(area, p.row, p.col));
  });
}

/** Cells of `form` that contribute to the cell and to no other. */
const feeding = (g: Geometry, form: GridName, index: number): number[] =>
  Array.from({ length: gridOf(g, form).cells }, (_, at) => at).filter((at) =>
    targetsOf(g, cellOf(form, at)).some((region) => region.tensor === 'dw' && regionIndices(g, region).includes(index)),
  );

describe('a cell in the forms of its tensor', () => {
  test.each(['dw_col', 'dw_uncropped', 'dw_per_image'] as const)(
    'highlights the cells of %s that contribute to dw',
    (form) => {
      fc.assert(
        fc.property(arbitraryGeometry, fc.nat(), (g, seed) => {
          const index = seed % gridOf(g, 'dw').cells;
          const expected = feeding(g, form, index);
          expect(expected.length).toBe(form === 'dw_per_image' ? g.n : 1);
          expect(lit(g, 'dw', index, form)).toEqual(expected);
        }),
        { numRuns: 60 },
      );
    },
  );

  test.each(['dy_upsampled', 'dy_extended', 'dy_inserted'] as const)('highlights the copy of dy in %s', (form) => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), (g, seed) => {
        const dy = gridOf(g, 'dy');
        const index = seed % dy.cells;
        const copies = Array.from({ length: gridOf(g, form).cells }, (_, at) => at).filter((at) => {
          const source = upsampledSource(g, form, positionAt(gridOf(g, form), at));
          const own = positionAt(dy, index);
          return source && Object.entries(own).every(([axis, value]) => source[axis as keyof typeof own] === value);
        });
        expect(copies.length).toBe(1);
        expect(lit(g, 'dy', index, form)).toEqual(copies);
      }),
      { numRuns: 60 },
    );
  });
});
