import { beforeAll, describe, expect, test } from 'vitest';
import type { DySource } from '../../../web/src/protocol/messages';
import { PASSES } from '../../../web/src/protocol/problem';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { makeDesc, makeRequest } from './requests';
import { errorOf, load, numbers } from './support';

// tests/cpp/mistakes tests comparisons; this file tests the answers to the page.

// Two images of one row: dw = (1*1 + 2*10 + 3*100) + 4*1000, (2*1 + 3*10 + 4*100) - 5*1000.
const desc = makeDesc({ n: 2, h: 1, w: 4, kh: 1, kw: 2 });
const dy: DySource = { kind: 'values', shape: [2, 1, 3, 1], data: Float32Array.of(1, 10, 100, 1000, 0, 0) };
const request = makeRequest(desc, { x: Float32Array.of(1, 2, 3, 4, 4, -5, 6, 1), w: Float32Array.of(1, -2), dy });
const DW = [321 + 4000, 432 - 5000];

describe('an imported result', () => {
  let engine: ConvEngine;
  const compare = (...values: number[]) =>
    engine.ask(1, { kind: 'compare_result', pass: 'backward_weights', user_result: Float32Array.from(values) });

  beforeAll(async () => {
    engine = (await load('simd')).engine;
    engine.hide = hide;
    await prepareAnswer({ kind: 'compare_result' });
    engine.compute(request, 1);
  });

  test('agrees', () => {
    const comparison = compare(...DW);
    expect(comparison).toMatchObject({ worst: null, factor: null, mistakes: null });
    expect(numbers(comparison.difference.data)).toEqual([0, 0]);
    expect(comparison.difference.shape).toEqual([1, 2, 1, 1]);
    expect(comparison.agreements.map(({ how, cells }) => `${cells} ${how}`)).toEqual([
      '2 within float32 rounding',
      '2 to four decimals, as printed by PyTorch',
      '2 after rounding to bfloat16',
      '2 after rounding to float16',
      '2 with inputs rounded to TF32 or float16',
      '2 with inputs rounded to bfloat16',
    ]);
  });

  test('is explained by a division by the batch', () => {
    const comparison = compare(...DW.map((value) => value / 2));
    expect(comparison.worst).toBe(1);
    expect(comparison.factor).toBeCloseTo(0.5, 6);
    expect(comparison.mistakes?.map(({ id }) => id)).toEqual(['divided_by_batch']);
    expect(numbers(comparison.difference.data)).toEqual(DW.map((value) => -value / 2));
    expect(comparison.user_stats.max_abs).toBe(4568 / 2);
    expect(comparison.agreements.map(({ cells }) => cells)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('is explained by ones in place of dy', () => {
    // The sums of the cells that each weight meets: 1 + 2 + 3 + 4 - 5 + 6 and 2 + 3 + 4 - 5 + 6 + 1.
    expect(compare(11, 11).mistakes?.map(({ id }) => id)).toEqual(['dy_as_ones']);
  });

  test('is explained by a mistake of programs', () => {
    // y has six cells.
    expect(compare(...DW.map((value) => value * 6)).mistakes?.map(({ id }) => id)).toEqual(['mean_or_sum']);
  });

  test.each([
    // Between 4,096 and 8,192 the numbers of bfloat16 are 32 apart, those of float16 4.
    [[4320, -4576], 'after rounding to bfloat16'],
    [[4324, -4572], 'after rounding to float16'],
    [[4322.5, -4566.5], 'with inputs rounded to TF32 or float16'],
    [[4350.5, -4566.5], 'with inputs rounded to bfloat16'],
  ])('matches in a precision of few bits: %s', (values, how) => {
    const { agreements, factor, mistakes } = compare(...values);
    expect(agreements.find(({ cells }) => cells === values.length)?.how).toBe(how);
    expect([factor, mistakes]).toEqual([null, null]);
  });

  test('is wrong in one cell without an explanation', () => {
    expect(compare(DW[0] ?? 0, 7)).toMatchObject({ worst: 1, factor: null, mistakes: [] });
  });

  test('does not change the session, and the rounding bound follows from the products', () => {
    const before = engine.compute(request, 1).tensors;
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
    const resident = { x: 'resident', w: 'resident', dy: 'resident', hidden: [{ tensor: 'x', index: 0 }] } as const;
    const again = engine.compute({ ...request, ...resident }, 1).tensors;
    for (const name of ['y', 'dx', 'dw', 'db'] as const) {
      expect(numbers(again[name]?.data)).toEqual(numbers(before[name]?.data));
    }
    engine.compute(request, 1);
  });

  test('is rejected with a wrong length, and while values are hidden', () => {
    expect(errorOf(() => compare(1, 2, 3)).message).toMatch(/3.*2|2.*3/);
    engine.compute({ ...request, hidden: [{ tensor: 'dw', index: 0 }] }, 1);
    expect(errorOf(() => compare(...DW)).code).toBe('unsupported');
    engine.compute(request, 1);
  });
});
