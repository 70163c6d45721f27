import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gridOf } from '../../../web/src/geometry/grid';
import { planesOf, termPositions, terms } from '../../../web/src/geometry/terms';
import { arbitraryGeometry, cellOf, descOf, geometryOf } from './arbitrary-geometry';

const MADE = ['y', 'dx', 'dw', 'db', 'dx_col', 'y_col', 'dw_col'] as const;

test('the planes of a sum contain each term once, in order, with the leading factor in its own orientation', () => {
  fc.assert(
    fc.property(arbitraryGeometry, fc.constantFrom(...MADE), fc.nat(), (g, tensor, seed) => {
      const cell = cellOf(tensor, seed % gridOf(g, tensor).cells);
      const planes = planesOf(g, cell);
      if (!planes) throw new Error('a sum');
      const { count, rows, cols, termAt, leading } = planes;
      expect(count * rows * cols).toBe(terms(g, cell)?.total);
      const numbers = Array.from({ length: rows * cols }, (_, i) => termAt(Math.floor(i / cols), i % cols));
      expect([...numbers].sort((a, b) => a - b)).toEqual(numbers.map((_, i) => i));
      for (let plane = 0; plane < count; plane += 1) {
        const places = numbers.map((t) => termPositions(g, cell, plane * rows * cols + t)?.[leading]);
        const of = planes.word === 'image' ? 'slice' : 'channel';
        if (tensor !== 'dx_col') for (const place of places) expect(place?.[of]).toBe(planes.first + plane);
        const order = places.map((p) => (p ? (p.row + 99) * 1e6 + (p.col + 99) * 1e3 + p.channel : 0));
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
    }),
    { numRuns: 300 },
  );
});

test('w is flipped over dy for dx, if it has more than one tap', () => {
  const g = geometryOf(descOf({ h: 6, w: 6, stride_h: 1, stride_w: 1, c: 2, k: 3 }));
  expect(planesOf(g, cellOf('dx', 30))).toMatchObject({
    word: 'filter',
    count: 3,
    rows: 3,
    cols: 3,
    leading: 'b',
    flipped: true,
  });
  expect(planesOf(g, cellOf('y', 0))).toMatchObject({ word: 'channel', count: 2, leading: 'a', flipped: false });
  expect(planesOf(g, cellOf('dw', 0))).toMatchObject({ word: 'image', count: 1, rows: 6, flipped: false });
  expect(planesOf(g, cellOf('x', 0))).toBeNull();
  expect(planesOf(g, cellOf('x_col', 0))).toBeNull();
});

test('with groups, a plane is named by its channel in x and by its filter in dy', () => {
  const g = geometryOf(descOf({ c: 4, k: 4, groups: 2 }));
  expect(planesOf(g, cellOf('y', 3))?.first).toBe(2);
  expect(planesOf(g, cellOf('dx', 3))?.first).toBe(2);
});
