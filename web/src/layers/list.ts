import { descOn, type PlaneSizes, type SentLayer, sizesOfShape } from '../protocol/layers';
import type { ConvDesc, ConvError } from '../protocol/problem';
import { yShape } from '../protocol/shapes';
import { averagePool } from './average-pool/core';
import { conv } from './conv/core';
import { convTranspose } from './conv-transpose/core';
import type { LayerCore } from './layer';
import { leakyRelu } from './leaky-relu/core';
import { maxPool } from './max-pool/core';
import { relu } from './relu/core';

export { conv };

/** All kinds of layers, in the order of the menus. */
const TABLE = {
  conv,
  conv_transpose: convTranspose,
  ...{ relu, leaky_relu: leakyRelu, max_pool: maxPool, average_pool: averagePool },
};

export type LayerKind = keyof typeof TABLE;
export type WeightedKind = {
  [Kind in LayerKind]: (typeof TABLE)[Kind] extends { readonly weights: true } ? Kind : never;
}[LayerKind];
/** Without weights. */
export type PlainKind = Exclude<LayerKind, WeightedKind>;
type FieldsOf<Kind extends LayerKind> = (typeof TABLE)[Kind] extends LayerCore<infer Fields> ? Fields : never;

export type PlainLayer = { [Kind in PlainKind]: { readonly kind: Kind; readonly fields: FieldsOf<Kind> } }[PlainKind];

interface WeightsOf<Values> {
  readonly w: Values;
  /** [1,1,1,k]; null: no bias. */
  readonly b: Values | null;
}

export type WeightedLayerOf<Values> = {
  [Kind in WeightedKind]: WeightsOf<Values> & { readonly kind: Kind; readonly fields: FieldsOf<Kind> };
}[WeightedKind];

/** A layer with its weights, if it has some. */
export type LayerOf<Values> = PlainLayer | WeightedLayerOf<Values>;

type AnyFields = FieldsOf<LayerKind>;
// The methods of an entry get only fields of its own kind.
export const LAYERS: Readonly<Record<LayerKind, LayerCore<AnyFields>>> = TABLE;
export const LAYER_KINDS = Object.keys(TABLE) as readonly LayerKind[];

export const isLayerKind = (kind: string): kind is LayerKind => Object.hasOwn(TABLE, kind);
export const isPlain = (kind: string): kind is PlainKind => isLayerKind(kind) && !LAYERS[kind].weights;
/** Whether a layer has w and b. */
export const isWeighted = <Layer extends { readonly kind: LayerKind }>(
  layer: Layer,
): layer is Extract<Layer, { readonly kind: WeightedKind }> => LAYERS[layer.kind].weights === true;

/** Its geometry is that of the convolution from y to x. */
export const isTransposed = (kind: string): boolean => isLayerKind(kind) && LAYERS[kind].transposed !== undefined;

/** A layer of these fields; they are of its kind. */
export const plainLayer = (kind: PlainKind, fields: unknown): PlainLayer => ({ kind, fields }) as PlainLayer;

/** What the library reads besides the window. Precondition: the fields are of the kind. */
export const optionsOf = (kind: string, fields: unknown): Readonly<Record<string, number>> =>
  isLayerKind(kind) ? LAYERS[kind].options(fields as never) : {};

/** "conv 3 × 3", "ReLU", "max pooling 2 × 2". */
export const layerTitle = (layer: LayerOf<unknown>): string => LAYERS[layer.kind].title(layer.fields);

/** The convolution of its geometry on an input of these sizes; without weights, k = groups = c. */
export function windowOf({ kind, fields }: Pick<LayerOf<unknown>, 'kind' | 'fields'>, input: PlaneSizes): ConvDesc {
  const { window, transposed } = LAYERS[kind];
  const [own, y] = [window(fields, input), transposed?.(fields, input)];
  return y ? descOn({ ...own, k: input.c }, y) : descOn(own, input);
}

/** Why a layer cannot have an input of these sizes; null: it can. */
export const faultOf = (layer: LayerOf<unknown>, input: PlaneSizes): ConvError | null =>
  LAYERS[layer.kind].fault(layer.fields, input);

/** Sizes of the output. Precondition: `faultOf` is null. */
export const outputOf = (layer: LayerOf<unknown>, input: PlaneSizes): PlaneSizes =>
  LAYERS[layer.kind].transposed?.(layer.fields, input) ?? sizesOfShape(input.layout, yShape(windowOf(layer, input)));

/** As in a request. */
export function sentLayer(
  layer: LayerOf<Float32Array>,
  input: PlaneSizes,
  algorithms: SentLayer['algorithms'] = {},
): SentLayer {
  const { kind, fields } = layer;
  const { w, b } = isWeighted(layer) ? layer : { w: null, b: null };
  const [window, options] = [LAYERS[kind].window(fields, input), LAYERS[kind].options(fields)];
  return { kind, window, options, w, b, algorithms };
}
