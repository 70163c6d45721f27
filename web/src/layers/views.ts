import { averagePoolView } from './average-pool/view';
import { convView } from './conv/view';
import { leakyReluView } from './leaky-relu/view';
import type { PlainKind } from './list';
import { maxPoolView } from './max-pool/view';
import { reluView } from './relu/view';
import type { LayerView, PlainView } from './view';

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
