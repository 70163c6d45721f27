import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PlaneSizes, SentLayer } from '../../../web/src/protocol/layers';
import type { Learned } from '../../../web/src/protocol/learn';
import type { ComputeRequest, ComputeResult, SentLoss } from '../../../web/src/protocol/messages';
import type { Tensor } from '../../../web/src/protocol/problem';
import { answerQuestion } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { among, makeDesc, makeRequest, ownLayer, RELU, sent, sentConv } from './requests';
import { errorOf, load, numbers } from './support';

// Gradient descent on networks in the real module. Expected values: tests/golden/descents.json (PyTorch, float64), or by hand.

describe.each(['simd', 'relaxed'] as const)('networks in the module %s', (variant) => {
  let engine: ConvEngine;
  beforeAll(async () => {
    const loaded = await load(variant);
    engine = new ConvEngine(loaded.module, answerQuestion);
  });
  const compute = (request: ComputeRequest): ComputeResult => engine.compute(request, 1);

  interface Descent {
    readonly name: string;
    readonly rate: number;
    readonly scale: number;
    readonly pool: boolean;
    readonly losses: readonly number[];
    readonly norms: readonly (readonly number[])[];
    readonly learned: Readonly<Record<'w1' | 'b1' | 'w2' | 'y', readonly number[]>>;
  }
  type Given = Readonly<Record<'x' | 'w1' | 'b1' | 'w2' | 'target', readonly number[]>>;
  const DESCENTS = JSON.parse(
    readFileSync(new URL('../../golden/descents.json', import.meta.url), 'utf8'),
  ) as readonly (Descent & Given)[];

  /** The network of tests/golden/make_descents.py. */
  function descentOf({ x, w1, b1, w2, target, pool }: Descent & Given): ComputeRequest {
    const none = { top: 0, bottom: 0, left: 0, right: 0 };
    const input: PlaneSizes = { layout: 'nchw', n: 2, c: 2, h: 6, w: 6 };
    const first = makeDesc({ ...input, k: 3, kh: 3, kw: 3, padding: none });
    const inner = pool ? 2 : 4;
    const last = makeDesc({ ...input, c: 3, h: inner, w: inner, k: 2, kh: 2, kw: 2, padding: none });
    const floats = (values: readonly number[]) => Float32Array.from(values);
    const between: readonly SentLayer[] = [
      RELU,
      ...(pool ? [sent({ kind: 'max_pool', fields: { kh: 2, kw: 2, stride_h: 2, stride_w: 2, padding: none } })] : []),
    ];
    const convolutions = [
      { desc: first, w: floats(w1), b: floats(b1) },
      { desc: last, w: floats(w2), b: null },
    ] as const;
    const [firstSent, lastSent] = convolutions.map((each) => sentConv(each)) as [SentLayer, SentLayer];
    const layers = [firstSent, ...between, lastSent];
    const loss: SentLoss = { kind: 'mse', target: floats(target) };
    return { ...makeRequest(first, { x: floats(x), loss }), layers };
  }

  const ask = ({ rate, scale }: Descent, steps: number, change: object = {}): Learned =>
    engine.ask(1, {
      ...{ kind: 'learn', learns: 'w', teacher: null, fromZero: false, rate, batch: 2, noise: 0, scale, steps },
      ...{ watch: Int32Array.of(1), ...change },
    });

  const tensorsOf = ({ layers }: ComputeResult) => layers.map(({ tensors }) => tensors);

  const expectNear = (found: ArrayLike<number> | undefined, expected: readonly number[]): void => {
    expect(found?.length).toBe(expected.length);
    for (const [i, value] of expected.entries()) expect(found?.[i]).toBeCloseTo(value, 5);
  };

  test('learn in all layers as PyTorch does, with losses and norms of each step', () => {
    expect(DESCENTS).toHaveLength(2);
    for (const descent of DESCENTS) {
      const { losses, norms, learned } = descent;
      for (const isFirst of [true, false]) {
        const request = descentOf(descent);
        const shown = tensorsOf(compute(request));
        const steps = losses.length - 1;
        const layer = isFirst ? 0 : request.layers.length - 1;
        const { layers, history, tensors, target, loss, step_size } = ask(descent, steps, { layer });
        expectNear(history.losses, losses);
        expectNear(history.norms, norms.flat());
        expectNear(layers?.[0]?.w, learned.w1);
        expectNear(layers?.[0]?.b ?? [], learned.b1);
        expectNear(layers?.[1]?.w, learned.w2);
        expect(layers?.[1]?.b).toBeNull();
        // The layer of the question is the one of the panels.
        expectNear(tensors.w?.data, isFirst ? learned.w1 : learned.w2);
        expect(tensors.b === undefined).toBe(!isFirst);
        expect(history.watched.at(-1)).toBe(tensors.w?.data[1]);
        if (!isFirst) expectNear(tensors.y?.data, learned.y);
        if (!isFirst) expectNear(target?.data, descent.target);
        if (isFirst) expect([target, tensors.x]).toEqual([null, undefined]);
        expect([step_size, loss]).toEqual([null, history.losses.at(-1)]);
        // Back, and forward again: the same bits. The problem has not changed.
        expect(ask(descent, 2, { layer }).history.losses).toEqual(history.losses.slice(0, 3));
        expect(ask(descent, steps, { layer }).layers).toEqual(layers);
        expect(tensorsOf(compute(request))).toEqual(shown);
      }
    }
  });

  test('stop before float32 overflows, and refuse settings that are invalid', () => {
    const [descent] = DESCENTS;
    if (!descent) expect.fail('no descent');
    compute(descentOf(descent));
    const far = ask({ ...descent, rate: 1e4 }, 500);
    expect(far.steps).toBeLessThan(500);
    expect(Number.isFinite(far.loss)).toBe(true);
    // The weights of the first layer alone.
    const teacher = { weights: new Float32Array(54), scale: 1 };
    expect(errorOf(() => ask(descent, 1, { teacher }))).toMatchObject({ field: 'teacher.weights' });
    expect(errorOf(() => ask(descent, 1, { scale: -1 }))).toMatchObject({ field: 'scale' });
  });

  test('learn x, and from mini-batches, by the gradients of those images', () => {
    const [descent] = DESCENTS;
    if (!descent) expect.fail('no descent');
    const request = descentOf(descent);
    const moved = (values: readonly number[], slopes: Tensor | undefined) =>
      values.map((value, i) => value - descent.rate * (slopes?.data[i] ?? Number.NaN));
    const [first] = tensorsOf(compute(request));
    const { tensors } = ask(descent, 1, { learns: 'x', watch: new Int32Array() });
    expectNear(tensors.x?.data, moved(descent.x, first?.dx));
    const { layers } = ask(descent, 1, { batch: 1 });
    const half = (values: readonly number[]) => Float32Array.from(values.slice(0, values.length / 2));
    const loss = { kind: 'mse', target: half(descent.target) };
    const image = tensorsOf(compute({ ...request, input: { ...request.input, n: 1 }, x: half(descent.x), loss }));
    expectNear(layers[0]?.w, moved(descent.w1, image[0]?.dw));
    expectNear(layers[0]?.b ?? [], moved(descent.b1, image[0]?.db));
    expectNear(layers[1]?.w, moved(descent.w2, image.at(-1)?.dw));
  });

  test('find x for other weights of all layers, and add noise to the target', () => {
    const [descent] = DESCENTS;
    if (!descent) expect.fail('no descent');
    const request = descentOf(descent);
    const y = numbers(
      tensorsOf(compute({ ...request, layers: request.layers.with(0, { ...ownLayer(request), b: null }) })).at(-1)?.y
        ?.data,
    );
    compute(request);
    const teacher = { weights: Float32Array.from([...descent.w1, ...descent.w2]), scale: 1 };
    const layer = request.layers.length - 1;
    // Those weights without their bias, and the x of the problem, give the target.
    expect(ask(descent, 0, { learns: 'x', teacher, watch: new Int32Array() }).loss).toBe(0);
    expectNear(ask(descent, 0, { teacher, layer }).target?.data, y);
    const noisy = numbers(ask(descent, 0, { teacher, layer, noise: 0.5 }).target?.data).map(
      (value, i) => value - (y[i] ?? 0),
    );
    expect(Math.max(...noisy)).toBeGreaterThan(0.1);
    expect(Math.max(...noisy.map(Math.abs))).toBeLessThan(0.5001);
  });

  test('aim at the y of other weights, each times a scale', () => {
    const one = makeDesc({ h: 1, w: 1, kh: 1, kw: 1 });
    const last = sentConv({ desc: one, w: Float32Array.of(1), b: null });
    const first = makeRequest(one, { x: Float32Array.of(5), w: Float32Array.of(3) });
    const request = among(first, { after: [RELU, last] });
    compute(request);
    const settings = { rate: 0, batch: 1, noise: 0, scale: 1, watch: Int32Array.of(0), fromZero: false, steps: 0 };
    const asked = {
      kind: 'learn',
      learns: 'w',
      teacher: { weights: Float32Array.of(20, 40), scale: 0.1 },
      ...settings,
      layer: 2,
    } as const;
    const { target, loss, layers } = engine.ask(1, asked);
    // 4 (2 · 5) = 40, and y = 15.
    expect(target?.data[0]).toBeCloseTo(40, 4);
    expect(loss).toBeCloseTo(25 ** 2 / 2, 3);
    expect(layers?.map(({ w }) => [...w])).toEqual([[3], [1]]);
  });

  test('name a ReLU that a large step has closed', () => {
    // y = w2 max(w1 x, 0) = 1 with the target 0: both gradients are 1, and a rate of 2 moves both weights to -1.
    const one = makeDesc({ h: 1, w: 1, kh: 1, kw: 1 });
    const loss = { kind: 'mse', target: Float32Array.of(0) } as const;
    const first = makeRequest(one, { x: Float32Array.of(1), w: Float32Array.of(1), loss });
    compute(among(first, { after: [RELU, sentConv({ desc: one, w: Float32Array.of(1), b: null })] }));
    const learned = (steps: number) => {
      const settings = { rate: 2, batch: 1, noise: 0, scale: 1, watch: Int32Array.of(0) };
      return engine.ask(1, { kind: 'learn', learns: 'w', teacher: null, fromZero: false, ...settings, steps });
    };
    expect(learned(0)).toMatchObject({ loss: 0.5, closed: [] });
    expect(learned(1)).toMatchObject({ loss: 0, closed: [1] });
  });

  // x = 0 … 15, w = 1 … 9 on 4 × 4: y[0,0] = 0·1 + 1·2 + 2·3 + 4·4 + … + 10·9 = 303; one column on adds the sum of w, 45, a row 4 · 45.
});
