import { expect, it } from 'vitest';
import type { Tensors } from '../../../web/src/protocol/messages';
import { tellingIndex, tellingSteps } from '../../../web/src/views/shared/telling';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { alone, tensorOf } from '../support/alone';

// 5 x 5 and 3 x 3: y and dy are 3 x 3.
const of = (tensors: Tensors) => alone(geometryOf(makeDesc({ h: 5, w: 5 })), { tensors });
const dy = (values: readonly number[]) => ({ dy: tensorOf([1, 3, 3], values) });
const y = (values: readonly number[]) => ({ y: tensorOf([1, 3, 3], values) });

it('is the largest magnitude, whatever its sign', () => {
  expect(tellingIndex(of(dy([0, 2, 0, -9, 3, 0, 8, 0, 0])), 'dy')).toBe(3);
});

it('is the nearest to the middle of equal ones', () => {
  expect(tellingIndex(of(dy([1, 1, 1, 1, 1, 1, 1, 1, 1])), 'dy')).toBe(4);
  expect(tellingIndex(of(dy([2, 0, 0, 0, 0, -2, 0, 0, 2])), 'dy')).toBe(5);
});

it('is the cell of y that dy points at, if it points at one', () => {
  const values = y([9, 1, 1, 1, 1, 1, 1, 1, 1]);
  expect(tellingIndex(of({ ...values, ...dy([0, 0, 0, 0, 0, 0, 0, 1, 0]) }), 'y')).toBe(7);
  expect(tellingIndex(of({ ...values, ...dy([0, 0, 0, 0, 0, 0, 0, 1, 1]) }), 'y')).toBe(0);
});

it('ignores hidden values, and is the middle where there is no value', () => {
  const { NaN: hidden } = Number;
  expect(tellingIndex(of(dy([hidden, 0, 0, 0, 0, 0, 0, 1, 0])), 'dy')).toBe(7);
  expect(tellingIndex(of(dy([hidden, 0, 0, 0, 0, 0, 0, 0, 0])), 'dy')).toBe(4);
  expect(tellingIndex(of({}), 'dy')).toBe(4);
});

it('is in the first plane with a value', () => {
  const three = alone(geometryOf(makeDesc({ n: 3, h: 3, w: 3 })), { tensors: { dy: tensorOf([3, 1, 1], [0, 2, 5]) } });
  expect([tellingIndex(three, 'dy'), tellingSteps(three, 'dx_scatter')]).toEqual([1, 2]);
});

it('gives the step of a process at its cell', () => {
  const values = of({ ...dy([0, 0, 0, 0, 0, 1, 0, 0, 0]), dw: tensorOf([1, 3, 3], [0, 0, 3, 0, 0, 0, 0, 0, 0]) });
  expect((['dx_scatter', 'dw_accumulate', 'dw_dilated_dy'] as const).map((name) => tellingSteps(values, name))).toEqual(
    [6, 6, 3],
  );
});
