// Prepared layers, arrays for results, and algorithms by name, against loops. Integers: every order of summation gives the same result.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ModuleConv } from '../../../web/package/conv';
import { type Backward, type Conv, createConv, type Result, type Values } from '../../../web/package/index';
import { loadModule } from '../../../web/src/engine/load';
import { backward, forward, type Problem } from '../../package/loops';
import { errorOf, VARIANTS } from './support';

const sizes = { n: 2, c: 4, h: 9, w: 8, k: 6, kh: 3, kw: 2, groups: 2 };
const steps = { stride: [2, 1], dilation: [1, 2], groups: 2 } as const;
const loops: Problem = { ...sizes, ...steps, top: 1, left: 2, oh: 4, ow: 8 };
const geometry = { ...steps, layout: 'nchw', padding: { top: 1, left: 2 } } as const;
const X = [2, 4, 9, 8] as const;
const W = [6, 2, 3, 2] as const;
const Y = [2, 6, 4, 8] as const;

const whole = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => ((i * 7 + seed) % 11) - 5);
const tensor = (shape: Values['shape'], seed: number): Values => ({
  shape,
  data: whole(
    shape.reduce((a, b) => a * b),
    seed,
  ),
});
const [x, w, b, dy] = [tensor(X, 1), tensor(W, 2), whole(6, 3), tensor(Y, 4)];

const valuesOf = (shape: readonly number[], data: readonly number[]) => ({ shape, data: Float32Array.from(data) });
const yOf = (x: Values, w: Values, b: Float32Array) => valuesOf(Y, forward(loops, x.data, w.data, b));
function gradientsOf(x: Values, w: Values, dy: Values) {
  const { dx, dw, db } = backward(loops, x.data, w.data, dy.data);
  return { dx: valuesOf(X, dx), dw: valuesOf(W, dw), db: valuesOf([6], db) };
}

