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
  /** 'stage': every panel has a fixed position; 'stack': a small stage, where the panels are one below the other. */
  readonly arrangement: 'stage' | 'stack';
  /** The tensors have their slots in a stack, too: their values are readable there. */
  readonly isBoard: boolean;
  /** The height that is seen at once: a stack may be higher. */
  readonly sight: number;
  readonly cell: Readonly<Record<Column | 'b', number>>;
  readonly columns: Readonly<Record<Column, Span>>;
  readonly rows: Readonly<Record<Row, Span>>;
  readonly slots: Readonly<Record<TensorName, Box>>;
  /** Between the rows: one line of text, the sum of a cell. */
  readonly line: Box;
}

/** Narrower or lower stages are stacks. In CSS pixels. */
export const STACK_BELOW = { width: 560, height: 400 } as const;
/** Gap between the rows, for the sum of a cell and the loss; and its largest growth. */
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
export const SHORT_STRIP = 8;

type Cells = Readonly<Record<Column, number>>;

/** How the tensors are arranged. */
interface Plan {
  /** Gap between two columns, for a sign; and its largest growth. */
  readonly gap: number;
  readonly growth: number;
  /** Least width of a tensor, for its title. */
  readonly title: number;
  /** The gradients are beside the tensors, not below. */
  readonly oneRow: boolean;
}

const LARGE: Plan = { gap: 40, growth: 56, title: TITLE, oneRow: false };
/** In a small room: two rows of three tensors, or a row of six. */
const SMALL: Plan = { gap: 3, growth: 33, title: 64, oneRow: false };

/** Whether the gradients are shown: lessons on the forward pass hide them. */
export const hasBackward = (hiddenParts: readonly string[]): boolean => !hiddenParts.includes('backward');

/** What is laid out. */
interface Contents {
  readonly g: Geometry;
  /** b is shown. */
  readonly bias: boolean;
  /** The gradients are shown. */
  readonly backward: boolean;
  readonly plan: Plan;
}

/** `bias`: b is shown. `backward`: so are the gradients. */
export function layoutStage(g: Geometry, bias: boolean, room: Room, backward = true): StageLayout {
  const of = { g, bias, backward };
  if (room.width >= STACK_BELOW.width && room.height >= STACK_BELOW.height) {
    const large = { ...of, plan: LARGE };
    return place(large, room, cellsFor(large, room));
  }
  const plans = backward ? [SMALL, { ...SMALL, oneRow: true }] : [SMALL];
  // A low stage scrolls, so that values stay readable.
  const endless = { ...room, height: Number.POSITIVE_INFINITY };
  const [best] = plans
    .filter((plan) => fits({ ...of, plan }, endless, evenly(READABLE)))
    .map((plan) => ({ plan, cell: largest(LARGEST_TENSOR, (c) => fits({ ...of, plan }, room, evenly(c))) }))
    .toSorted((one, other) => other.cell - one.cell);
  if (!best) return stack(g, room);
  const cells = evenly(Math.max(READABLE, best.cell));
  return { ...place({ ...of, plan: best.plan }, room, cells), arrangement: 'stack' };
}

const evenly = (size: number): Cells => ({ x: size, w: size, y: size });

function place(of: Contents, room: Room, cells: Cells): StageLayout {
  const { g, plan } = of;
  const { widths, heights, b } = measure(of, cells, room.width);
  const times = plan.oneRow ? 2 : 1;
  const gaps = plan.oneRow ? 5 : 2;
  const spareWidth = Math.max(0, room.width - times * sum(widths) - gaps * plan.gap);
  const spareHeight = Math.max(0, room.height - tallOf(of, heights));
  const wide = distributeSpareWidth(g, widths, spareWidth / times);
  const left = room.width - times * sum(wide) - gaps * plan.gap;
  const gap = plan.gap + Math.min(plan.growth, Math.max(0, left / (gaps + 1)));
  const start = Math.max(0, (room.width - times * sum(wide) - gaps * gap) / 2);
  const columns = {
    x: { start, size: wide.x },
    w: { start: start + wide.x + gap, size: wide.w },
    y: { start: start + wide.x + wide.w + 2 * gap, size: wide.y },
  };
  const air = plan.oneRow ? 0 : Math.min(MAX_ROW_GAP_GROWTH, spareHeight / 2);
  // Centered, on whole pixels.
  const first = Math.floor((spareHeight - air) / 2);
  const below = plan.oneRow ? 0 : heights.forward + ROW_GAP + air;
  const rows = {
    forward: { start: first, size: heights.forward },
    backward: { start: first + below, size: heights.backward },
  };
  const aside = plan.oneRow ? sum(wide) + 3 * gap : 0;
  const line = {
    left: start,
    top: rows.forward.start + heights.forward,
    // db is beside it.
    width: plan.oneRow ? aside + columns.w.start - start : room.width - start,
    height: ROW_GAP + air,
  };
  const at = (column: Column, row: Row, down: number, height: number): Box => ({
    left: columns[column].start + (row === 'backward' ? aside : 0),
    top: rows[row].start + down,
    width: columns[column].size,
    height,
  });
  const tall = (tensor: TensorName) => heightOf(g, tensor, { ...cells, b }[twin(tensor)]);
  const [wTall, dwTall] = [tall('w') + BIAS_GAP, tall('dw') + BIAS_GAP];
  return {
    arrangement: 'stage',
    isBoard: true,
    sight: room.height,
    width: room.width,
    height: Math.max(room.height, line.top + line.height, rows.backward.start + rows.backward.size),
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
    line,
  };
}

