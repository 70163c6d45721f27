import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ComputeRequest, ComputeResult, DySource } from '../../../web/src/protocol/messages';
import { type LayerOf, outputOf, type PlaneSizes, shapeOfSizes } from '../../../web/src/protocol/network';
import type { ConvDesc, Tensor } from '../../../web/src/protocol/problem';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { loadNetworkModule, NetworkEngine } from '../../../web/src/worker/network';
import { makeDesc, makeRequest, ramp } from './requests';
import { errorOf, load, numbers } from './support';

// Networks in the real module. Expected values: tests/golden/chains.json (PyTorch, float64), or by hand.

interface GoldenLayer {
  readonly kind: LayerOf<unknown>['kind'];
  readonly window: readonly [number, number];
  readonly stride: readonly [number, number];
  readonly padding: readonly [top: number, bottom: number, left: number, right: number];
  readonly dilation: readonly [number, number];
  readonly k: number;
  readonly groups: number;
  readonly count_include_pad?: boolean;
  readonly y: readonly number[];
  readonly dy: readonly number[];
  readonly winners?: readonly number[];
  readonly w: readonly number[];
  readonly b?: readonly number[];
  readonly dw: readonly number[];
  readonly db: readonly number[];
}

interface GoldenChain {
  readonly exact: boolean;
  /** NCHW, as all values. */
  readonly shape: readonly [number, number, number, number];
  readonly x: readonly number[];
  readonly loss: 'linear' | 'mse' | 'log_cosh';
  readonly other: readonly number[];
  readonly value: number;
  readonly dx: readonly number[];
  readonly layers: readonly GoldenLayer[];
}

const CHAINS = (
  JSON.parse(readFileSync(new URL('../../golden/chains.json', import.meta.url), 'utf8')) as readonly GoldenChain[]
).filter(
  ({ layers }) =>
    layers.some(({ kind }) => kind === 'conv') && layers.every(({ count_include_pad = true }) => count_include_pad),
);

type Layer = LayerOf<Float32Array>;

function layerOf(golden: GoldenLayer, input: PlaneSizes): Layer {
  if (golden.kind === 'relu') return { kind: 'relu' };
  const [kh, kw] = golden.window;
  const [stride_h, stride_w] = golden.stride;
  const [top, bottom, left, right] = golden.padding;
  const window = { kh, kw, stride_h, stride_w, padding: { top, bottom, left, right } };
  if (golden.kind !== 'conv') return { kind: golden.kind, pool: window };
  const [dilation_h, dilation_w] = golden.dilation;
  const { k, groups } = golden;
  const desc: ConvDesc = { ...input, ...window, k, groups, dilation_h, dilation_w, padding_mode: 'explicit_sides' };
  return { kind: 'conv', desc, w: Float32Array.from(golden.w), b: golden.b ? Float32Array.from(golden.b) : null };
}

/** The request with the convolution `open` as its problem. */
function requestOf({ shape: [n, c, h, w], x, loss, other, layers }: GoldenChain, open: number): ComputeRequest {
  const input: PlaneSizes = { layout: 'nchw', n, c, h, w };
  let sizes = input;
  const made = layers.map((golden) => {
    const layer = layerOf(golden, sizes);
    sizes = outputOf(layer, sizes);
    return layer;
  });
  const own = made[open];
  if (own?.kind !== 'conv') throw new Error('the open layer is no convolution');
  const data = Float32Array.from(other);
  const dy: DySource =
    loss === 'linear' ? { kind: 'values', shape: shapeOfSizes(sizes), data } : { kind: loss, target: data };
  const network = { before: made.slice(0, open), after: made.slice(open + 1), input: shapeOfSizes(input) };
  return makeRequest(own.desc, { x: Float32Array.from(x), w: own.w, b: own.b, dy, network });
}

/** Integers are exact; others within the rounding of float32 over some hundred terms of size 1. */
function expectClose(found: Tensor | undefined, expected: readonly number[], exact: boolean): void {
  const values = numbers(found?.data);
  expect(values).toHaveLength(expected.length);
  const most = exact ? 0 : 1e-4;
  for (const [i, value] of values.entries()) expect(Math.abs(value - (expected[i] ?? 0))).toBeLessThanOrEqual(most);
}

