import type { AverageFields } from '../../../web/src/layers/average-pool/core';
import {
  faultOf,
  isWeighted,
  LAYER_KINDS,
  LAYERS,
  type LayerOf,
  outputOf,
  type PlainKind,
  plainLayer,
  type WeightedLayerOf,
  windowOf,
} from '../../../web/src/layers/list';
import { layerView } from '../../../web/src/layers/views';
import { isPerPosition, type LossKind } from '../../../web/src/losses/list';
import { type PlaneSizes, shapeOfSizes, sizesOfShape } from '../../../web/src/protocol/layers';
import type { ConvDesc, Layout, Shape } from '../../../web/src/protocol/problem';
import { bShape, shapeSize, wShape } from '../../../web/src/protocol/shapes';
import { type NetworkCheckSubject, networkCheckSubject } from '../../../web/src/snippets/network';
import type { InputTensor } from '../../../web/src/sources/inputs';
import { painted } from '../../../web/src/sources/loss';
import { requestOf, type Shown } from '../../../web/src/state/exchange';
import { type Problem, partsOfDesc } from '../../../web/src/state/problem';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { type Random, randomOf } from '../../e2e/support/random';
import { contentOf } from '../support/problems';

/** Networks with the results of the library, as input of scripts. */

type Layer = LayerOf<Float32Array>;

/** `whole`: small whole numbers, so that all sums, and means of 1, 2 or 4 cells, are exact, and many cells of a maximum equal. */
const numbersOf = ({ below, one }: Random, length: number, whole: boolean): Float32Array =>
  Float32Array.from({ length }, () => (whole ? below(7) - 3 : (one([-1, 1]) * (1 + below(2 ** 20))) / 77_777));

function convOn(random: Random, input: PlaneSizes, whole: boolean): WeightedLayerOf<Float32Array> {
  const { below, one } = random;
  const groups = one([1, 1, input.c]);
  const desc: ConvDesc = {
    ...input,
    ...{ k: groups * (1 + below(2)), kh: 1 + below(3), kw: 1 + below(3), groups },
    ...{ stride_h: 1 + below(2), stride_w: 1 + below(2), dilation_h: 1 + below(2), dilation_w: 1 + below(2) },
    padding_mode: 'explicit_sides',
    padding: { top: below(3), bottom: below(2), left: below(2), right: below(3) },
  };
  const w = numbersOf(random, shapeSize(wShape(desc)), whole);
  return {
    kind: 'conv',
    fields: partsOfDesc(desc).fields,
    w,
    b: below(2) === 0 ? numbersOf(random, desc.k, whole) : null,
  };
}

function poolOf({ below, one }: Random, kind: PlainKind, most: number): AverageFields {
  const [kh, kw] = [1 + below(most), 1 + below(most)];
  const even = one([true, false]);
  const [top, left] = [below(kh), below(kw)];
  const padding = { top, left, bottom: even ? top : below(kh), right: even ? left : below(kw) };
  const pool = { kh, kw, stride_h: 1 + below(2), stride_w: 1 + below(2), padding };
  return kind === 'average_pool' && one([true, false]) ? { ...pool, count_include_pad: false } : pool;
}

/** One choice of each menu; `whole`: a product with it is exact. */
const fieldsOf = ({ one }: Random, kind: PlainKind, whole: boolean): unknown =>
  layerView(kind).rows.reduce<unknown>((fields, { control }) => {
    const choices = (control?.choices(fields as never, SIZES) ?? []).filter(
      (choice) => !whole || Number.isInteger(4 * choice),
    );
    return control ? control.set(one(choices), fields as never) : fields;
  }, layerView(kind).make(SIZES));

const SIZES: PlaneSizes = { layout: 'nhwc', n: 1, h: 8, w: 8, c: 1 };

/** As a convolution, with the padding that it has. */
function transposedOn(random: Random, input: PlaneSizes, whole: boolean): WeightedLayerOf<Float32Array> {
  const { below } = random;
  const { fields: own, b } = convOn(random, input, whole);
  const fields = { ...own, output_padding_h: below(own.stride_h), output_padding_w: below(own.stride_w) };
  const w = numbersOf(random, (input.c * fields.k * fields.kh * fields.kw) / fields.groups, whole);
  return { kind: 'conv_transpose', fields, w, b };
}

