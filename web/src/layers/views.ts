import type { PlaneSizes } from '../protocol/layers';
import { averagePoolView } from './average-pool/view';
import { convView } from './conv/view';
import { convTransposeView } from './conv-transpose/view';
import { leakyReluView } from './leaky-relu/view';
import { LAYERS, type LayerKind, type PlainKind, type PlainLayer, plainLayer } from './list';
import { maxPoolView } from './max-pool/view';
import { reluView } from './relu/view';
import type { LayerView, PlainView } from './view';

const USUAL: PlaneSizes = { layout: 'nhwc', n: 1, h: 8, w: 8, c: 1 };

/** All kinds but convolution. */
const VIEWS: Readonly<Record<Exclude<LayerKind, 'conv'>, PlainView<unknown>>> = {
  conv_transpose: convTransposeView as PlainView<unknown>,
  relu: reluView,
  leaky_relu: leakyReluView as PlainView<unknown>,
  max_pool: maxPoolView as PlainView<unknown>,
  average_pool: averagePoolView as PlainView<unknown>,
};

/** null: a convolution. */
export const plainView = (kind: string): PlainView<unknown> | null =>
  Object.hasOwn(VIEWS, kind) ? VIEWS[kind as keyof typeof VIEWS] : null;

export const layerView = (kind: string): LayerView<unknown> => plainView(kind) ?? convView;

/** The fields of a new layer on an input of these sizes. */
export const newFields = (kind: LayerKind, input: PlaneSizes = USUAL): unknown => layerView(kind).make(input);

export const newPlain = (kind: PlainKind, input: PlaneSizes = USUAL): PlainLayer =>
  plainLayer(kind, newFields(kind, input));

export const newTitle = (kind: LayerKind): string => LAYERS[kind].title(newFields(kind) as never);
