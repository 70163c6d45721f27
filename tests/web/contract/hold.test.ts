import { beforeAll, describe, expect, test } from 'vitest';
import type { DySource } from '../../../web/src/protocol/messages';
import { PASSES } from '../../../web/src/protocol/problem';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { makeDesc, makeRequest } from './requests';
import { errorOf, load, numbers } from './support';

// How numbers are compared and explained is tested in C++ (tests/cpp/mistakes); here, what the page is told of it.

// Two images of one row: dw = (1*1 + 2*10 + 3*100) + 4*1000, (2*1 + 3*10 + 4*100) - 5*1000.
const desc = makeDesc({ n: 2, h: 1, w: 4, kh: 1, kw: 2 });
const dy: DySource = { kind: 'values', shape: [2, 1, 3, 1], data: Float32Array.of(1, 10, 100, 1000, 0, 0) };
const request = makeRequest(desc, { x: Float32Array.of(1, 2, 3, 4, 4, -5, 6, 1), w: Float32Array.of(1, -2), dy });
const DW = [321 + 4000, 432 - 5000];

describe('a result that somebody brings', () => {
  let engine: ConvEngine;
  const hold = (...brought: number[]) =>
    engine.ask(1, { kind: 'hold', pass: 'backward_weights', brought: Float32Array.from(brought) });

  beforeAll(async () => {
    engine = (await load('simd')).engine;
    engine.hide = hide;
    await prepareAnswer({ kind: 'hold' });
    engine.compute(request, 1);
  });

  test('agrees', () => {
    const held = hold(...DW);
    expect(held).toMatchObject({ worst: null, factor: null, mistakes: null });
    expect(numbers(held.difference.data)).toEqual([0, 0]);
    expect(held.difference.shape).toEqual([1, 2, 1, 1]);
    expect(held.agreements.map(({ how, cells }) => `${cells} ${how}`)).toEqual([
      '2 as float32 rounds',
      '2 to four decimals, as PyTorch prints',
      '2 as float16 and TF32 round',
      '2 as bfloat16 rounds',
    ]);
  });

  test('was divided by the batch', () => {
    const held = hold(...DW.map((value) => value / 2));
    expect(held.worst).toBe(1);
    expect(held.factor).toBeCloseTo(0.5, 6);
    expect(held.mistakes?.map(({ id }) => id)).toEqual(['divided_by_batch']);
    expect(numbers(held.difference.data)).toEqual(DW.map((value) => -value / 2));
    expect(held.brought_stats.max_abs).toBe(4568 / 2);
    expect(held.agreements.map(({ cells }) => cells)).toEqual([0, 0, 0, 0]);
  });

  test('is wrong in one cell, and no wrong model says how', () => {
    expect(hold(DW[0] ?? 0, 7)).toMatchObject({ worst: 1, factor: null, mistakes: [] });
  });

  test('leaves the session as it was, and a bound of rounding is that of the products', () => {
    const before = engine.compute(request, 1).tensors;
    // Of each cell the sum of the products' sizes: y = 5*1 + 6*2, dx = 2*1000, dw = 2 + 30 + 400 + 5000.
    const largest = { y: 17, dx: 2000, dw: 5432, db: 1111 };
    const rounding = engine.ask(1, { kind: 'rounding' });
    for (const name of ['y', 'dx', 'dw', 'db'] as const) {
      expect(rounding[name] / (4e-6 * largest[name]), name).toBeCloseTo(1, 5);
    }
    const after = engine.ask(1, { kind: 'adjoint' });
    expect(after.difference).toBe(0);
    for (const pass of PASSES)
      expect(engine.ask(1, { kind: 'compare', pass, algorithms: 'all' }).rows.length).toBeGreaterThan(0);
    const again = engine.compute({ ...request, x: 'resident', w: 'resident' }, 1).tensors;
    for (const name of ['y', 'dx', 'dw', 'db'] as const) {
      expect(numbers(again[name]?.data)).toEqual(numbers(before[name]?.data));
    }
  });

  test('is refused where its length is another, and while numbers are hidden', () => {
    expect(errorOf(() => hold(1, 2, 3)).message).toMatch(/3.*2|2.*3/);
    engine.compute({ ...request, hidden: [{ tensor: 'dw', index: 0 }] }, 1);
    expect(errorOf(() => hold(...DW)).code).toBe('unsupported');
    engine.compute(request, 1);
  });
});
