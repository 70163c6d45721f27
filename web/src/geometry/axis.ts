import type { Geometry } from '../protocol/problem';
import { gcd, insideSpan, type Range } from './range';

/** One spatial axis of a geometry, in elements. */
export interface SpatialAxis {
  readonly input: number;
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  /** Padding before the first and after the last cell. */
  readonly before: number;
  readonly after: number;
  readonly output: number;
}

export type Spatial = 'row' | 'col';

export function axisOf(g: Geometry, axis: Spatial): SpatialAxis {
  return axis === 'row'
    ? {
        input: g.h,
        kernel: g.kh,
        stride: g.stride_h,
        dilation: g.dilation_h,
        before: g.padding.top,
        after: g.padding.bottom,
        output: g.oh,
      }
    : {
        input: g.w,
        kernel: g.kw,
        stride: g.stride_w,
        dilation: g.dilation_w,
        before: g.padding.left,
        after: g.padding.right,
        output: g.ow,
      };
}

/** Pairs of taps and outputs that read one input cell: tap t with output t. Taps ascend, outputs descend. */
export interface Readers {
  readonly taps: Range;
  readonly outputs: Range;
}

const NO_READERS: Readers = { taps: { first: 0, step: 1, count: 0 }, outputs: { first: 0, step: -1, count: 0 } };

/**
 * All (tap, output) pairs with output * stride + tap * dilation = padded, for a padded input coordinate. Both are
 * arithmetic progressions: the tap moves by stride / g, the output back by dilation / g, g = gcd(stride, dilation).
 */
export function readersOf(axis: SpatialAxis, padded: number): Readers {
  const { kernel, stride, dilation, output } = axis;
  const common = gcd(stride, dilation);
  const tapStep = stride / common;
  let tap = 0;
  while (tap < Math.min(kernel, tapStep) && (((padded - tap * dilation) % stride) + stride) % stride !== 0) tap += 1;
  if (tap >= Math.min(kernel, tapStep)) return NO_READERS;

  const count = Math.floor((kernel - 1 - tap) / tapStep) + 1;
  const first = (padded - tap * dilation) / stride;
  const outputStep = -dilation / common;
  const inside = insideSpan({ first, step: outputStep, count }, output);
  if (inside.count === 0) return NO_READERS;
  return {
    taps: { first: tap + inside.start * tapStep, step: tapStep, count: inside.count },
    outputs: { first: first + inside.start * outputStep, step: outputStep, count: inside.count },
  };
}
