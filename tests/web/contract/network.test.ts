import { beforeAll, describe, expect, test } from 'vitest';
import type { SentLayer } from '../../../web/src/protocol/layers';
import type { ComputeRequest, ComputeResult } from '../../../web/src/protocol/messages';
import type { Tensor } from '../../../web/src/protocol/problem';
import { VERDICT } from '../../../web/src/views/shared/answers';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { CHAINS, requestOf } from './golden-chains';
import { among, makeDesc, makeRequest, RELU, ramp, sent, sentConv } from './requests';
import { errorOf, layerIn, load, numbers } from './support';

// Networks in the real module. Expected values: tests/golden/chains.json (PyTorch, float64), or by hand.

/** Integers are exact; others within the rounding of float32 over some hundred terms of size 1. */
function expectClose(found: Tensor | undefined, expected: readonly number[], exact: boolean): void {
  const values = numbers(found?.data);
  expect(values).toHaveLength(expected.length);
  const most = exact ? 0 : 1e-4;
  for (const [i, value] of values.entries()) expect(Math.abs(value - (expected[i] ?? 0))).toBeLessThanOrEqual(most);
}

describe.each(['simd', 'relaxed'] as const)('networks in the module %s', (variant) => {
  let engine: ConvEngine;
  beforeAll(async () => {
    const loaded = await load(variant);
    engine = new ConvEngine(loaded.module, answerQuestion, hide);
  });
  const compute = (request: ComputeRequest): ComputeResult => engine.compute(request, 1);

  test('agree with PyTorch in all layers', () => {
    expect(CHAINS.length).toBeGreaterThan(80);
    for (const chain of CHAINS) {
      const result = compute(requestOf(chain));
      const { exact, layers } = chain;
      expectClose(layerIn(result).tensors.dx, chain.dx, exact);
      if (chain.loss === 'linear') expect(result.loss).toBeNull();
      else expect(result.loss).toBeCloseTo(chain.value, 4);
      for (const [i, golden] of layers.entries()) {
        const { tensors, extras, runs } = layerIn(result, i);
        expectClose(tensors.y, golden.y, exact);
        expectClose(tensors.dy, golden.dy, exact);
        if (golden.winners) expect(numbers(extras?.winners)).toEqual(golden.winners);
        if (golden.w) expectClose(tensors.dw, golden.dw ?? [], exact);
        if (golden.b) expectClose(tensors.db, golden.db, exact);
        // What lies between two layers is sent once.
        expect(tensors.x ?? (i > 0 ? tensors.dx : undefined)).toBeUndefined();
        expect(Object.keys(runs)).toContain('forward');
      }
    }
  });

  test('check the gradient of each layer through all later ones, and agree with PyTorch', () => {
    let kinks = 0;
    for (const chain of CHAINS.filter((_, i) => i % 4 === 0)) {
      const { loss, other, layers, shape } = chain;
      if (shape.includes(0)) continue;
      compute(requestOf(chain));
      for (const [open, { w }] of layers.entries()) {
        if (!w) continue;
        for (const parameter of ['x', 'w', 'b'] as const) {
          if (parameter === 'b' && !layers[open]?.b) continue;
          const target = loss === 'linear' ? null : Float32Array.from(other);
          const { runs } = engine.ask(1, {
            ...{ kind: 'gradient_check', parameter, loss, target, precision: 'float64', epsilons: [2 ** -12] },
            ...{ indices: 'all', layer: open },
          });
          const own = layers[open];
          const expected = { x: open > 0 ? layers[open - 1]?.dy : chain.dx, w: own?.dw, b: own?.db }[parameter] ?? [];
          const { analytic, numeric, verdict, bends } = runs[0]?.cells ?? expect.fail('no run');
          expect(analytic).toHaveLength(expected.length);
          for (const [i, wanted] of expected.entries()) {
            expect(Math.abs((analytic[i] ?? Number.NaN) - wanted)).toBeLessThan(1e-4);
            if (verdict[i] === VERDICT.atKink || verdict[i] === VERDICT.atTie) {
              kinks += 1;
              expect(bends?.layer[i]).toBeGreaterThanOrEqual(open);
            } else {
              // Where all of a gradient is 0, no slope is small beside it.
              const isFlat = expected.every((each) => each === 0);
              expect([VERDICT.confirmed, VERDICT.withinRounding, ...(isFlat ? [VERDICT.undecided] : [])]).toContain(
                verdict[i],
              );
              expect(Math.abs((numeric[i] ?? Number.NaN) - wanted)).toBeLessThan(1e-4);
            }
          }
        }
      }
    }
    // Chains of integers have zeros and ties.
    expect(kinks).toBeGreaterThan(0);
  });

  const pool = { kh: 1, kw: 2, stride_h: 1, stride_w: 2, padding: { top: 0, bottom: 0, left: 0, right: 0 } };
  const bent = (x: readonly number[], after: readonly SentLayer[]): ComputeRequest =>
    among(
      makeRequest(makeDesc({ h: 1, w: x.length, kh: 1, kw: 1 }), { x: Float32Array.from(x), w: Float32Array.of(1) }),
      { after },
    );
  const checked = (request: ComputeRequest, epsilon: number) => {
    compute(request);
    const { runs } = engine.ask(1, {
      ...{ kind: 'gradient_check', parameter: 'x', loss: 'linear', target: null, precision: 'float64' },
      ...{ epsilons: [epsilon], indices: 'all' },
    });
    const { verdict, numeric, bends } = runs[0]?.cells ?? expect.fail('no run');
    return { verdict: numbers(verdict), numeric: numbers(numeric), ...bends };
  };

  test('name the cell where ReLU changes sign within the step', () => {
    // From −0.125 to 0.375 ReLU rises by 0.375 = 0.75 · 2ε.
    const step = checked(bent([2, 0.125, -1], [RELU]), 0.25);
    expect(step.verdict).toEqual([VERDICT.confirmed, VERDICT.atKink, VERDICT.confirmed]);
    expect(step.numeric).toEqual([1, 0.75, 0]);
    expect(step.layer).toEqual(Int32Array.of(-1, 1, -1));
    expect(step.cell).toEqual(Int32Array.of(-1, 1, -1));
    expect(checked(bent([2, 0.125, -1], [RELU]), 0.0625).verdict).toEqual([0, 0, 0]);
  });

  test('name the cell of max pooling that takes another winner within the step', () => {
    // max(x2, 5) with x2 = 4.875 ± 0.25: from 5 to 5.125.
    const step = checked(bent([7, 1, 4.875, 5], [sent({ kind: 'max_pool', fields: pool })]), 0.25);
    expect(step.verdict).toEqual([VERDICT.confirmed, VERDICT.confirmed, VERDICT.atTie, VERDICT.atTie]);
    expect(step.numeric).toEqual([1, 0, 0.25, 0.75]);
    expect([step.layer, step.cell]).toEqual([Int32Array.of(-1, -1, 1, 1), Int32Array.of(-1, -1, 1, 1)]);
  });

  test('name a tie of two equal cells, at every step, with the slopes on both sides', () => {
    for (const epsilon of [0.25, 1e-3, 1e-7]) {
      const step = checked(bent([1, 3, 5, 5], [sent({ kind: 'max_pool', fields: pool })]), epsilon);
      expect(step.verdict).toEqual([VERDICT.confirmed, VERDICT.confirmed, VERDICT.atTie, VERDICT.atTie]);
      expect(step.at_value).toEqual(Int32Array.of(0, 0, 1, 1));
      expect([step.winner_above?.[2], step.winner_below?.[2]]).toEqual([2, 3]);
      expect([step.winner_above?.[3], step.winner_below?.[3]]).toEqual([3, 2]);
      for (const cell of [2, 3]) {
        expect(step.slope_above?.[cell]).toBeCloseTo(1, 6);
        expect(step.slope_below?.[cell]).toBe(0);
      }
    }
    // The input of ReLU is 0.
    const gate = checked(bent([0, 2], [RELU]), 1e-3);
    expect([gate.verdict, gate.at_value?.[0]]).toEqual([[VERDICT.atKink, VERDICT.confirmed], 1]);
  });

  test('answer questions after a network that was refused, and check db without a bias', () => {
    const request = bent([3, -2], [RELU]);
    compute(request);
    const ask = () =>
      engine.ask(1, {
        ...{ kind: 'gradient_check', parameter: 'b', loss: 'mse', target: 'near_y', precision: 'float64' },
        ...{ epsilons: [0.25], indices: 'all' },
      }).runs[0]?.cells;
    // y = 3, 0 and y − target = 0.5, −0.25; the gate of the second is closed: db = 0.5 / 2.
    expect(numbers(ask()?.analytic)).toEqual([0.25]);
    expect(ask()?.numeric[0]).toBeCloseTo(0.25, 12);
    // Refused before the session changes: the problem is still the one before.
    expect(() => compute(among(makeRequest(makeDesc({ stride_h: 0 })), { after: [RELU] }))).toThrow('stride is 0');
    expect(numbers(ask()?.analytic)).toEqual([0.25]);
  });

  const withMean = among(makeRequest(), {
    after: [
      sent({
        kind: 'average_pool',
        fields: { kh: 2, kw: 2, stride_h: 2, stride_w: 2, padding: { top: 0, bottom: 0, left: 0, right: 0 } },
      }),
    ],
  });

  test('send the sum and the count of each mean', () => {
    const result = compute(withMean);
    const { tensors, extras } = layerIn(result, 1);
    expect(numbers(tensors.y?.data)).toEqual([415.5]);
    expect(extras?.averages).toEqual({ sums: Float32Array.of(1662), counts: Int32Array.of(4) });
    expect(numbers(layerIn(result).tensors.dy?.data)).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  test('answer the products of a sum of any convolution; other layers are refused', () => {
    const conv = sentConv({ desc: makeDesc({ h: 2, w: 2, kh: 2, kw: 2 }), w: ramp(4, 5), b: null });
    compute(among(makeRequest(), { after: [conv] }));
    const cells = Int32Array.of(0, 1, 2, 3);
    const ask = (layer: number, a: 'x' | 'w', b: 'w' | 'dy') =>
      engine.ask(1, { kind: 'products', a, b, index_a: cells, index_b: cells, run: 4, layer });
    // y of the first layer, see above, times 5 … 8.
    expect(ask(1, 'x', 'w')).toMatchObject({ products: Float32Array.of(1515, 2088, 3381, 4224), sum: 11208 });
    // Its dy: the weights of the second.
    expect(numbers(ask(0, 'x', 'dy').products)).toEqual([0, 6, 14, 24]);
    expect(numbers(ask(0, 'w', 'dy').products)).toEqual([5, 12, 21, 32]);
    expect(errorOf(() => ask(2, 'x', 'w'))).toMatchObject({ message: 'there is no layer 2' });
    compute(among(makeRequest(), { after: [RELU] }));
    expect(errorOf(() => ask(1, 'x', 'w'))).toMatchObject({ message: 'the layer has no weights' });
  });

  test('set a random dy at the end as for a problem of that size', () => {
    const loss = { kind: 'given', dy: { kind: 'random', seed: 5 } } as const;
    const end = layerIn(compute({ ...withMean, loss }), 1);
    const alone = layerIn(engine.compute(makeRequest(makeDesc({ h: 3, w: 3 }), { loss }), 2));
    expect(end.tensors.dy?.data).toEqual(alone.tensors.dy?.data);
  });

  test('hide values of any layer; what lies between two has two names', () => {
    const forms = [
      [{ layer: 0, tensor: 'y', index: 2 } as const, { layer: 0, tensor: 'dy', index: null } as const],
      [{ layer: 1, tensor: 'x', index: 2 } as const, { layer: 1, tensor: 'dx', index: null } as const],
    ];
    for (const hidden of forms) {
      const result = compute({ ...withMean, hidden });
      const { tensors, hides } = layerIn(result);
      expect(hides).toBe(true);
      expect(numbers(tensors.y?.data)).toEqual([303, 348, Number.NaN, 528]);
      expect(tensors.y?.stats.max).toBe(528);
      expect(numbers(tensors.dy?.data)).toEqual(Array(4).fill(Number.NaN));
      expect(numbers(layerIn(result, 1).tensors.y?.data)).toEqual([415.5]);
    }
    const after = compute({ ...withMean, hidden: [{ layer: 1, tensor: 'y', index: 0 }] });
    expect(numbers(layerIn(after).tensors.y?.data)).toEqual([303, 348, 483, 528]);
    expect(layerIn(after, 1).extras?.averages?.sums).toEqual(Float32Array.of(Number.NaN));
  });

  test('hide the single products and the gradient of another loss, if x of the layer is hidden', () => {
    const one = sentConv({ desc: makeDesc(), w: ramp(9, 1), b: null });
    const desc = makeDesc({ h: 2, w: 2, kh: 1, kw: 1, stride_h: 2, stride_w: 2 });
    const request = among({ ...makeRequest(desc), x: ramp(16) }, { before: [one], input: makeRequest().input });
    const stage = { kind: 'stage', layer: 1, stage: 'dw_uncropped', order: 'kh_kw_c', transposed: false } as const;
    const check = {
      ...({ kind: 'gradient_check', parameter: 'w', loss: 'mse', target: 'near_y', precision: 'float64' } as const),
      ...({ epsilons: [2 ** -7], indices: 'all', layer: 1 } as const),
    };
    const told = () => [engine.ask(1, stage).data, engine.ask(1, check).runs[0]?.cells.analytic].map(numbers);
    compute(request);
    // dy is 1, and y1[0,0] = 1·2 + 2·3 + 4·4 + … + 10·9 = 303; y2 - target is 0.5.
    expect(told()).toEqual([[303, 348, 483, 528], [151.5]]);
    compute({ ...request, hidden: [{ layer: 0, tensor: 'y', index: 0 }] });
    expect(told()).toEqual([Array(4).fill(Number.NaN), [Number.NaN]]);
  });

  test('hide the sum of a hidden cell, and each product with it in the layer that reads it', () => {
    const next = sentConv({ desc: makeDesc({ h: 2, w: 2, kh: 1, kw: 1 }), w: Float32Array.of(2), b: null });
    compute({ ...among(makeRequest(), { after: [next] }), hidden: [{ layer: 0, tensor: 'y', index: 0 }] });
    const told = (layer: number, index: number) => {
      const cells = { index_a: Int32Array.of(0, 1), index_b: Int32Array.of(0, 0), run: 2 };
      const of = { tensor: 'y', index } as const;
      const { products, sum } = engine.ask(1, { kind: 'products', layer, a: 'x', b: 'w', ...cells, of });
      return [...products, sum];
    };
    // x = 0, 1, w = 1; y1[0,0] = 303 and y1[0,1] = 348 are the x of the second layer, times 2. The sum of a visible cell is sent.
    expect(told(0, 1)).toEqual([0, 1, 1]);
    expect(told(0, 0)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(told(1, 1)).toEqual([Number.NaN, 696, 1302]);
  });

  test('hide the loss and all gradients with a hidden output', () => {
    const hidden = [{ layer: 1, tensor: 'y', index: 0 }] as const;
    const { layers, loss } = compute({ ...withMean, loss: { kind: 'mse', target: null }, hidden });
    expect(loss).toBeNaN();
    const gradients = layers.flatMap(({ tensors: { dx, dw, db, dy } }) => [dx, dw, db, dy].filter(Boolean));
    expect(gradients).toHaveLength(5);
    for (const gradient of gradients) expect(numbers(gradient?.data).every(Number.isNaN)).toBe(true);
  });

  test('refuse to hide what no layer computes, and layers that do not fit, and name the layer', () => {
    const code = 'invalid_argument';
    for (const [layer, tensor, what] of [
      [2, 'y', 'layer 2'],
      [0, 'y1', 'tensor y1'],
    ] as const) {
      const hidden = [{ layer, tensor: tensor as 'y', index: 0 }];
      expect(errorOf(() => compute({ ...withMean, hidden }))).toMatchObject({ code, message: `there is no ${what}` });
    }
    const padding = { top: 0, bottom: 0, left: 0, right: 0 };
    const after = [sent({ kind: 'max_pool', fields: { kh: 3, kw: 3, stride_h: 1, stride_w: 1, padding } })];
    const error = errorOf(() => compute(among(makeRequest(), { after })));
    expect(error).toMatchObject({ code: 'kernel_too_large', field: 'layers[1].kh' });
  });

  test('recognize the mistakes of a ReLU in a predicted gradient', async () => {
    // b = −400: y1 = −97, −52, 83, 128.
    const dy = { kind: 'values', shape: [1, 2, 2, 1], data: Float32Array.of(5, 6, -7, 8) } as const;
    const request = among(makeRequest(makeDesc(), { b: Float32Array.of(-400), loss: { kind: 'given', dy } }), {
      after: [RELU],
    });
    compute({ ...request, hidden: [{ layer: 0, tensor: 'dy', index: null }] });
    const told = async (index: number, written: string) => {
      const asked = { kind: 'diagnose', pass: 'backward_data', layer: 1, index, written } as const;
      await prepareAnswer(asked);
      const { verdict, mistakes } = engine.ask(1, asked);
      return [verdict, ...mistakes.map(({ id }) => id)];
    };
    expect(await told(0, '0')).toEqual(['right']);
    expect(await told(0, '5')).toEqual(['known', 'gate_forgotten', 'gate_of_dy']);
    expect(await told(0, '-97')).toEqual(['unknown']);
    expect(await told(2, '-7')).toEqual(['right']);
    expect(await told(2, '0')).toEqual(['known', 'gate_of_dy']);
    // The convolution is diagnosed in the same way: y1[0,0] without the last of its nine products.
    compute({ ...request, hidden: [{ layer: 0, tensor: 'y', index: 0 }] });
    const asked = { kind: 'diagnose', pass: 'forward', layer: 0, index: 0 } as const;
    expect(engine.ask(1, { ...asked, written: '-97' }).verdict).toBe('right');
    expect(engine.ask(1, { ...asked, written: '303' }).verdict).toBe('known');
    expect(errorOf(() => engine.ask(1, { ...asked, layer: 2, written: '1' }))).toMatchObject({ field: 'layer' });
    // The layer of a list of one is the first, too.
    compute(makeRequest());
    expect(engine.ask(1, { ...asked, written: '303' }).verdict).toBe('right');
  });

  test('count their memory, and free it when a problem of one layer follows', () => {
    const desc = makeDesc({ h: 400, w: 400, kh: 1, kw: 1 });
    const x = new Float32Array(400 * 400);
    compute(makeRequest());
    const small = engine.memory.used;
    const after = [RELU, RELU, RELU] as const;
    compute(among(makeRequest(desc, { x, w: Float32Array.of(1) }), { after }));
    // x and y, dx and dy of four layers: at least eight tensors of 640 kB.
    expect(engine.memory.used - small).toBeGreaterThan(8 * 640_000);
    // The question is refused, and the network's problem stays.
    expect(errorOf(() => compute(makeRequest(makeDesc({ stride_h: 0 })))).code).toBe('invalid_stride');
    engine.compute(makeRequest(), 2);
    expect(engine.memory.used - small).toBeLessThan(4096);
  });

  test('a problem of one layer follows, and its questions are about it', () => {
    compute(withMean);
    const alone = compute(makeRequest());
    expect(numbers(layerIn(alone).tensors.y?.data)).toEqual([303, 348, 483, 528]);
    expect(alone.layers).toHaveLength(1);
  });

  test.each([[], [{ layer: 0, tensor: 'y', index: 2 }]] as const)(
    'results are copies that can be transferred (%j hidden)',
    (...hidden) => {
      const { layers } = compute({ ...withMean, hidden });
      const y = layers[0]?.tensors.y;
      const before = numbers(y?.data);
      compute({ ...withMean, x: ramp(16, 100) });
      expect(numbers(y?.data)).toEqual(before);
      const buffers = layers.flatMap(({ tensors }) => Object.values(tensors).map(({ data }) => data.buffer));
      expect(buffers).toHaveLength(7);
      expect(new Set(buffers).size).toBe(buffers.length);
    },
  );
});
