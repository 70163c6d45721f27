import type { Geometry } from '../protocol/problem';
import { at, gridOf, indexAt, type Position, positionAt } from './grid';

/**
 * The convolution of one image as a matrix: y = C x, and dx = C^T dy. Row r is cell r of y in its image, column c is
 * cell c of x, in memory order of either layout. C is the same for every image. It is not stored: an entry is a cell of
 * w or empty.
 */

/** Empty entry: y does not read that cell of x. */
export const NOTHING = -1;

/** One image of the problem. */
export const oneImage = (g: Geometry): Geometry => (g.n === 1 ? g : { ...g, n: 1 });

/** The cell of y of a row of C, and the cell of x of a column, in image 0. */
export const outputOfC = (g: Geometry, row: number): Position => positionAt(gridOf(oneImage(g), 'y'), row);
export const inputOfC = (g: Geometry, col: number): Position => positionAt(gridOf(oneImage(g), 'x'), col);

/** The row or column of C of a cell of y, dy, x or dx in any image. */
export const lineOfC = (g: Geometry, tensor: 'x' | 'y', p: Position): number =>
  indexAt(gridOf(oneImage(g), tensor), { ...p, slice: 0 });

/** The weight between a cell of y and a cell of x; null: y does not read x there. */
export function weightBetween(g: Geometry, y: Position, x: Position): Position | null {
  const row = tapAt(x.row + g.padding.top - y.row * g.stride_h, g.dilation_h, g.kh);
  const col = tapAt(x.col + g.padding.left - y.col * g.stride_w, g.dilation_w, g.kw);
  const channel = x.channel - Math.floor(y.channel / g.group_k) * g.group_c;
  if (row < 0 || col < 0 || channel < 0 || channel >= g.group_c) return null;
  return { slice: y.channel, row, col, channel };
}

/** The tap at this distance from the first cell of the window; -1: none. */
function tapAt(distance: number, dilation: number, taps: number) {
  const tap = distance / dilation;
  return Number.isInteger(tap) && tap >= 0 && tap < taps ? tap : -1;
}

/** The cell of w of an entry, or null. */
export const weightAt = (g: Geometry, row: number, col: number): Position | null =>
  weightBetween(g, outputOfC(g, row), inputOfC(g, col));

/**
 * Index of the weight of an entry, or NOTHING: `weightAt` without objects, for a map that draws several 100,000
 * entries.
 */
export function weightIndexOf(g: Geometry): (row: number, col: number) => number {
  const image = oneImage(g);
  const [x, y, w] = [gridOf(image, 'x').stride, gridOf(image, 'y').stride, gridOf(image, 'w').stride];
  const { oh, ow, k, h, c, kh, kw, group_c, group_k, stride_h, stride_w, dilation_h, dilation_w } = g;
  const { top, left } = g.padding;
  return (row, of) => {
    const filter = Math.floor(row / y.channel) % k;
    const channel = (Math.floor(of / x.channel) % c) - Math.floor(filter / group_k) * group_c;
    if (channel < 0 || channel >= group_c) return NOTHING;
    const p = ((Math.floor(of / x.row) % h) + top - (Math.floor(row / y.row) % oh) * stride_h) / dilation_h;
    if (p < 0 || p >= kh || p !== Math.floor(p)) return NOTHING;
    const q = ((Math.floor(of / x.col) % g.w) + left - (Math.floor(row / y.col) % ow) * stride_w) / dilation_w;
    if (q < 0 || q >= kw || q !== Math.floor(q)) return NOTHING;
    return p * w.row + q * w.col + channel * w.channel + filter * w.slice;
  };
}

interface Entry {
  readonly row: number;
  readonly col: number;
}

/** The entries of a weight: one for each cell of y of its filter, except in the padding. At most `most`. */
export function entriesOfWeight(g: Geometry, weight: Position, most: number): readonly Entry[] {
  const entries: Entry[] = [];
  const channel = Math.floor(weight.slice / g.group_k) * g.group_c + weight.channel;
  for (let i = 0; i < g.oh; i += 1) {
    const row = i * g.stride_h + weight.row * g.dilation_h - g.padding.top;
    if (row < 0 || row >= g.h) continue;
    for (let j = 0; j < g.ow; j += 1) {
      const col = j * g.stride_w + weight.col * g.dilation_w - g.padding.left;
      if (col < 0 || col >= g.w) continue;
      if (entries.length === most) return entries;
      entries.push({ row: lineOfC(g, 'y', at(0, i, j, weight.slice)), col: lineOfC(g, 'x', at(0, row, col, channel)) });
    }
  }
  return entries;
}

/**
 * First and last columns of the spans that contain all entries of a row; empty entries of other groups and of dilation
 * are in between.
 */
export function runsOfRow(g: Geometry, row: number): readonly (readonly [number, number])[] {
  const y = outputOfC(g, row);
  const first = Math.floor(y.channel / g.group_k) * g.group_c;
  const nhwc = g.layout === 'nhwc';
  const from = Math.max(0, y.col * g.stride_w - g.padding.left);
  const to = Math.min(g.w - 1, y.col * g.stride_w - g.padding.left + (g.kw - 1) * g.dilation_w);
  const runs: (readonly [number, number])[] = [];
  for (let p = 0; p < g.kh; p += 1) {
    const line = y.row * g.stride_h - g.padding.top + p * g.dilation_h;
    if (line < 0 || line >= g.h || from > to) continue;
    for (let channel = first; channel < first + (nhwc ? 1 : g.group_c); channel += 1) {
      const last = nhwc ? first + g.group_c - 1 : channel;
      runs.push([lineOfC(g, 'x', at(0, line, from, channel)), lineOfC(g, 'x', at(0, line, to, last))]);
    }
  }
  return runs;
}
