import type { Cell, Geometry } from '../protocol/problem';
import { clip, type Range, single, upTo } from './axis';
import {
  boxes,
  gridOf,
  groupOfFilter,
  isInside,
  type Position,
  positionOf,
  type UpsampledName,
  upsampledSizes,
} from './grid';
import { ruleOf, upsampledSource } from './rules';

/** Positions of the window and of the padding. */

/** Rows and columns that the window of an output position reads, in coordinates of x_padded. */
export const windowAt = (g: Geometry, row: number, col: number) => ({
  rows: { first: row * g.stride_h, step: g.dilation_h, count: g.kh },
  cols: { first: col * g.stride_w, step: g.dilation_w, count: g.kw },
});

/** The cells of x_padded under a weight, one for each window. */
export const cellsUnder = (g: Geometry, { slice, row, col, channel }: Position) =>
  boxes(g, {
    x_padded: {
      slice: upTo(g.n),
      row: { first: row * g.dilation_h, step: g.stride_h, count: g.oh },
      col: { first: col * g.dilation_w, step: g.stride_w, count: g.ow },
      channel: single(groupOfFilter(g, slice) * g.group_c + channel),
    },
  });

export function tapsInPadding(g: Geometry, row: number, col: number): number {
  const { rows, cols } = windowAt(g, row, col);
  const inside = (range: Range, before: number, size: number) =>
    clip({ ...range, first: range.first - before }, size).count;
  return g.kh * g.kw - inside(rows, g.padding.top, g.h) * inside(cols, g.padding.left, g.w);
}

type CellKind = 'data' | 'padding' | 'inserted';

/** The kind of a cell; only x_padded, x_col and upsampled dy have cells that are not data. */
export function cellKind(g: Geometry, cell: Cell): CellKind {
  const p = positionOf(g, cell);
  switch (cell.tensor) {
    case 'dy_upsampled':
    case 'dy_extended':
    case 'dy_inserted':
      return spreadKind(g, cell.tensor, p);
    case 'x_padded':
    case 'x_col': {
      const source = ruleOf(g, cell)?.a.origin;
      return source && isInside(gridOf(g, 'x'), source) ? 'data' : 'padding';
    }
    default:
      return 'data';
  }
}

/**
 * True if an entry of the plain x_col is a copy of padding: cellKind without objects, for a map that checks a thousand
 * entries in each frame.
 */
export function isPaddingEntry(g: Geometry, row: number, column: number): boolean {
  const tap = Math.floor(column / g.group_c);
  const y = (Math.floor(row / g.ow) % g.oh) * g.stride_h + Math.floor(tap / g.kw) * g.dilation_h - g.padding.top;
  const x = (row % g.ow) * g.stride_w + (tap % g.kw) * g.dilation_w - g.padding.left;
  return y < 0 || y >= g.h || x < 0 || x >= g.w;
}

function spreadKind(g: Geometry, name: UpsampledName, p: Position): CellKind {
  if (upsampledSource(g, name, p)) return 'data';
  const { rows, cols } = upsampledSizes(g, name);
  const within = (at: number, { size, ring }: { size: number; ring: number }) => at >= ring && at < size - ring;
  return within(p.row, rows) && within(p.col, cols) ? 'inserted' : 'padding';
}
