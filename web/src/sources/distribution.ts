import type { Layout, Shape } from '../protocol/problem';
import { fill, type Logical, logicalOf } from './logical';

/** Targets of cross_entropy: a distribution over the channels of each position. */

/** 1 in one channel of each position. */
export const oneHot = (layout: Layout, shape: Shape, channel: number): Float32Array =>
  fill(logicalOf('pixels', layout, shape), (_n, _h, _w, c) => (c === channel ? 1 : 0));

/** The flat indices of the channels of each position, n, oh, ow. */
function* positionsOf({ sizes: [n, h, w, c], strides: [a, b, d, step] }: Logical): Generator<readonly number[]> {
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < h; j += 1) {
      for (let k = 0; k < w; k += 1) {
        yield Array.from({ length: c }, (_, channel) => i * a + j * b + k * d + channel * step);
      }
    }
  }
}

/** That of the library (cross_entropy.hpp): 0.333, 0.333, 0.333 is a distribution. */
const SLACK = 1e-3;

/** The flat indices of the channels of the positions that are no distribution, with the number of the position and the sum. */
export function* notDistributed(target: Float32Array, layout: Layout, shape: Shape) {
  let position = 0;
  for (const channels of positionsOf(logicalOf('pixels', layout, shape))) {
    const values = channels.map((index) => target[index] ?? 0);
    const sum = values.reduce((total, value) => total + value, 0);
    // The negation holds for NaN, too.
    if (!(Math.abs(sum - 1) <= SLACK && values.every((value) => value >= 0))) yield { channels, position, sum };
    position += 1;
  }
}

/** The channel with the 1 in all positions; null: there is none. */
export function classOf(target: Float32Array, layout: Layout, shape: Shape): number | null {
  const { sizes } = logicalOf('pixels', layout, shape);
  for (let channel = 0; channel < sizes[3]; channel += 1) {
    if (oneHot(layout, shape, channel).every((value, i) => value === target[i])) return channel;
  }
  return null;
}
