import { AROUND, LARGEST, LARGEST_TENSOR, largest, READABLE, type Room, wholePixels } from '../shared/fit';
import type { Net } from './net';

/**
 * Places the tensors of a network: values on top from left to right, weights below them, gradients at the bottom. Where not all can
 * show their figures, one does (the lead), and the others are small. A lead gets the same extra room in each column and in each row,
 * so that its place contains the one it had when it was small: it does not slip away from under the pointer.
 */

/** Rows of the view. */
export const VALUES = 0;
export const WEIGHTS = 1;
export const GRADIENTS = 2;

/** The panel with the most room: a row, and the column of a tensor or of the one that the weights make. */
export interface Lead {
  readonly at: number;
  readonly row: number;
}

/** A panel: the room that it can have, with the gap behind it, its own corner, and its cells; in CSS pixels. */
export interface PanelBox extends Room {
  readonly left: number;
  readonly top: number;
  readonly cell: number;
}

export interface NetFit {
  readonly height: number;
  /** By tensor, then by row. Without weights, that of the weights is empty. */
  readonly boxes: readonly (readonly PanelBox[])[];
  /** Top of the sentence. */
  readonly line: number;
  /** The bands go down, in place of to the right. */
  readonly stacked: boolean;
}

/** Most gap between columns, gap between rows, and the height of the sentence; in CSS pixels. */
const MOST_GAP = 60;
const STACK_GAP = 20;
const ROW_GAP = 6;
const LINE = 30;
const STACK_LINE = 44;
/** From this width on the sentence is one line. */
const ONE_LINE = 560;
/** Gap between w and dw, the height of their titles, and their cells beside tensors with smaller ones; with two digits and a k. */
const PART_GAP = 12;
const PART_HEAD = 20;
const PART_CELL = 12;
const WRITTEN_PART = 28;
/**
 * Least width of a column, for its title, least gap behind it, and least cell of the weights; the narrower where the wider leave no
 * room for figures.
 */
const COLUMNS = [
  { column: 104, gap: 20, part: WRITTEN_PART },
  { column: 104, gap: 20, part: READABLE },
  { column: 104, gap: 20, part: PART_CELL },
  { column: 80, gap: 20, part: PART_CELL },
  { column: 80, gap: 12, part: PART_CELL },
  { column: 60, gap: 12, part: PART_CELL },
];
/** Least length of a band. */
const BAND = 10;

/** Cells of a lead, and of the others where they show no figures. */
const LEAD = 36;
const SMALL = 14;
const SMALLEST = 5;

interface Measure {
  readonly rows: number;
  readonly cols: number;
  /** Height and width without the cells. */
  readonly high: number;
  readonly wide: number;
}

const NOTHING: Measure = { rows: 0, cols: 0, high: 0, wide: 0 };

/** Width and height of the panel of a tensor, or of the weights of the layer that makes it, with cells of this size. */
function measure(net: Net, at: number, row: number): Measure {
  const size = net.tensors[at]?.grid.size;
  const layer = net.layers[at - 1];
  if (row !== WEIGHTS) {
    const around = AROUND.head + AROUND.frame + ((size?.channel ?? 1) > 1 ? AROUND.strip : 0);
    return { rows: size?.row ?? 0, cols: size?.col ?? 0, high: around, wide: AROUND.frame };
  }
  if (!layer?.parts.w) return NOTHING;
  const { kh, kw } = layer.geometry;
  const part = PART_HEAD + AROUND.frame;
  const biased = layer.parts.b !== undefined;
  return {
    rows: biased ? kh + 1 : kh,
    cols: 2 * Math.max(kw, layer.parts.b?.grid.cells ?? 0),
    high: biased ? 2 * part : part,
    wide: 2 * AROUND.frame + PART_GAP,
  };
}

const wideOf = ({ cols, wide }: Measure, cell: number) => cols * cell + wide;
const highOf = ({ rows, high }: Measure, cell: number) => rows * cell + high;
const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);

const ROWS = [VALUES, WEIGHTS, GRADIENTS];
const NO_ROOM = { columns: { column: 0, gap: 0, part: PART_CELL }, small: 1, large: 1 };

/** Columns or rows: their sizes, what the one with the lead has besides, and what is left. */
function axisOf(own: readonly number[], led: readonly number[], room: number) {
  const extra = Math.max(...own.map((size, i) => (led[i] ?? size) - size));
  return { own, extra, spare: room - sum(own) - extra };
}

/** With cells of two sizes, that of a lead and that of the others. */
function plan(
  all: readonly (readonly Measure[])[],
  { width, height }: Room,
  { column, gap, part }: (typeof COLUMNS)[number],
  small: number,
  large: number,
) {
  const columns = (cell: number) =>
    all.map(([value = NOTHING, weights = NOTHING]) =>
      Math.max(column, wideOf(value, cell), part > PART_CELL ? wideOf(weights, part) : 0),
    );
  const rows = (cell: number) =>
    ROWS.map((row) =>
      Math.max(...all.map((own) => highOf(own[row] ?? NOTHING, row === WEIGHTS ? Math.max(part, cell) : cell))),
    );
  return {
    // Behind the last column, too: weights and small tensors are wider than their column.
    across: axisOf(columns(small), columns(large), width - gap * all.length + BAND),
    down: axisOf(rows(small), rows(large), height - LINE - AROUND.note - 3 * ROW_GAP),
  };
}

