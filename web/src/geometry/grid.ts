import type { Cell, ColumnOrder, Geometry, GridName, Shape } from '../protocol/problem';
import { ALL, ascending, clip, nth, type Range, rangeHas, single } from './axis';

/**
 * Position of a cell, independent of the layout.
 *
 * | tensor                            | slice  | row        | col        | channel            |
 * | x, dx, x_padded, dx_padded        | sample | pixel row  | pixel col  | input channel      |
 * | y, dy, dy_upsampled, dy_inserted ... | sample | output row | output col | filter             |
 * | w, dw, dw_uncropped               | filter | tap row    | tap col    | channel in group   |
 * | dw_per_image                      | n * k + filter, tap row, tap col  | channel in group   |
 * | w_flipped, w_exchanged             | channel| tap row    | tap col    | filter in group    |
 * | b, db                             | 0      | 0          | 0          | filter             |
 * | x_col, w_col, y_col, dx_col, ...  | group  | matrix row | matrix col | 0                  |
 * | C                                 | 0      | cell of y  | cell of x  | 0                  |
 */
export interface Position {
  readonly slice: number;
  readonly row: number;
  readonly col: number;
  readonly channel: number;
}

export type AxisName = keyof Position;
export const AXES: readonly AxisName[] = ['slice', 'row', 'col', 'channel'];

export const at = (slice: number, row: number, col: number, channel: number): Position => ({
  slice,
  row,
  col,
  channel,
});

/** The position in the padded x of a position in x. */
export const inPadded = ({ padding }: Geometry, p: Position): Position => ({
  ...p,
  row: p.row + padding.top,
  col: p.col + padding.left,
});

/** True for im2col matrices. */
export const isMatrix = (name: GridName): boolean => name.endsWith('_col');

/** Matrices that may be drawn transposed: C, too. */
export const hasForms = (name: GridName): boolean => isMatrix(name) || name === 'C';

/** How a matrix is displayed. */
export interface MatrixForm {
  readonly order: ColumnOrder;
  readonly transposed: boolean;
}

export const PLAIN_FORM: MatrixForm = { order: 'kh_kw_c', transposed: false };

/** The address arithmetic of one tensor: extent and flat stride of each logical axis, in elements. */
export interface Grid {
  readonly name: GridName;
  /** Its axes in memory, the slowest first. */
  readonly order: readonly AxisName[];
  readonly shape: Shape;
  readonly size: Position;
  readonly stride: Position;
  readonly cells: number;
}

type Order = readonly [AxisName, AxisName, AxisName, AxisName];
const CHANNELS_LAST: Order = ['slice', 'row', 'col', 'channel'];
const CHANNELS_FIRST: Order = ['slice', 'channel', 'row', 'col'];
const FILTERS_LAST: Order = ['row', 'col', 'channel', 'slice'];

function gridIn(order: Order, name: GridName, size: Position): Grid {
  const stride = { slice: 1, row: 1, col: 1, channel: 1 };
  let cells = 1;
  for (const axis of order.toReversed()) {
    stride[axis] = cells;
    cells *= size[axis];
  }
  const [a, b, c, d] = order;
  return { name, order, shape: [size[a], size[b], size[c], size[d]], size, stride, cells };
}

const pixels = (g: Geometry, name: GridName, row: number, col: number, channel: number): Grid =>
  gridIn(g.layout === 'nhwc' ? CHANNELS_LAST : CHANNELS_FIRST, name, { slice: g.n, row, col, channel });

const weights = (g: Geometry, name: GridName, channel: number, slice: number, row = g.kh, col = g.kw): Grid =>
  gridIn(g.layout === 'nhwc' ? FILTERS_LAST : CHANNELS_FIRST, name, { slice, row, col, channel });

const matrix = (g: Geometry, name: GridName, row: number, col: number): Grid =>
  gridIn(CHANNELS_LAST, name, { slice: g.groups, row, col, channel: 1 });

/** Output positions of the whole batch: rows of x_col. */
export const outputPositions = (g: Geometry): number => g.n * g.oh * g.ow;

/** Weights of one filter: columns of x_col. */
export const windowCells = (g: Geometry): number => g.kh * g.kw * g.group_c;

/** The grid of a tensor or stage; matrices in plain form. */
export function gridOf(g: Geometry, name: GridName): Grid {
  const { padding: pad } = g;
  switch (name) {
    case 'x':
    case 'dx':
      return pixels(g, name, g.h, g.w, g.c);
    case 'y':
    case 'dy':
      return pixels(g, name, g.oh, g.ow, g.k);
    case 'x_padded':
    case 'dx_padded':
      return pixels(g, name, g.h + pad.top + pad.bottom, g.w + pad.left + pad.right, g.c);
    case 'dy_upsampled':
    case 'dy_extended':
    case 'dy_inserted': {
      const { rows, cols } = upsampledSizes(g, name);
      return pixels(g, name, rows.size, cols.size, g.k);
    }
    case 'w':
    case 'dw':
      return weights(g, name, g.group_c, g.k);
    case 'w_exchanged':
    case 'w_flipped':
      return weights(g, name, g.group_k, g.c);
    case 'dw_uncropped':
    case 'dw_per_image': {
      const rows = g.kh + Math.floor(g.remainder_h / g.dilation_h);
      const cols = g.kw + Math.floor(g.remainder_w / g.dilation_w);
      return weights(g, name, g.group_c, name === 'dw_per_image' ? g.n * g.k : g.k, rows, cols);
    }
    case 'b':
    case 'db':
      return gridIn(CHANNELS_LAST, name, { slice: 1, row: 1, col: 1, channel: g.k });
    case 'x_col':
    case 'dx_col':
      return matrix(g, name, outputPositions(g), windowCells(g));
    case 'w_col':
    case 'dw_col':
      return matrix(g, name, windowCells(g), g.group_k);
    case 'y_col':
    case 'dy_col':
      return matrix(g, name, outputPositions(g), g.group_k);
    case 'C':
      return matrix({ ...g, groups: 1 }, name, g.oh * g.ow * g.k, g.h * g.w * g.c);
  }
}

