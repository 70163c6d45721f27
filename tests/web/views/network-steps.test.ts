import { expect, test } from 'vitest';
import { coneOf } from '../../../web/src/views/network/cone';
import { netStepSentence } from '../../../web/src/views/network/sentences';
import { isComputed, netStepCount, stepOf } from '../../../web/src/views/network/steps';
import { CONV, MAX, value } from './nets';

test('the player goes forward through all layers, then backward', () => {
  expect(netStepCount(MAX)).toBe(5);
  const at = (t: unknown) => stepOf(MAX, t);
  expect(at(0)).toBeNull();
  expect(at('x')).toBeNull();
  expect(at(-3)).toBeNull();
  expect(at(99)?.t).toBe(5);
  const computed = (t: number) =>
    (['value', 'gradient'] as const).map((side) => [0, 1, 2].filter((i) => isComputed(MAX, at(t), { at: i, side })));
  expect(computed(0)).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
  expect([1, 2, 3, 4, 5].map(computed)).toEqual([
    [[0, 1], []],
    [[0, 1, 2], []],
    [[0, 1, 2], [2]],
    [
      [0, 1, 2],
      [1, 2],
    ],
    [
      [0, 1, 2],
      [0, 1, 2],
    ],
  ]);
  const said = (t: number) => netStepSentence(MAX, at(t), coneOf(MAX, value(2, 0)));
  expect(said(1)).toBe('Step 1 of 5, forward through layer 1 (relu): 4 cells of y1 from 4 of x.');
  expect(said(2)).toBe('Step 2 of 5, forward through layer 2 (max_pool): 1 cell of y2 from 4 of y1.');
  expect(said(3)).toBe('Step 3 of 5: dy2 is given.');
  expect(said(4)).toBe('Step 4 of 5, backward through layer 2 (max_pool): 1 cell of dy1 from 1 of dy2.');
  expect(said(0)).toContain('Press Play');
});

test('the gradient of a weight is computed in the step of dx, after y and dy', () => {
  const dw = { at: 0, of: 'w', side: 'gradient', index: 3 } as const;
  const shown = (t: number) => isComputed(CONV, stepOf(CONV, t), dw);
  expect([1, 2, 3].map(shown)).toEqual([false, false, true]);
});
