import { beforeAll, describe, expect, test } from 'vitest';
import { LOSS_KINDS } from '../../../web/src/losses/list';
import type { SentDy, SentLoss } from '../../../web/src/protocol/messages';
import { makeDesc, makeRequest } from './requests';
import { type Loaded, layerIn, load, numbers } from './support';

const given = (dy: SentDy): SentLoss => ({ kind: 'given', dy });

describe('the loss of a request', () => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load('simd');
  });

  const run = (loss: SentLoss, desc = makeDesc()) => {
    const { tensors, runs } = layerIn(loaded.engine.compute(makeRequest(desc, { loss }), 1));
    return { dy: numbers(tensors.dy?.data), db: numbers(tensors.db?.data), runs };
  };

  test('ones', () => expect(run(given({ kind: 'ones' }))).toMatchObject({ dy: [1, 1, 1, 1], db: [4] }));

  test('one-hot', () => expect(run(given({ kind: 'one_hot', index: 2 }))).toMatchObject({ dy: [0, 0, 1, 0], db: [1] }));

  test('random values are small integers, and the same for the same seed', () => {
    const desc = makeDesc({ h: 34, w: 34 });
    const { dy } = run(given({ kind: 'random', seed: 5 }), desc);
    expect(dy).toHaveLength(32 * 32);
    expect([...new Set(dy)].sort((a, b) => a - b)).toEqual([-4, -3, -2, -1, 0, 1, 2, 3, 4]);
    expect(run(given({ kind: 'random', seed: 5 }), desc).dy).toEqual(dy);
    expect(run(given({ kind: 'random', seed: 6 }), desc).dy).not.toEqual(dy);
  });

  test('painted values keep their position when the output shrinks or grows', () => {
    const painted = given({ kind: 'values', shape: [1, 2, 2, 1], data: Float32Array.of(1, 2, 3, 4) });
    expect(run(painted, makeDesc({ h: 5, w: 5 })).dy).toEqual([1, 2, 0, 3, 4, 0, 0, 0, 0]);
    expect(run(painted, makeDesc({ h: 3 })).dy).toEqual([1, 2]);
    expect(run(painted, makeDesc({ w: 3, k: 2 })).dy).toEqual([1, 0, 3, 0]);
    expect(run(painted, makeDesc({ layout: 'nchw', k: 2 })).dy).toEqual([1, 0, 2, 0, 3, 0, 4, 0]);
  });

  test('a loss computes y for its gradient', () => {
    // With the target at y - 4, dy = (y - target) / 4 = 1.
    const { tensors } = layerIn(loaded.engine.compute(makeRequest(), 1));
    const target = Float32Array.from(numbers(tensors.y?.data), (value) => value - 4);
    const { dy, runs } = run({ kind: 'mse', target });
    expect(dy).toEqual([1, 1, 1, 1]);
    expect(runs.forward).toBeDefined();
  });

  test('the losses of the page are those of the library', () => {
    const target = new Float32Array(4);
    for (const kind of LOSS_KINDS) expect(run({ kind, target }).dy).toHaveLength(4);
    for (const kind of ['hinge', 'toString']) {
      expect(() => run({ kind, target })).toThrow('there is no such loss');
    }
  });

  test('the result contains the loss, or null if dy is given', () => {
    const desc = makeDesc({ h: 5, w: 6 });
    const compute = (loss: SentLoss) => layerIn(loaded.engine.compute(makeRequest(desc, { loss }), 1));
    const y = numbers(compute(given({ kind: 'ones' })).tensors.y?.data);
    const target = Float32Array.from(y, (value, i) => value + 0.25 * i - 1);
    const errors = y.map((value, i) => value - (target[i] ?? Number.NaN));
    const sum = (of: (error: number) => number) => errors.reduce((total, error) => total + of(error), 0);
    const squares = sum((error) => error * error) / (2 * y.length);
    const logs = sum((error) => Math.log(Math.cosh(error))) / y.length;
    expect(Math.abs((compute({ kind: 'mse', target }).loss ?? 0) - squares)).toBeLessThan(1e-6 * squares);
    expect(Math.abs((compute({ kind: 'log_cosh', target }).loss ?? 0) - logs)).toBeLessThan(1e-6 * logs);
    const sizes = sum(Math.abs) / y.length;
    expect(Math.abs((compute({ kind: 'absolute_error', target }).loss ?? 0) - sizes)).toBeLessThan(1e-6 * sizes);
    expect(compute({ kind: 'mse', target: null }).loss).toBe(y.reduce((total, v) => total + v * v, 0) / (2 * y.length));
    expect(compute(given({ kind: 'ones' })).loss).toBeNull();
  });
});
