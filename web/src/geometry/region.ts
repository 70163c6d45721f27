import type { Geometry, GridName } from '../protocol/problem';
import { ALL, ascending, clip, nth, type Range, rangeHas, single } from './axis';
import { AXES, gridOf, type Position, positionAt } from './grid';

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

/** The boxes of several tensors, without empty ones. */
export const boxes = (g: Geometry, ranges: Readonly<Partial<Record<GridName, BoxRanges>>>): readonly BoxRegion[] =>
  Object.entries(ranges).flatMap(([tensor, of]) => box(g, tensor as GridName, of) ?? []);

export const isRegion = (region: Region | null): region is Region => region !== null;

export const cellBox = (p: Position): BoxRanges => ({
  slice: single(p.slice),
  row: single(p.row),
  col: single(p.col),
  channel: single(p.channel),
});

export const sameCell = (g: Geometry, tensor: GridName, p: Position): readonly BoxRegion[] =>
  boxes(g, { [tensor]: cellBox(p) });

/** A row of a matrix of one group. */
export const matrixRow = (group: number, row: number): BoxRanges => ({
  ...{ slice: single(group), row: single(row), col: ALL, channel: ALL },
});

/** A column of a matrix of one group. */
export const matrixColumn = (group: number, col: number): BoxRanges => ({
  ...{ slice: single(group), row: ALL, col: single(col), channel: ALL },
});

/** Flat indices of the first `limit` cells of the region, by slice, row, column, channel. */
export function regionIndices(g: Geometry, region: Region, limit = 4096): Int32Array {
  if (region.kind === 'list') return region.indices.slice(0, limit);
  const { stride } = gridOf(g, region.tensor);
  return Int32Array.from({ length: Math.min(region.count, limit) }, (_, i) => {
    let rest = i;
    let index = 0;
    for (const axis of AXES.toReversed()) {
      const range = region[axis];
      index += nth(range, rest % range.count) * stride[axis];
      rest = Math.floor(rest / range.count);
    }
    return index;
  });
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
