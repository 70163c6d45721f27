import { unreadOf } from '../../../geometry/axis';
import type { Geometry, TensorName } from '../../../protocol/problem';
import { AROUND, LARGEST, LARGEST_TENSOR, largest, READABLE, type Room, showsValues, TITLE, wholePixels } from '../fit';

/** A rectangle, in CSS pixels from the top left corner of the stage. */
export interface Box extends Room {
  readonly left: number;
  readonly top: number;
}

interface Span {
  readonly start: number;
  readonly size: number;
}

export type Column = 'x' | 'w' | 'y';
export type Row = 'forward' | 'backward';

/**
 * The position and cell size of each tensor: x left, w in the middle, y right, the gradients below them. It depends on the
 * sizes of the problem and of the stage, not on the view: tensors do not move between views.
 */
export interface StageLayout extends Room {
  /** 'stage': every panel has a fixed position; 'stack': a narrow screen, one panel below the other. */
  readonly arrangement: 'stage' | 'stack';
  /** In a stack, w and y are side by side. */
  readonly paired: boolean;
  readonly cell: Readonly<Record<Column | 'b', number>>;
  readonly columns: Readonly<Record<Column, Span>>;
  readonly rows: Readonly<Record<Row, Span>>;
  readonly slots: Readonly<Record<TensorName, Box>>;
}

/** Narrower stages are stacks. */
const STACK_BELOW = 560;
const STACK_HEIGHT = 560;
/** Gap between two columns, for a sign; and its largest growth. */
const COLUMN_GAP = 40;
const MAX_GAP_GROWTH = 56;
/** Gap between the rows, for arrows and the loss; and its largest growth. */
const ROW_GAP = 22;
const MAX_ROW_GAP_GROWTH = 24;
/** Between w and b. */
const BIAS_GAP = 8;
/** Cell size of a small kernel or output beside a map. */
const SMALL_TENSOR_CELL = 36;
const MIN_WEIGHT_CELL = 28;
/** Least share of their size that pixels keep, so that the weights are readable. */
const MIN_PIXEL_SHARE = 0.8;
/** Width of a thumbnail with its gap, and of the letter before the first. */
export const THUMBNAIL = 26;
export const LETTER = 16;
/** Slices of a strip that the cells leave room for. */
const SHORT_STRIP = 8;

type Cells = Readonly<Record<Column, number>>;

/** Whether the gradients are shown: lessons on the forward pass hide them. */
export const hasBackward = (hiddenParts: readonly string[]): boolean => !hiddenParts.includes('backward');

/** `bias`: b is shown. `backward`: so are the gradients. */
export function layoutStage(g: Geometry, bias: boolean, room: Room, backward = true): StageLayout {
  if (room.width < STACK_BELOW) return stack(g, room);
  const cells = cellsFor(g, bias, room, backward);
  const { widths, heights, b } = measure(g, bias, cells, room.width, backward);
  const spareWidth = Math.max(0, room.width - widths.x - widths.w - widths.y - 2 * COLUMN_GAP);
  const spareHeight = Math.max(0, room.height - heights.forward - heights.backward - ROW_GAP);
  const wide = distributeSpareWidth(g, widths, spareWidth);
  const left = room.width - wide.x - wide.w - wide.y - 2 * COLUMN_GAP;
  const gap = COLUMN_GAP + Math.min(MAX_GAP_GROWTH, Math.max(0, left / 3));
  const start = Math.max(0, (room.width - wide.x - wide.w - wide.y - 2 * gap) / 2);
  const columns = {
    x: { start, size: wide.x },
    w: { start: start + wide.x + gap, size: wide.w },
    y: { start: start + wide.x + wide.w + 2 * gap, size: wide.y },
  };
  const air = Math.min(MAX_ROW_GAP_GROWTH, spareHeight / 2);
  // Centered, on whole pixels.
  const first = Math.floor((spareHeight - air) / 2);
  const rows = {
    forward: { start: first, size: heights.forward },
    backward: { start: first + heights.forward + ROW_GAP + air, size: heights.backward },
  };
  const at = (column: Column, row: Row, down: number, height: number): Box => ({
    left: columns[column].start,
    top: rows[row].start + down,
    width: columns[column].size,
    height,
  });
  const tall = (tensor: TensorName) => heightOf(g, tensor, { ...cells, b }[twin(tensor)]);
  const [wTall, dwTall] = [tall('w') + BIAS_GAP, tall('dw') + BIAS_GAP];
  return {
    arrangement: 'stage',
    paired: false,
    width: room.width,
    height: Math.max(room.height, rows.backward.start + rows.backward.size),
    cell: { ...cells, b },
    columns,
    rows,
    slots: {
      x: at('x', 'forward', 0, tall('x')),
      w: at('w', 'forward', 0, tall('w')),
      b: at('w', 'forward', wTall, tall('b')),
      y: at('y', 'forward', 0, tall('y')),
      dx: at('x', 'backward', 0, tall('dx')),
      dw: at('w', 'backward', 0, tall('dw')),
      db: at('w', 'backward', dwTall, tall('db')),
      dy: at('y', 'backward', 0, tall('dy')),
    },
  };
}

