import type { PlaneSizes } from '../protocol/layers';
import { averagePoolView } from './average-pool/view';
import { convView } from './conv/view';
import { leakyReluView } from './leaky-relu/view';
import { LAYERS, type LayerKind, type PlainKind, type PlainLayer, plainLayer } from './list';
import { maxPoolView } from './max-pool/view';
import { reluView } from './relu/view';
import type { LayerView, PlainView } from './view';

const USUAL: PlaneSizes = { layout: 'nhwc', n: 1, h: 8, w: 8, c: 1 };

const PLAIN: Readonly<Record<PlainKind, PlainView<unknown>>> = {
  relu: reluView,
  leaky_relu: leakyReluView as PlainView<unknown>,
  max_pool: maxPoolView as PlainView<unknown>,
  average_pool: averagePoolView as PlainView<unknown>,
};

/** null: a kind with weights. */
export const plainView = (kind: string): PlainView<unknown> | null =>
  Object.hasOwn(PLAIN, kind) ? PLAIN[kind as PlainKind] : null;

export const layerView = (kind: string): LayerView<unknown> => plainView(kind) ?? convView;

/** A new layer on an input of these sizes. */
export const newPlain = (kind: PlainKind, input: PlaneSizes = USUAL): PlainLayer =>
  plainLayer(kind, PLAIN[kind].make(input));

export const newTitle = (kind: LayerKind): string => LAYERS[kind].title(layerView(kind).make(USUAL) as never);
