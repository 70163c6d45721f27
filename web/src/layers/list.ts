import { descOn, type PlaneSizes, type SentLayer, sizesOfShape, type WindowSizes } from '../protocol/layers';
import type { ConvDesc, ConvError } from '../protocol/problem';
import { yShape } from '../protocol/shapes';
import { averagePool } from './average-pool/core';
import { conv } from './conv/core';
import type { LayerCore } from './layer';
import { leakyRelu } from './leaky-relu/core';
import { maxPool } from './max-pool/core';
import { relu } from './relu/core';

export { conv };

/** All kinds of layers, in the order of the menus. */
const TABLE = { conv, relu, leaky_relu: leakyRelu, max_pool: maxPool, average_pool: averagePool };

export type LayerKind = keyof typeof TABLE;
/** Without weights. */
export type PlainKind = Exclude<LayerKind, 'conv'>;
type FieldsOf<Kind extends LayerKind> = (typeof TABLE)[Kind] extends LayerCore<infer Fields> ? Fields : never;

export type PlainLayer = { [Kind in PlainKind]: { readonly kind: Kind; readonly fields: FieldsOf<Kind> } }[PlainKind];

export interface ConvLayerOf<Values> {
  readonly kind: 'conv';
  readonly fields: WindowSizes;
  readonly w: Values;
  /** [1,1,1,k]; null: no bias. */
  readonly b: Values | null;
}

/** A layer with its weights, if it has some. */
export type LayerOf<Values> = PlainLayer | ConvLayerOf<Values>;

type AnyFields = FieldsOf<LayerKind>;
// The methods of an entry get only fields of its own kind.
export const LAYERS: Readonly<Record<LayerKind, LayerCore<AnyFields>>> = TABLE;
export const LAYER_KINDS = Object.keys(TABLE) as readonly LayerKind[];

export const isLayerKind = (kind: string): kind is LayerKind => Object.hasOwn(TABLE, kind);
export const isPlain = (kind: string): kind is PlainKind => isLayerKind(kind) && kind !== 'conv';

/** A layer of these fields; they are of its kind. */
export const plainLayer = (kind: PlainKind, fields: unknown): PlainLayer => ({ kind, fields }) as PlainLayer;

/** What the library reads besides the window. Precondition: the fields are of the kind. */
export const optionsOf = (kind: string, fields: unknown): Readonly<Record<string, number>> =>
  isLayerKind(kind) ? LAYERS[kind].options(fields as never) : {};

/** "conv 3 × 3", "ReLU", "max pooling 2 × 2". */
export const layerTitle = (layer: LayerOf<unknown>): string => LAYERS[layer.kind].title(layer.fields);

/** What slides over an input of these sizes; without weights, k = groups = c. */
export const windowOf = (layer: LayerOf<unknown>, input: PlaneSizes): ConvDesc =>
  descOn(LAYERS[layer.kind].window(layer.fields, input), input);

/** Why a layer cannot have an input of these sizes; null: it can. */
export const faultOf = (layer: LayerOf<unknown>, input: PlaneSizes): ConvError | null =>
  LAYERS[layer.kind].fault(layer.fields, input);

/** Sizes of the output. Precondition: `faultOf` is null. */
export const outputOf = (layer: LayerOf<unknown>, input: PlaneSizes): PlaneSizes =>
  sizesOfShape(input.layout, yShape(windowOf(layer, input)));

/** As in a request. */
export function sentLayer(
  layer: LayerOf<Float32Array>,
  input: PlaneSizes,
  algorithms: SentLayer['algorithms'] = {},
): SentLayer {
  const { kind, fields } = layer;
  const { w, b } = layer.kind === 'conv' ? layer : { w: null, b: null };
  const [window, options] = [LAYERS[kind].window(fields, input), LAYERS[kind].options(fields)];
  return { kind, window, options, w, b, algorithms };
}