/** The box from one column to another; it extends to the edge of the stage after the last column or row. */
export function region(layout: StageLayout, from: Column, to: Column, row: Row | 'both'): Box {
  const { columns, rows } = layout;
  const left = from === 'x' ? 0 : columns[from].start;
  const right = to === 'y' ? layout.width : columns[to].start + columns[to].size;
  const top = row === 'backward' ? rows.backward.start : 0;
  const bottom = row === 'forward' ? rows.backward.start - ROW_GAP : layout.height;
  return { left, top, width: right - left, height: bottom - top };
}

export const wholeStage = ({ width, height }: StageLayout): Box => ({ left: 0, top: 0, width, height });

/** `box` without its top `by` pixels. */
export const below = ({ left, top, width, height }: Box, by: number): Box => ({
  left,
  top: top + by,
  width,
  height: Math.max(0, height - by),
});

/** Number of slices of a tensor, for each axis with more than one. */
export function slicesOf(g: Geometry, tensor: TensorName): readonly number[] {
  const counts: Readonly<Record<Column | 'b', readonly number[]>> = {
    x: [g.n, g.c],
    w: [g.k, g.group_c],
    y: [g.n, g.k],
    b: [],
  };
  return counts[twin(tensor)].filter((count) => count > 1);
}

/** x for dx, and so on. */
export function twin(tensor: TensorName): Column | 'b' {
  return tensor.replace('d', '') as Column | 'b';
}

export const rowsOf = (g: Geometry, tensor: TensorName): number =>
  ({ x: g.h + g.padding.top + g.padding.bottom, dx: g.h, w: g.kh, dw: g.kh, y: g.oh, dy: g.oh, b: 1, db: 1 })[tensor];

export const colsOf = (g: Geometry, tensor: TensorName): number =>
  ({ x: g.w + g.padding.left + g.padding.right, w: g.kw, y: g.ow, b: g.k })[twin(tensor)];

/** Rows or columns of x that no window reads are hatched, with a note below. */
const hasUnread = (g: Geometry) =>
  (['row', 'col'] as const).some((axis) => {
    const { remainder, skipped } = unreadOf(g, axis);
    return remainder.length + skipped.length > 0;
  });

export function heightOf(g: Geometry, tensor: TensorName, cell: number): number {
  const note = twin(tensor) === 'x' && hasUnread(g) ? AROUND.note : 0;
  const strip = slicesOf(g, tensor).length > 0 ? AROUND.strip : 0;
  const legend = showsValues(rowsOf(g, tensor), colsOf(g, tensor), cell) ? 0 : AROUND.legend;
  const cellsTall = rowsOf(g, tensor) * cell;
  return AROUND.head + AROUND.frame + cellsTall + legend + note + strip;
}

function measure(g: Geometry, bias: boolean, cells: Cells, room: number, backward: boolean) {
  // Three titles always fit.
  const title = Math.min(TITLE, (room - 2 * COLUMN_GAP) / 3 - AROUND.frame);
  const width = (tensor: Column) => Math.max(title, colsOf(g, tensor) * cells[tensor]) + AROUND.frame;
  const widths = { x: width('x'), w: width('w'), y: width('y') };
  // A long row of biases may use the free room of w's column, up to a quarter of the stage.
  const most = Math.max(widths.w, Math.min(room / 4, g.k * READABLE)) - AROUND.frame;
  const b = wholePixels(Math.min(Math.max(cells.w, READABLE), most / Math.max(1, g.k)));
  const all = { ...cells, b };
  const tall = (tensor: TensorName) => heightOf(g, tensor, all[twin(tensor)]);
  return {
    b,
    widths: { ...widths, w: Math.max(widths.w, g.k * b + AROUND.frame) },
    heights: {
      forward: Math.max(tall('x'), tall('y'), tall('w') + (bias ? BIAS_GAP + tall('b') : 0)),
      // Without a second row there is no gap before it.
      backward: backward ? Math.max(tall('dx'), tall('dy'), tall('dw') + BIAS_GAP + tall('db')) : -ROW_GAP,
    },
  };
}

/**
 * Cells of one size where values fit, so that a window of x is as large as w; else maps beside readable weights. Cells with
 * values leave room for all slices of short strips.
 */