const sum = ({ x, w, y }: Cells): number => x + w + y;

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

function measure({ g, bias, backward, plan }: Contents, cells: Cells, room: number) {
  // Three titles always fit.
  const title = Math.min(plan.title, (room - 2 * plan.gap) / 3 - AROUND.frame);
  const width = (tensor: Column) =>
    Math.max(foldedStrips(g, tensor), Math.max(title, colsOf(g, tensor) * cells[tensor]) + AROUND.frame);
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
      backward: backward ? Math.max(tall('dx'), tall('dy'), tall('dw') + BIAS_GAP + tall('db')) : 0,
    },
  };
}

const tallOf = ({ plan }: Contents, { forward, backward }: Readonly<Record<Row, number>>): number =>
  plan.oneRow ? Math.max(forward + ROW_GAP, backward) : forward + backward + ROW_GAP;

/** `strips`: with room for all slices of short strips. */
function fits(of: Contents, room: Room, cells: Cells, strips = false): boolean {
  const { g, plan } = of;
  const { widths, heights } = measure(of, cells, room.width);
  const wide = (column: Column) => Math.max(widths[column], strips ? shortStrips(g, column) : 0);
  const all = wide('x') + wide('w') + wide('y');
  return (
    (plan.oneRow ? 2 * all + 5 * plan.gap : all + 2 * plan.gap) <= room.width && tallOf(of, heights) <= room.height
  );
}

/**
 * Cells of one size where values fit, so that a window of x is as large as w; else maps beside readable weights. Cells with
 * values leave room for all slices of short strips.
 */
function cellsFor(of: Contents, room: Room): Cells {
  const beside = largest(LARGEST_TENSOR, (c) => fits(of, room, evenly(c), true));
  if (beside >= READABLE) return evenly(beside);
  const even = largest(LARGEST_TENSOR, (c) => fits(of, room, evenly(c)));
  if (even >= READABLE) return evenly(even);
  const readable = largest(READABLE, (c) => fits(of, room, { x: c, w: Math.max(c, MIN_WEIGHT_CELL), y: c }));
  const pixel = readable >= MIN_PIXEL_SHARE * even ? readable : even;
  let cells = { x: pixel, w: pixel === even ? pixel : MIN_WEIGHT_CELL, y: pixel };
  // A small w or y beside a large x can grow to the width of its title.
  for (const name of ['w', 'y'] as const) {
    for (let size = SMALL_TENSOR_CELL; size > cells[name]; size -= 1) {
      const larger = { ...cells, [name]: size };
      if (!fits(of, room, larger)) continue;
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
export const shortStrips = (g: Geometry, column: Column) =>
  slicesOf(g, column).some((count) => count > SHORT_STRIP) ? 0 : stripsOf(g, column);

/** Least width of the slices of an axis: their letter, one of them, and the button for the others, as in slices.css. */
const FOLDED = 73;

/** Width of all strips, folded. */
const foldedStrips = (g: Geometry, column: Column): number =>
  slicesOf(g, column).reduce((sum, count) => sum + Math.min(FOLDED, LETTER + count * THUMBNAIL), 0);

/** Gives the spare width to columns with strips of slices. */
function distributeSpareWidth(g: Geometry, widths: Cells, spare: number): Cells {
  const wanted = (column: Column) => Math.max(0, stripsOf(g, column) - widths[column]);
  const wants = { x: wanted('x'), w: wanted('w'), y: wanted('y') };
  const share = Math.min(1, spare / Math.max(1, wants.x + wants.w + wants.y));
  return { x: widths.x + share * wants.x, w: widths.w + share * wants.w, y: widths.y + share * wants.y };
}

/** The height of a panel in a stack without slots. */
const STACK_HEIGHT = 560;

/** One tensor below the other: they are too large to be readable on a small board. A low stage shows x and y together, if it can. */
function stack(g: Geometry, { width, height }: Room): StageLayout {
  const room = width - AROUND.frame;
  const together = (height - 2 * (AROUND.head + AROUND.frame)) / (rowsOf(g, 'x') + rowsOf(g, 'y'));
  const fitting = (tensor: Column, most: number) =>
    wholePixels(Math.min(most, room / colsOf(g, tensor), STACK_HEIGHT / rowsOf(g, tensor)));
  const x = fitting('x', Math.max(READABLE, Math.min(LARGEST, together)));
  const w = fitting('w', Math.max(x, MIN_WEIGHT_CELL));
  const all = { start: 0, size: width };
  const box = { left: 0, top: 0, width, height: STACK_HEIGHT };
  return {
    arrangement: 'stack',
    isBoard: false,
    sight: height,
    width,
    height: STACK_HEIGHT,
    cell: {
      ...{ x, w, y: fitting('y', Math.max(x, READABLE)) },
      b: wholePixels(Math.min(Math.max(w, READABLE), room / Math.max(1, g.k))),
    },
    columns: { x: all, w: all, y: all },
    rows: { forward: all, backward: all },
    slots: { x: box, w: box, b: box, y: box, dx: box, dw: box, db: box, dy: box },
    line: box,
  };
}
