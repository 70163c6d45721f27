import type { Geometry } from '../protocol/problem';

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

/** Fields of ConvDesc of one axis. */
const NAMES = {
  row: { in: 'h', kernel: 'kh', stride: 'stride_h', dilation: 'dilation_h', before: 'top', after: 'bottom', out: 'oh' },
  col: { in: 'w', kernel: 'kw', stride: 'stride_w', dilation: 'dilation_w', before: 'left', after: 'right', out: 'ow' },
} as const;

export const axisNames = <Axis extends Spatial>(axis: Axis) => NAMES[axis];

export function axisOf(g: Geometry, axis: Spatial): SpatialAxis {
  const names = NAMES[axis];
  return {
    input: g[names.in],
    kernel: g[names.kernel],
    stride: g[names.stride],
    dilation: g[names.dilation],
    before: g.padding[names.before],
    after: g.padding[names.after],
    output: g[names.out],
  };
}

/** Pairs of taps and outputs that read one input cell: tap t with output t. Taps ascend, outputs descend. */
interface Readers {
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

/** Integer ranges: the values first, first + step, ... (count of them). */
export interface Range {
  readonly first: number;
  /** May be negative; ignored if count is 0 or 1. */
  readonly step: number;
  readonly count: number;
}

export const single = (value: number): Range => ({ first: value, step: 1, count: 1 });
export const upTo = (count: number): Range => ({ first: 0, step: 1, count });
export const consecutive = (first: number, count: number): Range => ({ first, step: 1, count });
/** All cells of an axis, once it is clipped. */
export const ALL: Range = upTo(Number.POSITIVE_INFINITY);
export const nth = ({ first, step }: Range, t: number): number => first + step * t;
const EMPTY: Range = { first: 0, step: 1, count: 0 };

/** Positions t of the range with a value in [0, size), as [start, start + count). */
export function insideSpan(range: Range, size: number): { readonly start: number; readonly count: number } {
  const { first, step, count } = range;
  if (count === 0) return { start: 0, count: 0 };
  if (count === 1 || step === 0) return { start: 0, count: first >= 0 && first < size ? count : 0 };
  const low = step > 0 ? Math.ceil(-first / step) : Math.ceil((first - (size - 1)) / -step);
  const high = step > 0 ? Math.floor((size - 1 - first) / step) : Math.floor(first / -step);
  const start = Math.max(low, 0);
  return { start, count: Math.max(Math.min(high, count - 1) - start + 1, 0) };
}

/** The part of the range within [0, size). */
export function clip(range: Range, size: number): Range {
  const { start, count } = insideSpan(range, size);
  return count === 0 ? EMPTY : { first: nth(range, start), step: range.step, count };
}

/** The same values in ascending order. */
export const ascending = ({ first, step, count }: Range): Range =>
  step >= 0 || count === 0 ? { first, step, count } : { first: first + step * (count - 1), step: -step, count };

export function rangeHas({ first, step, count }: Range, value: number): boolean {
  if (count === 0) return false;
  if (count === 1) return value === first;
  const t = (value - first) / step;
  return Number.isInteger(t) && t >= 0 && t < count;
}

/** Greatest common divisor of two positive integers. */
export function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** How often each row and column of x is read; cell (r, c) is read rows[r] * cols[c] times per filter. */
export const coverageOf = (g: Geometry) => ({ rows: readCounts(g, 'row'), cols: readCounts(g, 'col') });

function readCounts(g: Geometry, axis: Spatial): Int32Array {
  const spatial = axisOf(g, axis);
  return Int32Array.from({ length: spatial.input }, (_, i) => readersOf(spatial, i + spatial.before).taps.count);
}

/** Rows or columns of x that no window reads: their gradient is exactly 0. */
interface Unread {
  /** After the end of the last window. */
  readonly remainder: readonly number[];
  /** Skipped by the stride or the dilation. */
  readonly skipped: readonly number[];
}

export function unreadOf(g: Geometry, axis: Spatial): Unread {
  const known = unread[axis].get(g) ?? findUnread(g, axis);
  unread[axis].set(g, known);
  return known;
}

/** Cached: each panel asks in each layout, and 4096 columns took 6 ms each time. */
const unread: Readonly<Record<Spatial, WeakMap<Geometry, Unread>>> = { row: new WeakMap(), col: new WeakMap() };

function findUnread(g: Geometry, axis: Spatial): Unread {
  const { before, output, stride, dilation, kernel } = axisOf(g, axis);
  const end = (output - 1) * stride + dilation * (kernel - 1) + 1 - before;
  const remainder: number[] = [];
  const skipped: number[] = [];
  readCounts(g, axis).forEach((count, i) => {
    if (count === 0) (i >= end ? remainder : skipped).push(i);
  });
  return { remainder, skipped };
}