export type UpsampledName = 'dy_upsampled' | 'dy_extended' | 'dy_inserted';

interface SpreadAxis {
  readonly size: number;
  /** Padding before the first cell of dy. */
  readonly ring: number;
}

/**
 * The three steps to the input of the full convolution: insert stride - 1 zeros between the cells of dy; append the
 * remainder; pad with (dilated kernel - 1) zeros on each side.
 */
export function upsampledSizes(
  g: Geometry,
  name: UpsampledName,
): { readonly rows: SpreadAxis; readonly cols: SpreadAxis } {
  const axis = (cells: number, stride: number, remainder: number, dilated: number): SpreadAxis => {
    const spread = (cells - 1) * stride + 1;
    const ring = name === 'dy_inserted' ? dilated - 1 : 0;
    return { size: spread + (name === 'dy_upsampled' ? 0 : remainder) + 2 * ring, ring };
  };
  return {
    rows: axis(g.oh, g.stride_h, g.remainder_h, g.dilated_kh),
    cols: axis(g.ow, g.stride_w, g.remainder_w, g.dilated_kw),
  };
}

const isWithin = (at: number, size: number) => at >= 0 && at < size;

export const isInside = ({ size }: Grid, { slice, row, col, channel }: Position): boolean =>
  isWithin(slice, size.slice) && isWithin(row, size.row) && isWithin(col, size.col) && isWithin(channel, size.channel);

/** The axes that a name of a cell has: rows and columns, and others if their size is above 1. */
export const shownAxesOf = ({ order, size }: Grid): readonly AxisName[] =>
  order.filter((axis) => axis === 'row' || axis === 'col' || size[axis] > 1);

export const indexAt = ({ stride }: Grid, p: Position): number =>
  p.slice * stride.slice + p.row * stride.row + p.col * stride.col + p.channel * stride.channel;

/** Position of a flat index, 0 <= index < cells. */
export function positionAt({ size, stride }: Grid, index: number): Position {
  const along = (axis: AxisName) => (size[axis] <= 1 ? 0 : Math.floor(index / stride[axis]) % size[axis]);
  return { slice: along('slice'), row: along('row'), col: along('col'), channel: along('channel') };
}

export function cellAt(g: Geometry, tensor: GridName, position: Position): Cell | null {
  const grid = gridOf(g, tensor);
  return isInside(grid, position) ? { tensor, index: indexAt(grid, position) } : null;
}

export const positionOf = (g: Geometry, cell: Cell): Position => positionAt(gridOf(g, cell.tensor), cell.index);

/** The cell at the same position in another geometry, or null if it does not exist there. */
export const remapCell = (cell: Cell, from: Geometry, to: Geometry): Cell | null =>
  cellAt(to, cell.tensor, positionOf(from, cell));

/** The sample, input channel and filter that the grids show. */
export interface Focus {
  readonly n: number;
  readonly c: number;
  readonly k: number;
}

/** The focus clamped to the geometry; the channel belongs to the group of the filter. */
export function validFocus(g: Geometry, focus: Focus): Focus {
  const n = Math.max(0, Math.min(g.n - 1, focus.n));
  const k = Math.max(0, Math.min(g.k - 1, focus.k));
  const first = groupOfFilter(g, k) * g.group_c;
  return { n, k, c: Math.max(first, Math.min(first + g.group_c - 1, focus.c)) };
}

export const groupOfFilter = (g: Geometry, k: number): number => Math.floor(k / g.group_k);
export const groupOfChannel = (g: Geometry, c: number): number => Math.floor(c / g.group_c);

export function focusOn(g: Geometry, { tensor, index }: Cell, focus: Focus): Focus {
  const position = positionOf(g, { tensor, index });
  if (!isInside(gridOf(g, tensor), position)) return focus;
  const { slice, channel } = position;
  switch (tensor) {
    case 'x':
    case 'x_padded':
    case 'dx': {
      const group = groupOfChannel(g, channel);
      const k = groupOfFilter(g, focus.k) === group ? focus.k : group * g.group_k;
      return { n: slice, c: channel, k };
    }
    case 'y':
    case 'dy':
      return validFocus(g, { ...focus, n: slice, k: channel });
    case 'w':
    case 'dw':
      return { ...focus, k: slice, c: groupOfFilter(g, slice) * g.group_c + channel };
    case 'b':
    case 'db':
      return validFocus(g, { ...focus, k: channel });
    default:
      return isMatrix(tensor) ? validFocus(g, { ...focus, k: slice * g.group_k }) : focus;
  }
}

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
