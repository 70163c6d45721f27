import type { Layout, Shape } from '../protocol/problem';
import { fill, logicalOf } from './logical';

/** Targets of cross_entropy: a distribution over the channels of each position. */

/** 1 in one channel of each position. */
export const oneHot = (layout: Layout, shape: Shape, channel: number): Float32Array =>
  fill(logicalOf('pixels', layout, shape), (_n, _h, _w, c) => (c === channel ? 1 : 0));

/** That of the library (cross_entropy.hpp): 0.333, 0.333, 0.333 is a distribution. */
const SLACK = 1e-3;

/** The first position that is no distribution, and the sum of its channels; undefined: there is none. `mends`: gives all of them class 0. */
export function notDistributed(target: Float32Array, layout: Layout, shape: Shape, mends = false) {
  const { sizes, strides } = logicalOf('pixels', layout, shape);
  const [channels, step] = [sizes[3], strides[3]];
  for (let position = 0; position * channels < target.length; position += 1) {
    const first = Math.floor(position / step) * step * channels + (position % step);
    let sum = 0;
    let least = 0;
    for (let c = 0; c < channels; c += 1) {
      const value = target[first + c * step] ?? 0;
      sum += value;
      least = Math.min(least, value);
    }
    // NaN is none.
    if (least === 0 && Math.abs(sum - 1) <= SLACK) continue;
    if (!mends) return { position, sum };
    for (let c = 0; c < channels; c += 1) target[first + c * step] = c === 0 ? 1 : 0;
  }
  return undefined;
}
