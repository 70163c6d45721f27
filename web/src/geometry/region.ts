import type { Geometry, GridName } from '../protocol/problem';
import { ascending, clip, type Range, rangeHas, single, upTo } from './axis';
import { gridOf, type Position, positionAt } from './grid';

/** Cells of one tensor, described instead of listed: a weight of a megapixel image is used by a million cells. */
export type Region = BoxRegion | ListRegion;

/** All combinations of four ranges. The ranges ascend and are inside the tensor. */
export interface BoxRegion {
  readonly kind: 'box';
  readonly tensor: GridName;
  readonly slice: Range;
  readonly row: Range;
  readonly col: Range;
  readonly channel: Range;
  /** Number of cells, > 0. */
  readonly count: number;
}

/** Cells that are not a box (the copies of a pixel in x_col), at most kh * kw. */
export interface ListRegion {
  readonly kind: 'list';
  readonly tensor: GridName;
  readonly indices: Int32Array;
  readonly count: number;
}

export type BoxRanges = Readonly<Record<keyof Position, Range>>;

/** The box clipped to its tensor; null if it is empty. */
export function box(g: Geometry, tensor: GridName, ranges: BoxRanges): BoxRegion | null {
  const { size } = gridOf(g, tensor);
  const inside = (axis: keyof Position) => ascending(clip(ranges[axis], size[axis]));
  const [slice, row, col, channel] = [inside('slice'), inside('row'), inside('col'), inside('channel')];
  const count = slice.count * row.count * col.count * channel.count;
  return count === 0 ? null : { kind: 'box', tensor, slice, row, col, channel, count };
}

export const isRegion = (region: Region | null): region is Region => region !== null;

export const cellBox = (p: Position): BoxRanges => ({
  slice: single(p.slice),
  row: single(p.row),
  col: single(p.col),
  channel: single(p.channel),
});

export function sameCell(g: Geometry, tensor: GridName, p: Position): readonly BoxRegion[] {
  const region = box(g, tensor, cellBox(p));
  return region ? [region] : [];
}

/** Row `row` of a matrix of one group, all `cols` cells of it. */
export const matrixRow = (group: number, row: number, cols: number): BoxRanges => ({
  slice: single(group),
  row: single(row),
  col: upTo(cols),
  channel: single(0),
});

/** Column `col` of a matrix of one group, all `rows` cells of it. */
export const matrixColumn = (group: number, col: number, rows: number): BoxRanges => ({
  slice: single(group),
  row: upTo(rows),
  col: single(col),
  channel: single(0),
});

/** Flat indices of the first `limit` cells of the region, by slice, row, column, channel. */
export function regionIndices(g: Geometry, region: Region, limit = 4096): Int32Array {
  if (region.kind === 'list') return region.indices.slice(0, limit);
  const { stride } = gridOf(g, region.tensor);
  const { slice, row, col, channel } = region;
  const indices = new Int32Array(Math.min(region.count, limit));
  const value = (range: Range, t: number) => range.first + range.step * t;
  for (let i = 0; i < indices.length; i += 1) {
    let rest = i;
    const ch = rest % channel.count;
    rest = Math.floor(rest / channel.count);
    const c = rest % col.count;
    rest = Math.floor(rest / col.count);
    const r = rest % row.count;
    const s = Math.floor(rest / row.count);
    indices[i] =
      value(slice, s) * stride.slice +
      value(row, r) * stride.row +
      value(col, c) * stride.col +
      value(channel, ch) * stride.channel;
  }
  return indices;
}

/** Evenly spaced rows x columns of one drawn grid. */
export interface PlaneArea {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
  readonly rowStep: number;
  readonly colStep: number;
}

/** The areas of one drawn grid (one slice and channel of the tensor) that belong to the region. */
export function areasInPlane(g: Geometry, region: Region, slice: number, channel: number): readonly PlaneArea[] {
  if (region.kind === 'list') {
    const grid = gridOf(g, region.tensor);
    return Array.from(region.indices, (index) => positionAt(grid, index))
      .filter((p) => p.slice === slice && p.channel === channel)
      .map(({ row, col }) => ({ row, col, rows: 1, cols: 1, rowStep: 1, colStep: 1 }));
  }
  if (!rangeHas(region.slice, slice) || !rangeHas(region.channel, channel)) return [];
  const { row, col } = region;
  return [{ row: row.first, col: col.first, rows: row.count, cols: col.count, rowStep: row.step, colStep: col.step }];
}
