import { readFileSync } from 'node:fs';
import { isPlain, type LayerOf, outputOf, plainLayer, sentLayer } from '../../../web/src/layers/list';
import type { LossName } from '../../../web/src/losses/list';
import { type PlaneSizes, shapeOfSizes, type WindowSizes } from '../../../web/src/protocol/layers';
import type { ComputeRequest, SentLoss } from '../../../web/src/protocol/messages';
import { makeRequest } from './requests';

/** The networks of tests/golden/chains.json (PyTorch, float64). */

interface GoldenLayer {
  readonly kind: LayerOf<unknown>['kind'];
  readonly alpha: number;
  readonly window: readonly [number, number];
  readonly stride: readonly [number, number];
  readonly padding: readonly [top: number, bottom: number, left: number, right: number];
  readonly dilation: readonly [number, number];
  readonly k: number;
  readonly groups: number;
  readonly count_include_pad?: boolean;
  readonly output_padding?: readonly [number, number];
  readonly y: readonly number[];
  readonly dy: readonly number[];
  readonly winners?: readonly number[];
  readonly w?: readonly number[];
  readonly b?: readonly number[];
  readonly dw?: readonly number[];
  readonly db: readonly number[];
}

interface GoldenChain {
  readonly exact: boolean;
  /** NCHW, as all values. */
  readonly shape: readonly [number, number, number, number];
  readonly x: readonly number[];
  readonly loss: LossName;
  readonly other: readonly number[];
  readonly value: number;
  readonly dx: readonly number[];
  readonly layers: readonly GoldenLayer[];
}

export const CHAINS = (
  JSON.parse(readFileSync(new URL('../../golden/chains.json', import.meta.url), 'utf8')) as readonly GoldenChain[]
).filter(({ layers }) => layers.some(({ kind }) => kind === 'conv'));

type Layer = LayerOf<Float32Array>;

function layerOf(golden: GoldenLayer): Layer {
  if (golden.kind === 'relu') return { kind: 'relu', fields: {} };
  if (golden.kind === 'leaky_relu') return { kind: 'leaky_relu', fields: { alpha: golden.alpha } };
  const [kh, kw] = golden.window;
  const [stride_h, stride_w] = golden.stride;
  const [top, bottom, left, right] = golden.padding;
  const window = { kh, kw, stride_h, stride_w, padding: { top, bottom, left, right } };
  const counts = golden.count_include_pad === false ? { count_include_pad: false as const } : {};
  if (isPlain(golden.kind)) return plainLayer(golden.kind, { ...window, ...counts });
  const [dilation_h, dilation_w] = golden.dilation;
  const { k, groups } = golden;
  const fields: WindowSizes = { ...window, k, groups, dilation_h, dilation_w, padding_mode: 'explicit_sides' };
  const weights = { w: Float32Array.from(golden.w ?? []), b: golden.b ? Float32Array.from(golden.b) : null };
  if (golden.kind === 'conv') return { kind: 'conv', fields, ...weights };
  const [output_padding_h = 0, output_padding_w = 0] = golden.output_padding ?? [];
  return { kind: 'conv_transpose', fields: { ...fields, output_padding_h, output_padding_w }, ...weights };
}

export function requestOf({ shape: [n, c, h, w], x, loss, other, layers }: GoldenChain): ComputeRequest {
  const input: PlaneSizes = { layout: 'nchw', n, c, h, w };
  let sizes = input;
  const sent = layers.map((golden) => {
    const layer = layerOf(golden);
    const own = sentLayer(layer, sizes);
    sizes = outputOf(layer, sizes);
    return own;
  });
  const data = Float32Array.from(other);
  const end: SentLoss =
    loss === 'linear'
      ? { kind: 'given', dy: { kind: 'values', shape: shapeOfSizes(sizes), data } }
      : { kind: loss, target: data };
  return { ...makeRequest(), input, x: Float32Array.from(x), layers: sent, loss: end };
}
