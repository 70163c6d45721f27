import type { Geometry } from '../../protocol/problem';

/** How large cells are and whether x, w and y stand side by side. Pure: the same sizes give the same picture. */
export interface BoardLayout {
  /** 'row': x | w b | y side by side, gradients below; 'stack': one column. */
  readonly arrangement: 'row' | 'stack';
  /** Side of a cell in CSS pixels; fractions are maps that fill their room. */
  readonly cell: { readonly x: number; readonly w: number; readonly y: number; readonly b: number };
  /** Widths of the three columns in CSS pixels. */
  readonly columns: readonly [number, number, number];
}

const LARGEST = 44;
/** A low window makes cells smaller down to here, where three digits still fit; then the page scrolls. */
const COMFORTABLE = 36;
const MOST_TALL = 560;
/** Figures of two digits fit from here. */
const READABLE = 24;
/** Below this a cell is a dot of a map, and whole pixels no longer matter. */
const WHOLE = 14;
/** Room for a sign between two columns. */
export const GAP = 36;
/** Room for a title and a legend. */
const NARROWEST = 146;
const STACK_BELOW = 580;
/** Frames on both sides of a grid. */
const FRAME = 8;

/** `tallest` is the height that a grid should keep to. */
export function layoutBoard(g: Geometry, width: number, tallest: number): BoardLayout {
  return width < STACK_BELOW ? stack(g, width) : row(g, width, tallest);
}

function row(g: Geometry, width: number, tallest: number): BoardLayout {
  const cols = { x: g.w + g.padding.left + g.padding.right, w: g.kw, y: g.ow };
  const rows = Math.max(g.h + g.padding.top + g.padding.bottom, g.oh);
  const room = width - 2 * GAP - 3 * FRAME;
  const high = Math.min(LARGEST, MOST_TALL / rows, Math.max(COMFORTABLE, tallest / rows));
  const even = largestCell(high, room, [cols.x, cols.w, cols.y]);
  // A small kernel beside a large image stays readable and leaves the rest to the maps.
  const w = whole(even >= READABLE ? even : Math.min(COMFORTABLE, Math.max(even, (room * 0.3) / cols.w)));
  const column_w = Math.max(NARROWEST, cols.w * w);
  const pixel = even >= READABLE ? w : whole(largestCell(high, room - column_w, [cols.x, cols.y]));
  // A small y has a column as wide as its title anyway: long sums are read there rather than in cells as small as x's.
  const y = whole(Math.max(pixel, Math.min(COMFORTABLE, high, NARROWEST / cols.y)));
  const column = (count: number, cell: number) => Math.max(NARROWEST, count * cell) + FRAME;
  return {
    arrangement: 'row',
    cell: { x: pixel, w, y, b: biasCell(g, w, column_w) },
    columns: [column(cols.x, pixel), column_w + FRAME, column(cols.y, y)],
  };
}

/** The largest cell, at most `most`, for which columns of so many cells fit side by side, none narrower than its title. */
function largestCell(most: number, room: number, counts: readonly number[]): number {
  // Columns that the title keeps wide take their part first; what remains is shared by the others.
  let wide = counts;
  for (;;) {
    const cell = Math.min(most, (room - (counts.length - wide.length) * NARROWEST) / sum(wide));
    const still = wide.filter((count) => count * cell > NARROWEST);
    if (still.length === wide.length || still.length === 0) return cell;
    wide = still;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function stack(g: Geometry, width: number): BoardLayout {
  const room = width - FRAME;
  const fitting = (cols: number, rows: number) => whole(Math.min(LARGEST, room / cols, MOST_TALL / rows));
  const x = fitting(g.w + g.padding.left + g.padding.right, g.h + g.padding.top + g.padding.bottom);
  const w = Math.min(fitting(g.kw, g.kh), Math.max(x, READABLE + 10));
  return {
    arrangement: 'stack',
    cell: { x, w, y: Math.min(fitting(g.ow, g.oh), Math.max(x, READABLE)), b: biasCell(g, w, room) },
    columns: [room, room, room],
  };
}

function biasCell(g: Geometry, largest: number, room: number): number {
  return whole(Math.min(Math.max(largest, READABLE), room / g.k));
}

function whole(size: number): number {
  return size >= WHOLE ? Math.floor(size) : size;
}
