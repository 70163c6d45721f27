import type { ConvDesc, ConvError, Geometry, InputName, Layout, Padding, Shape, Tensor } from './problem';
import { checkDesc, outputSize, yShape } from './shapes';

/** A network: one to four layers, each on the output of the one before it. */

export const MOST_LAYERS = 4;

/** A pooling window, in cells. Padding is never the largest cell. */
export interface PoolDesc {
  readonly kh: number;
  readonly kw: number;
  readonly stride_h: number;
  readonly stride_w: number;
  readonly padding: Padding;
  /** Of average_pool. false: divides by the cells in x; missing: by the size of the window. */
  readonly count_include_pad?: false;
}

export type PoolKind = 'max_pool' | 'average_pool';
export type LayerKind = 'conv' | 'relu' | PoolKind;

export type PlainLayer = { readonly kind: 'relu' } | { readonly kind: PoolKind; readonly pool: PoolDesc };

/** A layer with its weights, if it has some. */
export type LayerOf<Values> = PlainLayer | ConvLayerOf<Values>;

export interface ConvLayerOf<Values> {
  readonly kind: 'conv';
  readonly desc: ConvDesc;
  readonly w: Values;
  /** [1,1,1,k]; null: no bias. */
  readonly b: Values | null;
}

/** The layers around the open one, which has the sizes and weights of the request. x is the input of the first layer. */
export interface NetworkRequest {
  readonly before: readonly LayerOf<Float32Array>[];
  readonly after: readonly LayerOf<Float32Array>[];
  /** Of x, in the layout's order. */
  readonly input: Shape;
}

/** What the library computed for one layer. */
export interface LayerResult {
  /** x is its input, y its output; without weights, as a window with k = groups = c. */
  readonly geometry: Geometry;
  /** Of a convolution. */
  readonly w?: Tensor;
  readonly b?: Tensor;
  readonly dw?: Tensor;
  readonly db?: Tensor;
  /** Of max pooling: for each cell of the output the flat index of its largest cell, the first of several. */
  readonly winners?: Int32Array;
  /** As in PoolDesc. */
  readonly count_include_pad?: false;
  /** Of average pooling: each cell of the output is sum / count. Missing for large outputs. */
  readonly averages?: { readonly sums: Float32Array; readonly counts: Int32Array };
}

/** All tensors of a network. `values[i]` goes into layer i, `values[i + 1]` comes out of it. */
export interface NetworkResult {
  readonly values: readonly Tensor[];
  /** gradients[i]: the gradient of the loss for values[i]. */
  readonly gradients: readonly Tensor[];
  readonly layers: readonly LayerResult[];
  /** The loss at the end; null if dy is given. */
  readonly loss: number | null;
}

export interface NetworkContent extends NetworkResult {
  readonly before: readonly LayerOf<unknown>[];
  readonly after: readonly LayerOf<unknown>[];
  /** Inputs of the open layer that other layers compute, and what they are there. */
  readonly fixed: Readonly<Partial<Record<InputName, string>>>;
}

/** Sizes of a tensor between two layers. */
export interface PlaneSizes {
  readonly layout: Layout;
  readonly n: number;
  readonly h: number;
  readonly w: number;
  readonly c: number;
}

export const sizesOfShape = (layout: Layout, [a, b, c, d]: Shape): PlaneSizes =>
  layout === 'nhwc' ? { layout, n: a, h: b, w: c, c: d } : { layout, n: a, c: b, h: c, w: d };

export const shapeOfSizes = ({ layout, n, h, w, c }: PlaneSizes): Shape =>
  layout === 'nhwc' ? [n, h, w, c] : [n, c, h, w];

/** A convolution on an input of these sizes. */
export const descOn = (desc: ConvDesc, { layout, n, h, w, c }: PlaneSizes): ConvDesc => ({
  ...desc,
  ...{ layout, n, h, w, c },
});

/** Sizes of the output. Precondition: `faultOf` is null. */
export function outputOf(layer: LayerOf<unknown>, input: PlaneSizes): PlaneSizes {
  if (layer.kind === 'relu') return input;
  if (layer.kind === 'conv') return sizesOfShape(input.layout, yShape(descOn(layer.desc, input)));
  const { kh, kw, stride_h, stride_w, padding } = layer.pool;
  const h = outputSize(input.h, padding.top + padding.bottom, kh, stride_h);
  const w = outputSize(input.w, padding.left + padding.right, kw, stride_w);
  return { ...input, h, w };
}

/** Why a layer cannot have an input of these sizes; null: it can. */
export function faultOf(layer: LayerOf<unknown>, input: PlaneSizes): ConvError | null {
  if (layer.kind === 'relu') return null;
  if (layer.kind === 'conv') return checkDesc(descOn(layer.desc, input));
  const { kh, kw, padding } = layer.pool;
  const axes = [
    ['kh', kh, input.h + padding.top + padding.bottom, 'rows'],
    ['kw', kw, input.w + padding.left + padding.right, 'columns'],
  ] as const;
  const { top, bottom, left, right } = padding;
  if (Math.max(top, bottom) >= kh || Math.max(left, right) >= kw) {
    return { code: 'invalid_padding', field: 'padding', message: 'the padding must be smaller than the window' };
  }
  const [field, size, room, lines] = axes.find(([, kernel, cells]) => kernel > cells) ?? [];
  if (field === undefined) return null;
  return { code: 'kernel_too_large', field, message: `the window has ${size} ${lines}, but its input has ${room}` };
}

/**
 * The layer, counted from 0, that computes "y2", "dy2" or dx in a network of `layers` layers, and its name there: dy1 is the dx of the second
 * layer; the last dy is given. null: no such tensor.
 */
export function ownerOf(
  tensor: string,
  layers: number,
): { readonly layer: number; readonly tensor: 'y' | 'dx' | 'dy' } | null {
  if (tensor === 'dx') return { layer: 0, tensor };
  const [, d, digit] = /^(d?)y(\d)$/.exec(tensor) ?? [];
  const number = Number(digit ?? 0);
  if (number < 1 || number > layers) return null;
  if (d !== 'd') return { layer: number - 1, tensor: 'y' };
  return number < layers ? { layer: number, tensor: 'dx' } : { layer: number - 1, tensor: 'dy' };
}

const NAMES: Readonly<Record<PlainLayer['kind'] | 'conv', string>> = {
  conv: 'conv',
  relu: 'ReLU',
  max_pool: 'max pooling',
  average_pool: 'average pooling',
};

export const NEW_WINDOW = { conv: 3, max_pool: 2, average_pool: 2 } as const;

export const newTitle = (kind: LayerKind): string =>
  kind === 'relu' ? NAMES.relu : `${NAMES[kind]} ${NEW_WINDOW[kind]} × ${NEW_WINDOW[kind]}`;

/** "conv 3 × 3", "ReLU", "max pooling 2 × 2". */
export function layerTitle(layer: LayerOf<unknown>): string {
  if (layer.kind === 'relu') return NAMES.relu;
  const { kh, kw } = layer.kind === 'conv' ? layer.desc : layer.pool;
  return `${NAMES[layer.kind]} ${kh} × ${kw}`;
}
