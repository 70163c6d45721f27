import type { Content } from '../../../web/src/protocol/messages';
import type { Geometry, Tensor } from '../../../web/src/protocol/problem';
import { descOf } from '../../../web/src/protocol/shapes';

/** A convolution alone, for views that read no values. */
export function alone(geometry: Geometry, change: Partial<Content> = {}): Content {
  const layer = {
    ...{ index: 0, kind: 'conv', fields: {}, title: 'conv', geometry, desc: descOf(geometry) },
    ...{ tensors: {}, fixed: {}, photo: false, loss: null, runs: {}, ...change },
  };
  return { revision: 1, layers: [layer], ...layer };
}

/** A tensor of one channel, with the statistics of its values. */
export function tensorOf([n, h, w]: readonly [number, number, number], values: readonly number[]): Tensor {
  const magnitudes = values.map(Math.abs);
  const stats = { min: Math.min(...values), max: Math.max(...values), max_abs: Math.max(...magnitudes), not_finite: 0 };
  return { shape: [n, h, w, 1], data: Float32Array.from(values), stats };
}