describe.each(['simd', 'relaxed'] as const)('networks in the module %s', (variant) => {
  let engine: ConvEngine;
  let networks: NetworkEngine;
  beforeAll(async () => {
    const loaded = await load(variant);
    engine = new ConvEngine(loaded.module, answerQuestion, hide);
    networks = new NetworkEngine(await loadNetworkModule(variant));
  });
  const compute = (request: ComputeRequest): ComputeResult => networks.compute(engine, request, 1, () => undefined);

  test('agree with PyTorch in all layers, with each convolution open', () => {
    expect(CHAINS.length).toBeGreaterThan(80);
    for (const chain of CHAINS) {
      for (const [open, { kind }] of chain.layers.entries()) {
        if (kind !== 'conv') continue;
        const { network, tensors, loss } = compute(requestOf(chain, open));
        const { exact, layers } = chain;
        expectClose(network?.gradients[0], chain.dx, exact);
        if (chain.loss !== 'linear') expect(network?.loss).toBeCloseTo(chain.value, 4);
        for (const [i, golden] of layers.entries()) {
          expectClose(network?.values[i + 1], golden.y, exact);
          expectClose(network?.gradients[i + 1], golden.dy, exact);
          const result = network?.layers[i];
          if (golden.winners) expect(numbers(result?.winners)).toEqual(golden.winners);
          if (golden.kind === 'conv') expectClose(result?.dw, golden.dw, exact);
          if (golden.b) expectClose(result?.db, golden.db, exact);
        }
        // The open layer is the problem of the page.
        const own = layers[open];
        expectClose(tensors.y, own?.y ?? [], exact);
        expectClose(tensors.dy, own?.dy ?? [], exact);
        expectClose(tensors.dw, own?.dw ?? [], exact);
        expectClose(tensors.dx, open > 0 ? (layers[open - 1]?.dy ?? []) : chain.dx, exact);
        if (open > 0) expectClose(tensors.x, layers[open - 1]?.y ?? [], exact);
        expect(loss === null).toBe(chain.loss === 'linear' || open < layers.length - 1);
      }
    }
  });

  // x = 0 … 15, w = 1 … 9 on 4 × 4: y[0,0] = 0·1 + 1·2 + 2·3 + 4·4 + … + 10·9 = 303; one column on adds the sum of w, 45, a row 4 · 45.
  const withMean: ComputeRequest = {
    ...makeRequest(),
    network: {
      before: [],
      after: [
        {
          kind: 'average_pool',
          pool: { kh: 2, kw: 2, stride_h: 2, stride_w: 2, padding: { top: 0, bottom: 0, left: 0, right: 0 } },
        },
      ],
      input: [1, 4, 4, 1],
    },
  };

  test('send the sum and the count of each mean', () => {
    const { network, tensors } = compute(withMean);
    expect(numbers(network?.values[2]?.data)).toEqual([415.5]);
    expect(network?.layers[1]?.averages).toEqual({ sums: Float32Array.of(1662), counts: Int32Array.of(4) });
    expect(numbers(tensors.dy?.data)).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  test('set a random dy at the end as for a problem of that size', () => {
    const dy = { kind: 'random', seed: 5 } as const;
    const { network } = compute({ ...withMean, dy });
    const alone = engine.compute(makeRequest(makeDesc({ h: 3, w: 3 }), { dy }), 2);
    expect(network?.gradients[2]?.data).toEqual(alone.tensors.dy?.data);
  });

  test('hide values by their names in the network, and as those of the open layer', () => {
    const hidden = [
      { tensor: 'y1', index: 2 },
      { tensor: 'dy1', index: null },
    ] as const;
    const { network, tensors, hides } = compute({ ...withMean, hidden });
    expect(hides).toBe(true);
    for (const y of [network?.values[1], tensors.y]) {
      expect(numbers(y?.data)).toEqual([303, 348, Number.NaN, 528]);
      expect(y?.stats.max).toBe(528);
    }
    for (const dy of [network?.gradients[1], tensors.dy]) expect(numbers(dy?.data)).toEqual(Array(4).fill(Number.NaN));
    expect(numbers(network?.values[2]?.data)).toEqual([415.5]);
    const after = compute({ ...withMean, hidden: [{ tensor: 'y2', index: 0 }] });
    expect(numbers(after.tensors.y?.data)).toEqual([303, 348, 483, 528]);
    expect(after.network?.layers[1]?.averages?.sums).toEqual(Float32Array.of(Number.NaN));
  });

  test('hide the loss and all gradients with a hidden output', () => {
    const hidden = [{ tensor: 'y2', index: 0 }] as const;
    const { network, tensors } = compute({ ...withMean, dy: { kind: 'mse', target: null }, hidden });
    expect(network?.loss).toBeNaN();
    const gradients = [
      ...(network?.gradients ?? []),
      tensors.dx,
      tensors.dw,
      tensors.db,
      tensors.dy,
      network?.layers[0]?.dw,
    ];
    expect(gradients).toHaveLength(8);
    for (const gradient of gradients) expect(numbers(gradient?.data).every(Number.isNaN)).toBe(true);
  });

  test('refuse to hide what no layer computes, and layers that do not fit, and name the layer', () => {
    for (const tensor of ['x', 'w', 'y', 'y3', 'dw'] as const)
      expect(errorOf(() => compute({ ...withMean, hidden: [{ tensor, index: 0 }] }))).toMatchObject({
        ...{ code: 'invalid_argument', field: 'hidden[0].tensor' },
      });
    const padding = { top: 0, bottom: 0, left: 0, right: 0 };
    const after = [{ kind: 'max_pool', pool: { kh: 3, kw: 3, stride_h: 1, stride_w: 1, padding } }] as const;
    const error = errorOf(() => compute({ ...withMean, network: { before: [], after, input: [1, 4, 4, 1] } }));
    expect(error).toMatchObject({ code: 'kernel_too_large', field: 'layers[1].kh' });
  });

  test('recognize the mistakes of a ReLU in a predicted gradient', async () => {
    // b = −400: y1 = −97, −52, 83, 128.
    const request = makeRequest(makeDesc(), {
      ...{ b: Float32Array.of(-400), dy: { kind: 'values', shape: [1, 2, 2, 1], data: Float32Array.of(5, 6, -7, 8) } },
      ...{ network: { before: [], after: [{ kind: 'relu' }], input: [1, 4, 4, 1] } },
    });
    compute({ ...request, hidden: [{ tensor: 'dy1', index: null }] });
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
    compute({ ...request, hidden: [{ tensor: 'y1', index: 0 }] });
    const asked = { kind: 'diagnose', pass: 'forward', layer: 0, index: 0 } as const;
    expect(engine.ask(1, { ...asked, written: '-97' }).verdict).toBe('right');
    expect(engine.ask(1, { ...asked, written: '303' }).verdict).toBe('known');
    // Nothing is hidden: there is nothing to predict.
    compute(request);
    expect(errorOf(() => engine.ask(1, { ...asked, written: '1' }))).toMatchObject({ field: 'layer' });
  });

  test('a problem of one layer follows, and its questions are about it', () => {
    compute(withMean);
    const alone = compute(makeRequest());
    expect(numbers(alone.tensors.y?.data)).toEqual([303, 348, 483, 528]);
    expect(alone.network).toBeUndefined();
  });

  test.each([[], [{ tensor: 'y1', index: 2 }]] as const)(
    'results are copies that can be transferred (%j hidden)',
    (...hidden) => {
      const { network, tensors } = compute(hidden.length > 0 ? { ...withMean, hidden } : withMean);
      const before = numbers(network?.values[1]?.data);
      compute({ ...withMean, x: ramp(16, 100) });
      expect(numbers(network?.values[1]?.data)).toEqual(before);
      const buffers = [...(network?.values ?? []), ...(network?.gradients ?? []), ...Object.values(tensors)].map(
        ({ data }) => data.buffer,
      );
      expect(new Set(buffers).size).toBe(buffers.length);
    },
  );
});
