import { expect, test } from 'vitest';
import { gridOf, positionOf } from '../../../web/src/geometry/grid';
import { cellLabel, termForm } from '../../../web/src/geometry/labels';
import { toShown } from '../../../web/src/geometry/matrix';
import { terms } from '../../../web/src/geometry/terms';
import { cellOf, descOf, geometryOf } from './arbitrary-geometry';

const small = geometryOf(descOf({}));

test('omits axes of size 1 in labels', () => {
  expect(cellLabel(small, cellOf('dx', 17))).toBe('dx[2,3]');
  expect(cellLabel(small, cellOf('db', 0))).toBe('db[0]');
  expect(cellLabel(small, cellOf('x_col', 13))).toBe('x_col[1,4]');
});

test('orders labels like memory', () => {
  const nhwc = geometryOf(descOf({ n: 2, c: 3, k: 2 }));
  const nchw = geometryOf(descOf({ n: 2, c: 3, k: 2, layout: 'nchw' }));
  expect(cellLabel(nhwc, cellOf('x', gridOf(nhwc, 'x').cells - 1))).toBe('x[1,6,6,2]');
  expect(cellLabel(nchw, cellOf('x', gridOf(nchw, 'x').cells - 1))).toBe('x[1,2,6,6]');
  expect(cellLabel(nhwc, cellOf('w', 1))).toBe('w[0,0,0,1]');
  expect(cellLabel(nchw, cellOf('w', 1))).toBe('w[0,0,0,1]');
  expect(cellLabel(nchw, cellOf('w', 26))).toBe('w[0,2,2,2]');
});

test('labels matrices in plain form', () => {
  const g = geometryOf(descOf({ c: 2 }));
  // Row 3, tap (0, 1), channel 1: column 3 with the channel fastest, 10 with the tap fastest.
  const cell = cellOf('x_col', 3 * 18 + 3);
  expect(cellLabel(g, cell)).toBe('x_col[3,3]');
  const shown = toShown(g, 'x_col', positionOf(g, cell), { order: 'c_kh_kw', transposed: true });
  expect(shown).toMatchObject({ row: 10, col: 3 });
});

test('spells a sum term by term and marks terms in the padding', () => {
  const page = terms(small, cellOf('y', 0));
  if (!page) throw new Error('y is a sum');
  const forms = [0, 1, 2, 3, 4].map((t) => termForm(small, page, t));
  expect(forms.map((form) => form && [form.a.label, form.b?.label, form.inPadding])).toEqual([
    ['x[−1,−1]', 'w[0,0]', true],
    ['x[−1,0]', 'w[0,1]', true],
    ['x[−1,1]', 'w[0,2]', true],
    ['x[0,−1]', 'w[1,0]', true],
    ['x[0,0]', 'w[1,1]', false],
  ]);
  expect(forms[0]?.a.cell).toBeNull();
  expect(forms[4]?.a.cell).toEqual(cellOf('x', 0));
  expect(termForm(small, page, 9)).toBeNull();
  expect([page.total, page.bias]).toEqual([9, cellOf('b', 0)]);
});