describe.each(VARIANTS)('a prepared layer, %s', (build) => {
  let conv: Conv;
  beforeAll(async () => {
    conv = await createConv(build === 'threads' ? { build, threads: 2 } : { build });
  });
  afterAll(() => conv.dispose());

  test('computes the same as loops, before and after its weights are packed', () => {
    const layer = conv.prepare({ x, w, b, ...geometry });
    for (const seed of [1, 5, 9, 2]) {
      const [other, upstream] = [tensor(X, seed), tensor(Y, seed + 1)];
      expect(layer.forward({ x: other })).toEqual(yOf(other, w, b));
      expect(layer.backward({ x: other, dy: upstream })).toEqual(gradientsOf(other, w, upstream));
    }
    layer.dispose();
  });

  test('uses updated weights and an updated bias from the next call on', () => {
    const layer = conv.prepare({ x, w, ...geometry });
    const none = new Float32Array(6);
    for (let i = 0; i < 3; i += 1) expect(layer.forward({ x })).toEqual(yOf(x, w, none));
    layer.update({ b });
    expect(layer.forward({ x })).toEqual(yOf(x, w, b));
    for (const seed of [6, 7]) {
      const other = tensor(W, seed);
      layer.update({ w: other });
      for (let i = 0; i < 3; i += 1) {
        expect(layer.forward({ x })).toEqual(yOf(x, other, b));
        expect(layer.backward({ dy, of: ['dx'] }).dx).toEqual(gradientsOf(x, other, dy).dx);
      }
    }
    layer.dispose();
  });

  test('copies its weights and shares nothing with other layers', () => {
    const mine = { shape: W, data: w.data.slice() };
    const one = conv.prepare({ x, w: mine, b, ...geometry });
    const other = conv.prepare({ x, w: tensor(W, 8), ...geometry });
    mine.data.fill(0);
    const y = one.forward({ x });
    expect(other.forward({ x })).toEqual(yOf(x, tensor(W, 8), new Float32Array(6)));
    expect(one.forward({ x })).toEqual(y);
    expect(y).toEqual(yOf(x, w, b));
    other.dispose();
    expect(one.forward({ x })).toEqual(y);
    one.dispose();
  });

  test('writes results into the given arrays, as the engine does', () => {
    const layer = conv.prepare({ x, w, b, ...geometry });
    const expected = gradientsOf(x, w, dy);
    const calls = [
      {
        run: (out: Float32Array) => layer.forward({ x, out }),
        all: (out: Backward['out'] & object) => layer.backward({ x, dy, out }),
      },
      {
        run: (out: Float32Array) => conv.forward({ x, w, b, ...geometry, out }),
        all: (out: Backward['out'] & object) => conv.backward({ x, w, dy, ...geometry, out }),
      },
    ];
    for (const { run, all } of calls) {
      // Neighbors in one buffer, and a float before and after them that must not change.
      const buffer = new Float32Array(2 + 384).fill(99);
      const y = buffer.subarray(1, 385);
      expect(run(y).data).toBe(y);
      expect({ shape: Y, data: y }).toEqual(yOf(x, w, b));
      expect([buffer[0], buffer[385]]).toEqual([99, 99]);
      const both = new Float32Array(576 + 6);
      const made = all({ dx: both.subarray(0, 576), db: both.subarray(576) });
      expect(made).toEqual(expected);
      expect(made.dx.data.buffer).toBe(both.buffer);
      expect(made.dw.data.buffer).not.toBe(both.buffer);
    }
    layer.dispose();
  });

  test('writes into no array when one of them is rejected', () => {
    const layer = conv.prepare({ x, w, ...geometry });
    const out = { dx: new Float32Array(576), dw: new Float32Array(72), db: new Float32Array(6) };
    const refused = (change: object) => errorOf(() => layer.backward({ x, dy, out: { ...out, ...change } }));
    expect(refused({ db: new Float32Array(7) })).toMatchObject({ code: 'length_mismatch', field: 'out.db' });
    const within = out.dx.subarray(570);
    expect(refused({ db: within })).toMatchObject({ code: 'invalid_argument', field: 'out.db' });
    expect(errorOf(() => layer.backward({ x, dy, out: { db: within, dx: out.dx } })).message).toContain('out.dx');
    const slice = vi.spyOn(Object.getPrototypeOf(Float32Array.prototype), 'slice').mockImplementationOnce(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    const noMemory = errorOf(() => layer.backward({ x, dy, out: { dx: out.dx, dw: out.dw } }));
    slice.mockRestore();
    expect(noMemory).toMatchObject({ code: 'out_of_memory', field: '' });
    for (const array of Object.values(out)) expect(array.every((value) => value === 0)).toBe(true);
    layer.dispose();
  });

  test('needs x for dw only, and rejects tensors of other shapes', () => {
    const layer = conv.prepare({ x: { shape: X }, w, ...geometry });
    const { dx, db } = gradientsOf(x, w, dy);
    expect(layer.backward({ dy, of: ['db', 'dx'] })).toEqual({ dx, db });
    expect(errorOf(() => layer.backward({ dy }))).toMatchObject({ code: 'invalid_argument', field: 'x' });
    const other = tensor([1, 4, 9, 8], 1);
    expect(errorOf(() => layer.forward({ x: other }))).toMatchObject({
      code: 'input_size_mismatch',
      field: 'x.shape',
      message: 'x is 1 x 4 x 9 x 8, but the layer has 2 x 4 x 9 x 8',
    });
    expect(errorOf(() => layer.backward({ dy: x, of: ['dx'] }))).toMatchObject({ field: 'dy.shape' });
    expect(errorOf(() => layer.update({ w: tensor([6, 2, 2, 2], 1) }))).toMatchObject({ field: 'w.shape' });
    expect(errorOf(() => layer.update({ x } as never))).toMatchObject({ field: 'x', code: 'invalid_argument' });
    expect(errorOf(() => layer.forward({ x, w } as never))).toMatchObject({ field: 'w', code: 'invalid_argument' });
    layer.dispose();
  });
});

describe('an algorithm by name', () => {
  let conv: Conv;
  beforeAll(async () => {
    conv = await createConv({ build: 'simd' });
  });
  afterAll(() => conv.dispose());

  const plain = { x: tensor([1, 4, 9, 8], 1), w: tensor([6, 4, 3, 3], 2), layout: 'nchw' } as const;
  const direct: Problem = {
    ...sizes,
    n: 1,
    kw: 3,
    groups: 1,
    stride: [1, 1],
    dilation: [1, 1],
    top: 0,
    left: 0,
    oh: 7,
    ow: 6,
  };
  const upstream = tensor([1, 6, 7, 6], 4);
  const grads = backward(direct, plain.x.data, plain.w.data, upstream.data);
  const exact: Record<Result, readonly number[]> = {
    y: forward(direct, plain.x.data, plain.w.data, new Float32Array(6)),
    ...grads,
  };
  const compute = (of: Result, algorithm: string): Float32Array =>
    of === 'y'
      ? conv.forward({ ...plain, algorithm }).data
      : conv.backward({ ...plain, dy: upstream, of: [of], algorithm: { [of]: algorithm } })[of].data;
  /** Products of a sum, each of at most 5 * 5. */
  const products: Record<Result, number> = { y: 4 * 9, dx: 6 * 9, dw: 7 * 6, db: 7 * 6 };

  test.each(['y', 'dx', 'dw', 'db'] as const)(
    'computes %s within its listed bound, or is rejected for its listed reason',
    (of) => {
      const listed = conv.algorithms({ ...plain, of });
      expect(listed.map(({ name }) => name)).toContain('reference');
      expect(listed.filter(({ supported }) => supported).length).toBeGreaterThan(1);
      for (const { name, supported, reason, error_bound } of listed) {
        if (!supported) {
          const error = errorOf(() => compute(of, name));
          expect([error.code, error.field]).toEqual(['unsupported', of === 'y' ? 'algorithm' : `algorithm.${of}`]);
          expect(error.message).toContain(reason);
          continue;
        }
        const bound = error_bound * 2 ** -24 * products[of] * 25;
        const values = compute(of, name);
        expect(values.length).toBe(exact[of].length);
        const worst = Math.max(...values.map((value, i) => Math.abs(value - (exact[of][i] ?? Number.NaN))));
        expect(worst, name).toBeLessThanOrEqual(bound);
      }
    },
  );

  test('is used by a layer, which returns the names of its algorithms', () => {
    const layer = conv.prepare({ ...plain, algorithm: { y: 'direct', dw: 'reference' } });
    expect([layer.algorithm('y'), layer.algorithm('dw')]).toEqual(['direct', 'reference']);
    const names = conv.algorithms({ ...plain, of: 'dx' }).map(({ name }) => name);
    expect(names).toContain(layer.algorithm('dx'));
    expect(errorOf(() => layer.algorithm('z' as 'y'))).toMatchObject({ code: 'invalid_argument', field: 'of' });
    expect([...layer.forward({ x: plain.x }).data]).toEqual(exact.y);
    layer.dispose();
  });
});

describe('dispose', () => {
  test('makes later calls throw disposed, and may be called again', async () => {
    const conv = await createConv({ build: 'simd' });
    const [one, other] = [conv.prepare({ x, w, ...geometry }), conv.prepare({ x, w, ...geometry })];
    one.dispose();
    one.dispose();
    expect(errorOf(() => one.forward({ x }))).toMatchObject({ code: 'disposed', field: '' });
    expect(other.forward({ x }).shape).toEqual(Y);
    conv.dispose();
    conv.dispose();
    for (const call of [
      () => other.forward({ x }),
      () => other.backward({ x, dy }),
      () => other.update({ w }),
      () => other.algorithm('y'),
      () => conv.forward({ x, w, ...geometry }),
      () => conv.backward({ x, w, dy, ...geometry }),
      () => conv.prepare({ x, w, ...geometry }),
      () => conv.algorithms({ x, w, ...geometry, of: 'y' }),
    ]) {
      expect(errorOf(call)).toMatchObject({ code: 'disposed', message: expect.stringContaining('disposed') });
    }
    other.dispose();
  });

  test.runIf(Symbol.dispose)('is called by `using`', async () => {
    const conv = await createConv({ build: 'simd' });
    const layer = conv.prepare({ x, w, ...geometry });
    layer[Symbol.dispose]();
    expect(errorOf(() => layer.forward({ x })).code).toBe('disposed');
    conv[Symbol.dispose]();
    expect(errorOf(() => conv.forward({ x, w, ...geometry })).code).toBe('disposed');
  });

  test('frees all memory, as one-shot calls and rejected layers do', async () => {
    const { module } = await loadModule('simd');
    const conv = new ModuleConv({ module, build: 'simd', threads: 1, stop: () => undefined });
    const work = (): void => {
      conv.forward({ x, w, b, ...geometry });
      conv.backward({ x, w, dy, ...geometry });
      conv.algorithms({ x, w, ...geometry, of: 'dx' });
      for (const wrong of [{ stride: 0 }, { b: new Float32Array(5) }, { algorithm: { y: 'guess' } }]) {
        expect(() => conv.prepare({ x, w, ...geometry, ...wrong })).toThrow();
      }
      const layer = conv.prepare({ x, w, b, ...geometry });
      for (let i = 0; i < 3; i += 1) layer.forward({ x });
      layer.dispose();
    };
    work();
    const before = module.heap_in_use();
    for (let i = 0; i < 20; i += 1) work();
    expect(module.heap_in_use()).toBe(before);
    const left = conv.prepare({ x, w, ...geometry });
    left.forward({ x });
    expect(module.heap_in_use()).toBeGreaterThan(before);
    conv.dispose();
    expect(module.heap_in_use()).toBe(before);
  });
});
