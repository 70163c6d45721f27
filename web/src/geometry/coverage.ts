import type { Geometry } from '../protocol/problem';
import { axisOf, readersOf, type Spatial } from './axis';

/** How often each row and column of x is read; cell (r, c) is read rows[r] * cols[c] times per filter. */
export interface Coverage {
  readonly rows: Int32Array;
  readonly cols: Int32Array;
}

export const coverageOf = (g: Geometry): Coverage => ({
  rows: readCounts(g, 'row'),
  cols: readCounts(g, 'col'),
});

function readCounts(g: Geometry, axis: Spatial): Int32Array {
  const spatial = axisOf(g, axis);
  return Int32Array.from({ length: spatial.input }, (_, i) => readersOf(spatial, i + spatial.before).taps.count);
}

/** Rows or columns of x that no window reads: their gradient is exactly 0. */
export interface Unread {
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
