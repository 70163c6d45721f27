import { beforeAll, describe, expect, test } from 'vitest';
import type { SentDy } from '../../../web/src/protocol/messages';
import { PASSES } from '../../../web/src/protocol/problem';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { changed, makeDesc, makeRequest } from './requests';
import { errorOf, layerIn, load, numbers } from './support';

// tests/cpp/mistakes tests differences; this file tests the answers to the page.

// Two images of one row: dw = (1*1 + 2*10 + 3*100) + 4*1000, (2*1 + 3*10 + 4*100) - 5*1000.
const desc = makeDesc({ n: 2, h: 1, w: 4, kh: 1, kw: 2 });
const dy: SentDy = { kind: 'values', shape: [2, 1, 3, 1], data: Float32Array.of(1, 10, 100, 1000, 0, 0) };
const request = makeRequest(desc, {
  x: Float32Array.of(1, 2, 3, 4, 4, -5, 6, 1),
  w: Float32Array.of(1, -2),
  loss: { kind: 'given', dy },
});
const DW = [321 + 4000, 432 - 5000];

let engine: ConvEngine;

beforeAll(async () => {
  engine = (await load('simd')).engine;
  engine.hide = hide;
  await prepareAnswer({ kind: 'compare_result' });
  engine.compute(request, 1);
});

describe('an imported result', () => {
  const compare = (...values: number[]) =>
    engine.ask(1, { kind: 'compare_result', pass: 'backward_weights', user_result: Float32Array.from(values) });

  test('without a difference', () => {
    const comparison = compare(...DW);
    expect(comparison.worst).toBeNull();
    expect(numbers(comparison.difference.data)).toEqual([0, 0]);
    expect(comparison.difference.shape).toEqual([1, 2, 1, 1]);
  });

  test('with differences, and the largest of them', () => {
    const comparison = compare(...DW.map((value) => value / 2));
    expect(comparison.worst).toBe(1);
    expect(numbers(comparison.difference.data)).toEqual(DW.map((value) => -value / 2));
    expect(comparison.user_stats.max_abs).toBe(4568 / 2);
    expect(compare(Number.NaN, -4568)).toMatchObject({ worst: 0 });
  });

  test('does not change the session, and the rounding bound follows from the products', () => {
    const before = layerIn(engine.compute(request, 1)).tensors;
    // The sum of |terms| of each cell: y = 5*1 + 6*2, dx = 2*1000, dw = 2 + 30 + 400 + 5000.
    const largest = { y: 17, dx: 2000, dw: 5432, db: 1111 };
    const rounding = engine.ask(1, { kind: 'rounding' });
    for (const name of ['y', 'dx', 'dw', 'db'] as const) {
      expect(rounding[name] / (4e-6 * largest[name]), name).toBeCloseTo(1, 5);
    }
    const after = engine.ask(1, { kind: 'adjoint' });
    expect(after.difference).toBe(0);
    for (const pass of PASSES)
      expect(engine.ask(1, { kind: 'compare', pass, algorithms: 'all' }).rows.length).toBeGreaterThan(0);
    // Runs nothing, and sends all tensors of the session, because one value is hidden.
    const resident = {
      x: 'resident',
      w: 'resident',
      loss: { kind: 'given', dy: 'resident' },
      hidden: [{ layer: 0, tensor: 'x', index: 0 }],
    } as const;
    const again = layerIn(engine.compute(changed(request, resident), 1)).tensors;
    for (const name of ['y', 'dx', 'dw', 'db'] as const) {
      expect(numbers(again[name]?.data)).toEqual(numbers(before[name]?.data));
    }
    engine.compute(request, 1);
  });

  test('is rejected with a wrong length, and while values are hidden', () => {
    expect(errorOf(() => compare(1, 2, 3)).message).toMatch(/3.*2|2.*3/);
    engine.compute({ ...request, hidden: [{ layer: 0, tensor: 'dw', index: 0 }] }, 1);
    expect(errorOf(() => compare(...DW)).code).toBe('unsupported');
    engine.compute(request, 1);
  });
});

describe('the difference from an earlier result', () => {
  const difference = (...values: number[]) =>
    engine.ask(1, { kind: 'difference', pass: 'backward_weights', earlier: Float32Array.from(values) });

  test('is the result minus the earlier one', () => {
    const { difference: made, worst } = difference(4000, 1);
    expect(numbers(made.data)).toEqual([321, 432 - 5000 - 1]);
    expect([made.shape, made.stats.max_abs, worst]).toEqual([[1, 2, 1, 1], 4569, 1]);
    expect(difference(...DW)).toMatchObject({ worst: null });
    expect(numbers(difference(...DW).difference.data)).toEqual([0, 0]);
  });

  test('is rejected with a wrong length, and while values are hidden', () => {
    expect(errorOf(() => difference(1)).message).toMatch(/earlier/);
    engine.compute({ ...request, hidden: [{ layer: 0, tensor: 'dw', index: 0 }] }, 1);
    expect(errorOf(() => difference(...DW))).toMatchObject({ code: 'unsupported', field: 'hidden' });
    engine.compute(request, 1);
  });
});
