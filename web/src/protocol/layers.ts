import type {
  ConvDesc,
  CountName,
  Geometry,
  InputName,
  Layout,
  Padding,
  PaddingMode,
  Pass,
  Shape,
  Tensor,
  TensorName,
} from './problem';

/** The layers of a problem: each one reads the output of the one before it. */

export const MOST_LAYERS = 4;

/** What slides over the input of a layer. */
export interface WindowSizes extends Readonly<Record<WindowCount, number>> {
  readonly padding_mode: PaddingMode;
  /** Read only when padding_mode is 'explicit_sides'. */
  readonly padding: Padding;
}

type WindowCount = Exclude<CountName, 'n' | 'h' | 'w' | 'c'>;

/** Values for the session, or 'resident': keep the tensor of the previous request. */
export type TensorInput = Float32Array | 'resident';

/** What the sizes of a layer follow from. `kind` and the names of its options are those of the library. */
export interface LayerSizes {
  readonly kind: string;
  readonly window: WindowSizes;
  readonly options: Readonly<Record<string, number>>;
}

/** A layer in a request. */
export interface SentLayer extends LayerSizes {
  /** null: no weights. */
  readonly w: TensorInput | null;
  /** [1,1,1,k]; null: no bias. */
  readonly b: TensorInput | null;
  /** Algorithms by name; for other passes the library chooses. */
  readonly algorithms: Readonly<Partial<Record<Pass, string>>>;
}

/** What only layers without weights have. */
export interface Extras {
  /** Of max pooling: for each cell of the output the flat index of its largest cell, the first of several. */
  readonly winners?: Int32Array;
  /** Of average pooling: each cell of the output is sum / count. Missing for large outputs. */
  readonly averages?: { readonly sums: Float32Array; readonly counts: Int32Array };
}

/** A layer as views draw it, as if it were alone. */
export interface LayerContent extends Extras {
  readonly geometry: Geometry;
  /** x is the y of the layer before it, and dx its dy. */
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  /** Of layers/list.ts, with its fields. */
  readonly kind: string;
  readonly fields: unknown;
  /** "max pooling 2 × 2" */
  readonly title: string;
}

/** All layers, if there are several. */
export interface NetworkContent {
  readonly layers: readonly LayerContent[];
  /** The loss at the end; null if dy is given. */
  readonly loss: number | null;
  /** The open layer, counted from 0. */
  readonly open: number;
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
export const descOn = (window: WindowSizes, { layout, n, h, w, c }: PlaneSizes): ConvDesc => ({
  ...window,
  ...{ layout, n, h, w, c },
});

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
