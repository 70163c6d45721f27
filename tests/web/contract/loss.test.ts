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
    for (const kind of LOSS_KINDS) expect(run({ kind, target: null }).dy).toHaveLength(4);
    for (const kind of ['hinge', 'toString']) {
      expect(() => run({ kind, target })).toThrow('there is no such loss');
    }
  });

  test.each(['nhwc', 'nchw'] as const)('cross-entropy is softmax over the channels of a position, in %s', (layout) => {
    const desc = makeDesc({ layout, k: 3, n: 2 });
    const w = Float32Array.from({ length: 27 }, (_, i) => ((i * 7) % 5) / 64);
    const compute = (target: Float32Array | null) =>
      layerIn(loaded.engine.compute(makeRequest(desc, { loss: { kind: 'cross_entropy', target }, w }), 1));
    const { tensors, loss } = compute(null);
    const y = numbers(tensors.y?.data);
    const step = layout === 'nhwc' ? 1 : 4;
    const channel = (i: number) => Math.floor(i / step) % 3;
    const powers = (i: number) => [0, 1, 2].map((c) => Math.exp((y[i + (c - channel(i)) * step] ?? 0) - (y[i] ?? 0)));
    const shares = y.map((_, i) => 1 / powers(i).reduce((total, power) => total + power));
    shares.forEach((share, i) => {
      expect(tensors.dy?.data[i]).toBeCloseTo((share - (channel(i) === 0 ? 1 : 0)) / 8, 7);
    });
    const logs = shares.filter((_, i) => channel(i) === 0).reduce((total, share) => total - Math.log(share), 0);
    expect(loss).toBeCloseTo(logs / 8, 5);
    const cell = loaded.engine.ask(1, { kind: 'loss_cell', index: 1 });
    expect(cell.softmax?.channels.map((each) => each.channel)).toEqual([0, 1, 2]);
    expect(cell.softmax?.channels.find(({ index }) => index === 1)?.share).toBeCloseTo(shares[1] ?? 0, 6);
    expect(cell.gradient).toBe(tensors.dy?.data[1]);
    const sum = cell.softmax?.channels.reduce((total, { power }) => total + power, 0);
    expect(sum).toBeCloseTo(cell.softmax?.total ?? 0, 5);
    expect(() => compute(new Float32Array(24))).toThrow('the target of position 0 must be a distribution');
  });

  test('gradient descent reduces cross-entropy, and a gradient check confirms its gradients', () => {
    const w = Float32Array.from({ length: 18 }, (_, i) => ((i * 7) % 5) / 64);
    const sent = makeRequest(makeDesc({ k: 2 }), { loss: { kind: 'cross_entropy', target: null }, w });
    loaded.engine.compute(sent, 1);
    const learn = {
      kind: 'learn',
      learns: 'w',
      teacher: null,
      fromZero: false,
      rate: 0.001,
      batch: 1,
      noise: 0,
      scale: 1,
    } as const;
    const { history, loss } = loaded.engine.ask(1, { ...learn, watch: new Int32Array(), steps: 20 });
    expect(loss).toBeLessThan((history.losses[0] ?? 0) / 2);
    const check = { kind: 'gradient_check', parameter: 'w', loss: 'cross_entropy', target: 'near_y' } as const;
    const [run] = loaded.engine.ask(1, { ...check, precision: 'float64', epsilons: [1e-4], indices: 'all' }).runs;
    expect(run?.max_absolute_error).toBeLessThan(1e-5);
    expect(new Set(run?.cells.verdict)).toEqual(new Set([0]));
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