/** Two to four layers, one of them or more a convolution. */
function layersOf(random: Random, input: PlaneSizes, whole: boolean): readonly Layer[] {
  const { below, one } = random;
  const kinds = LAYER_KINDS;
  const count = 2 + below(3);
  const conv = below(count);
  const layers: Layer[] = [];
  let sizes = input;
  while (layers.length < count) {
    const kind = layers.length === conv ? 'conv' : one(kinds);
    const layer: Layer =
      kind === 'conv'
        ? convOn(random, sizes, whole)
        : kind === 'conv_transpose'
          ? transposedOn(random, sizes, whole)
          : plainLayer(
              kind,
              LAYERS[kind].pointwise ? fieldsOf(random, kind, whole) : poolOf(random, kind, whole ? 2 : 3),
            );
    if (faultOf(layer, sizes)) continue;
    layers.push(layer);
    sizes = outputOf(layer, sizes);
  }
  return layers;
}

/** Values of a target, of cross_entropy sixteenths that sum to 1 over the channels; null: none is given. */
export function targetOf(random: Random, kind: LossKind, { layout }: PlaneSizes, shape: Shape): Float32Array | null {
  const { below } = random;
  if (!isPerPosition(kind)) return below(4) === 0 ? null : numbersOf(random, shapeSize(shape), false);
  if (below(4) === 0) return null;
  const channels = sizesOfShape(layout, shape).c;
  const step = layout === 'nhwc' ? 1 : shape[2] * shape[3];
  const target = new Float32Array(shapeSize(shape));
  for (let first = 0; first < target.length; first += 1) {
    for (let part = 0; part < 16 && Math.floor(first / step) % channels === 0; part += 1) {
      const cell = first + step * below(channels);
      target[cell] = (target[cell] ?? 0) + 1 / 16;
    }
  }
  return target;
}

/** Divisor of the values before a loss: the slopes of a large y are all 0 or 1. */
export const SMALL = 32;

/** `kind`: of the loss that computes dy; by default dy is given. */
export function networkShown(engine: ConvEngine, seed: number, whole: boolean, kind?: LossKind): Shown {
  const random = randomOf(seed);
  const { below } = random;
  const layout: Layout = seed % 2 === 0 ? 'nhwc' : 'nchw';
  const input: PlaneSizes = { layout, n: 1 + below(2), h: 5 + below(4), w: 5 + below(4), c: 1 + below(3) };
  const layers = layersOf(random, input, whole);
  const last = layers.reduce((sizes, layer) => outputOf(layer, sizes), input);
  const end = shapeOfSizes(last);
  const loss = kind
    ? { kind, target: targetOf(random, kind, last, end) }
    : painted(end, numbersOf(random, shapeSize(end), whole));
  const scaled = (data: Float32Array) => (kind ? data.map((value) => value / SMALL) : data);
  const x = scaled(numbersOf(random, shapeSize(shapeOfSizes(input)), whole));
  const held = (shape: Shape, data: Float32Array): InputTensor => ({
    ...{ shape, data, source: { kind: 'brought', name: '' }, edited: false },
  });
  let sizes = input;
  const own = layers.map((layer) => {
    const desc = windowOf(layer, sizes);
    sizes = outputOf(layer, sizes);
    if (!isWeighted(layer)) return layer;
    return {
      ...layer,
      algorithms: {},
      w: held(wShape(desc), scaled(layer.w)),
      b: layer.b && held(bShape(layer.fields), scaled(layer.b)),
    };
  });
  const problem: Problem = { input, x: held(shapeOfSizes(input), x), layers: own, loss };
  return contentOf(problem, engine.compute(requestOf(problem), 1));
}

export function networkSubject(shown: Shown): NetworkCheckSubject {
  const subject = networkCheckSubject(shown, false);
  if (typeof subject === 'string') throw new Error(subject);
  return subject;
}

/** With one value of a result changed, by more than rounding. */
export function withWrongTensor({ steps, given, ofLoss }: NetworkCheckSubject, at: number): NetworkCheckSubject {
  const names = steps.flatMap(({ names: { y, dx }, gradients }) => [y, dx, ...gradients]);
  const name = names[at % names.length];
  return {
    ...{ steps, ofLoss },
    given: given.map((literal) => {
      if (literal.name !== name) return literal;
      const cell = at % literal.data.length;
      const by = 1 + Math.abs(literal.data[cell] ?? 0) / 16;
      return { ...literal, data: literal.data.map((value, index) => (index === cell ? value + by : value)) };
    }),
  };
}
