import type { Content } from '../../../web/src/protocol/messages';
import type { Geometry } from '../../../web/src/protocol/problem';
import { descOf } from '../../../web/src/protocol/shapes';

/** A convolution alone, for views that read no values. */
export function alone(geometry: Geometry, change: Partial<Content> = {}): Content {
  const layer = {
    ...{ index: 0, kind: 'conv', fields: {}, title: 'conv', geometry, desc: descOf(geometry) },
    ...{ tensors: {}, fixed: {}, photo: false, loss: null, runs: {}, ...change },
  };
  return { revision: 1, layers: [layer], ...layer };
}
