import type { ConvDesc, CountName, Layout, Padding, PaddingMode, Pass, Shape } from './problem';

/** The layers of a problem: each one reads the output of the one before it. */

export const MOST_LAYERS = 6;

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

/** The number of a layer, counted from 0, in the names of its tensors: "2" in y2; a layer alone has none. */
export const numberOf = ({ length }: { readonly length: number }, layer: number): string =>
  length > 1 ? String(layer + 1) : '';

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
  const layer = Number(digit ?? 0) - 1;
  if (layer < 0 || layer >= layers || numberOf({ length: layers }, layer) !== digit) return null;
  if (d !== 'd') return { layer, tensor: 'y' };
  return layer + 1 < layers ? { layer: layer + 1, tensor: 'dx' } : { layer, tensor: 'dy' };
}
