import type { Geometry } from '../protocol/problem';
import { axisOf, consecutive, type Range, type Spatial, type SpatialAxis } from './axis';
import type { Position } from './grid';

/**
 * The cells that belong together through several layers, by geometry: what a cell of one tensor came from in the tensors before it,
 * and what it reaches in the tensors after it. `layers[i]` reads tensor i and writes tensor i + 1.
 */

/** All combinations of rows, columns and channels of one image. Rows and columns ascend and need not be adjacent. */
export interface Reach {
  readonly slice: number;
  readonly rows: readonly number[];
  readonly cols: readonly number[];
  readonly channels: Range;
}

/** For each tensor, the cells that `position` of tensor `at` came from (before it) or reaches (after it). */
export function reachesOf(
  layers: readonly Geometry[],
  at: number,
  { slice, row, col, channel }: Position,
): readonly Reach[] {
  const own: Reach = { slice, rows: [row], cols: [col], channels: consecutive(channel, 1) };
  const reaches: Reach[] = [];
  reaches[at] = own;
  let before = own;
  for (let i = at - 1; i >= 0; i -= 1) {
    const g = layers[i];
    if (g) reaches[i] = before = readBy(g, before);
  }
  let after = own;
  for (let i = at; i < layers.length; i += 1) {
    const g = layers[i];
    if (g) reaches[i + 1] = after = readersOf(g, after);
  }
  return reaches;
}

/** The cells of x that cells of y are computed from. */
function readBy(g: Geometry, { slice, rows, cols, channels }: Reach): Reach {
  const lines = (axis: Spatial, of: readonly number[]) => linesRead(axisOf(g, axis), of);
  return {
    slice,
    rows: lines('row', rows),
    cols: lines('col', cols),
    channels: channelsOf(groupsOf(channels, g.group_k), g.group_c),
  };
}

/** The rows or columns of x that rows or columns of y are computed from. */
export const linesRead = (
  { stride, dilation, kernel, before, input }: Omit<SpatialAxis, 'output'>,
  of: readonly number[],
): readonly number[] => unique(of, kernel, (output, tap) => output * stride + tap * dilation - before, input);

/** The cells of y that cells of x are used by. */
function readersOf(g: Geometry, { slice, rows, cols, channels }: Reach): Reach {
  const lines = (axis: Spatial, of: readonly number[]) => {
    const { stride, dilation, kernel, before, output } = axisOf(g, axis);
    return unique(of, kernel, (input, tap) => (input + before - tap * dilation) / stride, output);
  };
  return {
    slice,
    rows: lines('row', rows),
    cols: lines('col', cols),
    channels: channelsOf(groupsOf(channels, g.group_c), g.group_k),
  };
}

/** The whole numbers within [0, size) that `to` gives for each line and tap, ascending. */
function unique(lines: readonly number[], taps: number, to: (line: number, tap: number) => number, size: number) {
  const found = new Set<number>();
  for (const line of lines) {
    for (let tap = 0; tap < taps; tap += 1) {
      const other = to(line, tap);
      if (Number.isInteger(other) && other >= 0 && other < size) found.add(other);
    }
  }
  return [...found].sort((a, b) => a - b);
}

const groupsOf = ({ first, count }: Range, size: number) => {
  const from = Math.floor(first / size);
  return consecutive(from, Math.floor((first + count - 1) / size) - from + 1);
};

const channelsOf = ({ first, count }: Range, size: number) => consecutive(first * size, count * size);

/** Runs of adjacent numbers of an ascending list. */
export function runsOf(lines: readonly number[]): readonly Range[] {
  const runs: { first: number; step: number; count: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last && last.first + last.count === line) last.count += 1;
    else runs.push({ first: line, step: 1, count: 1 });
  }
  return runs;
}