function cellsFor(g: Geometry, bias: boolean, room: Room, backward: boolean): Cells {
  const fits = (cells: Cells, strips = false) => {
    const { widths, heights } = measure(g, bias, cells, room.width, backward);
    const wide = (column: Column) => Math.max(widths[column], strips ? shortStrips(g, column) : 0);
    const all = wide('x') + wide('w') + wide('y') + 2 * COLUMN_GAP;
    return all <= room.width && heights.forward + heights.backward + ROW_GAP <= room.height;
  };
  const beside = largest(LARGEST_TENSOR, (c) => fits({ x: c, w: c, y: c }, true));
  if (beside >= READABLE) return { x: beside, w: beside, y: beside };
  const even = largest(LARGEST_TENSOR, (c) => fits({ x: c, w: c, y: c }));
  if (even >= READABLE) return { x: even, w: even, y: even };
  const readable = largest(READABLE, (c) => fits({ x: c, w: Math.max(c, MIN_WEIGHT_CELL), y: c }));
  const pixel = readable >= MIN_PIXEL_SHARE * even ? readable : even;
  let cells = { x: pixel, w: pixel === even ? pixel : MIN_WEIGHT_CELL, y: pixel };
  // A small w or y beside a large x can grow to the width of its title.
  for (const name of ['w', 'y'] as const) {
    for (let size = SMALL_TENSOR_CELL; size > cells[name]; size -= 1) {
      const larger = { ...cells, [name]: size };
      if (!fits(larger)) continue;
      cells = larger;
      break;
    }
  }
  return cells;
}

/** Width of all slices of a tensor. */
export const stripsOf = (g: Geometry, column: Column): number =>
  slicesOf(g, column).reduce((sum, count) => sum + LETTER + count * THUMBNAIL, 0);

/** The same; 0 if there are too many, which fold anyway. */
const shortStrips = (g: Geometry, column: Column) =>
  slicesOf(g, column).some((count) => count > SHORT_STRIP) ? 0 : stripsOf(g, column);

/** Gives the spare width to columns with strips of slices. */
function distributeSpareWidth(g: Geometry, widths: Cells, spare: number): Cells {
  const wanted = (column: Column) => Math.max(0, stripsOf(g, column) - widths[column]);
  const wants = { x: wanted('x'), w: wanted('w'), y: wanted('y') };
  const share = Math.min(1, spare / Math.max(1, wants.x + wants.w + wants.y));
  return { x: widths.x + share * wants.x, w: widths.w + share * wants.w, y: widths.y + share * wants.y };
}

/** Gap between w and y where they are side by side. */
const PAIR_GAP = 14;
/** Least width of a panel there, for its title. */
const PAIR_TITLE = 118;

function stack(g: Geometry, { width, height }: Room): StageLayout {
  const room = width - AROUND.frame;
  const tall = Math.min(STACK_HEIGHT, height);
  const fitting = (tensor: Column, most: number) =>
    wholePixels(Math.min(most, room / colsOf(g, tensor), tall / rowsOf(g, tensor)));
  const x = fitting('x', LARGEST);
  const pair = pairIn(g, { width, height: tall }, Math.max(x, SMALL_TENSOR_CELL));
  const w = pair?.cell ?? fitting('w', Math.max(x, SMALL_TENSOR_CELL));
  const all = { start: 0, size: width };
  const box = { left: 0, top: 0, width, height: STACK_HEIGHT };
  return {
    arrangement: 'stack',
    paired: pair !== null,
    width,
    height: STACK_HEIGHT,
    cell: {
      x,
      w,
      y: pair?.cell ?? fitting('y', Math.max(x, READABLE)),
      b: wholePixels(Math.min(Math.max(w, READABLE), room / Math.max(1, g.k))),
    },
    columns: { x: all, w: pair?.w ?? all, y: pair?.y ?? all },
    rows: { forward: all, backward: all },
    slots: { x: box, w: box, b: box, y: box, dx: box, dw: box, db: box, dy: box },
  };
}

/** The largest cells with which w and y fit side by side with all values and slices; null: they do not fit. */
function pairIn(g: Geometry, { width, height }: Room, most: number) {
  const wide = (tensor: 'w' | 'y', cell: number) => {
    return Math.max(PAIR_TITLE, stripsOf(g, tensor), colsOf(g, tensor) * cell) + AROUND.frame;
  };
  const tall = height / Math.max(rowsOf(g, 'w'), rowsOf(g, 'y'));
  const cell = largest(Math.floor(Math.min(most, tall)), (c) => wide('w', c) + PAIR_GAP + wide('y', c) <= width);
  if (cell < READABLE) return null;
  // Spare room goes between them.
  const start = Math.min(width - wide('y', cell), Math.max(wide('w', cell) + PAIR_GAP, width / 2));
  return { cell, w: { start: 0, size: start - PAIR_GAP }, y: { start, size: width - start } };
}