export function fitNet(net: Net, room: Room, lead: Lead): NetFit {
  const all = net.tensors.map((_, at) => ROWS.map((row) => measure(net, at, row)));
  const most = (limit: number, sizes: (cell: number) => ReturnType<typeof plan>) =>
    largest(limit, (cell) => Object.values(sizes(cell)).every(({ spare }) => spare >= 0));
  const best = COLUMNS.map((columns) => {
    const common = most(LARGEST_TENSOR, (cell) => plan(all, room, columns, cell, cell));
    const small = common < READABLE ? most(SMALL, (cell) => plan(all, room, columns, cell, READABLE)) : 0;
    if (small < SMALLEST) return { columns, small: common, large: common };
    return { columns, small, large: most(LEAD, (cell) => plan(all, room, columns, small, cell)) };
  });
  const readable = best.filter((each) => each.large >= READABLE);
  const plain = readable.find((each) => each.columns.part === PART_CELL) ?? best.at(-1) ?? NO_ROOM;
  // Figures of the weights are not at the cost of those of other tensors.
  const { columns, small, large } = readable.find((each) => each.small >= Math.min(WRITTEN_PART, plain.small)) ?? plain;
  const { across, down } = plan(all, room, columns, small, large);
  const gap = Math.min(MOST_GAP, columns.gap + Math.max(0, across.spare / all.length));
  const air = Math.max(0, down.spare) / 4;
  const widths = across.own.map((size, at) => (at === lead.at ? size + across.extra : size));
  const heights = down.own.map((size, row) => (row === lead.row ? size + down.extra : size));
  const start = Math.max(0, (room.width - sum(widths) - gap * all.length + BAND) / 2);
  const lefts = widths.map((_, at) => start + sum(widths.slice(0, at)) + gap * at);
  const line = air + (heights[VALUES] ?? 0) + ROW_GAP;
  const tops = [air, line + LINE, line + LINE + (heights[WEIGHTS] ?? 0) + 2 * ROW_GAP];
  const cellOf = (each: Measure, at: number, row: number) => {
    if (at === lead.at && row === lead.row && small < large) {
      return cellIn(each, (widths[at] ?? 0) + gap - BAND, heights[row] ?? 0, LARGEST_TENSOR);
    }
    // Weights can be below the layers without weights that follow.
    const next = all.findIndex((own, i) => i > at && (row !== WEIGHTS || own[row] !== NOTHING));
    const columns = across.own.slice(at, next < 0 ? undefined : next);
    return cellIn(each, sum(columns) + gap * columns.length - BAND, down.own[row] ?? 0, Math.max(LARGEST, small));
  };
  const middles = heights.map((height, row) => {
    const led = highOf(all[lead.at]?.[row] ?? NOTHING, cellOf(all[lead.at]?.[row] ?? NOTHING, lead.at, row));
    // Between the places that the lead has without its room.
    const shift = row === lead.row ? (row - WEIGHTS) * Math.min(down.extra / 4, (height - led) / 2) : 0;
    return (tops[row] ?? 0) + height / 2 + shift;
  });
  return {
    stacked: false,
    height: Math.max(room.height, (tops[GRADIENTS] ?? 0) + (heights[GRADIENTS] ?? 0) + AROUND.note),
    line,
    boxes: all.map((own, at) =>
      own.map((each, row) => {
        const cell = cellOf(each, at, row);
        return {
          ...{ cell, left: lefts[at] ?? 0, top: Math.floor((middles[row] ?? 0) - highOf(each, cell) / 2) },
          // The last column ends with the room.
          ...{ width: Math.min((widths[at] ?? 0) + gap, room.width - (lefts[at] ?? 0)), height: heights[row] ?? 0 },
        };
      }),
    ),
  };
}

/** On a narrow page: one layer below the other, each gradient beside its tensor. */
export function stackNet(net: Net, width: number): NetFit {
  const half = (width - STACK_GAP) / 2;
  const boxes: PanelBox[][] = [];
  let top = (width < ONE_LINE ? STACK_LINE : LINE) + ROW_GAP;
  net.tensors.forEach((_, at) => {
    const place = (row: number, left: number, room: number): PanelBox => {
      const each = measure(net, at, row);
      const cell = cellIn(each, room, Number.POSITIVE_INFINITY);
      return { left, top, cell, width: room, height: highOf(each, cell) };
    };
    const weights = place(WEIGHTS, 0, width);
    top += weights.height + (weights.height > 0 ? 2 * ROW_GAP : 0);
    const [value, gradient] = [place(VALUES, 0, half), place(GRADIENTS, half + STACK_GAP, half)];
    boxes.push([value, weights, gradient]);
    top += value.height + AROUND.note + 2 * ROW_GAP;
  });
  return { stacked: true, height: top, line: 0, boxes };
}

const cellIn = ({ rows, cols, high, wide }: Measure, width: number, height: number, most = LARGEST) =>
  wholePixels(Math.max(0.1, Math.min(most, (width - wide) / Math.max(1, cols), (height - high) / Math.max(1, rows))));
