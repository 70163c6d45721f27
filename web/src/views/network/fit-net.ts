import { AROUND, LARGEST, largest, type Room, whole } from '../kit/fit';
import type { Net, NetLayer } from './net';

/** Height of a card, gap between columns, gap between rows, least width of a column; in CSS pixels, as in network.css. */
export const CARD = 136;
export const GAP = 24;
const ROW_GAP = 12;
const COLUMN = 104;

/** Padding and border of a card, and the gap between w and dw; their frames and titles. */
const INSIDE = 18;
const PART_GAP = 8;
const PART_HEAD = 24;
/** Largest height of w in a card, and least size of its cells where they fit. */
const PART_ROWS = 72;
const PART_CELL = 8;

export interface NetFit {
  /** Cell size of each tensor. */
  readonly cells: readonly number[];
  /** Width of each column. */
  readonly widths: readonly number[];
  /** Cell size of the weights of each layer: that of the tensors, if they fit into the card. */
  readonly parts: readonly number[];
}

/** Cell size of w and dw side by side in a card of this width. `most`: that of the tensors. */
function partCell({ geometry: { kh, kw, k }, parts }: NetLayer, width: number, most: number): number {
  const cols = Math.max(kw, parts.b ? k : 1);
  const each = (width - INSIDE - PART_GAP) / 2 - AROUND.frame;
  return whole(Math.max(1, Math.min(Math.max(PART_CELL, most), each / cols, PART_ROWS / kh)));
}

/** Height of the panels in the card of a layer. */
function partsHeight({ geometry: { kh }, parts }: NetLayer, cell: number): number {
  const rows = (parts.w ? kh : 0) + (parts.b ? 1 : 0);
  return rows * cell + Object.keys(parts).length * (PART_HEAD + AROUND.frame);
}

/** Side by side, each gradient below its tensor: one cell size for all, then the small ones grow into their columns. */
export function fitNet(net: Net, { width, height }: Room): NetFit {
  const sizes = net.tensors.map(({ grid }) => grid.size);
  const least = Math.min(COLUMN, (width - GAP * (sizes.length - 1)) / sizes.length);
  const wide = (cell: number) => sizes.map(({ col }) => Math.max(least, col * cell + AROUND.frame));
  const around = sizes.map(({ channel }) => AROUND.head + AROUND.frame + (channel > 1 ? AROUND.strip : 0));
  // Two tensors above each other, and the loss below.
  const tall = (cell: number, i: number) => 2 * ((sizes[i]?.row ?? 0) * cell + (around[i] ?? 0));
  const cards = (cell: number) =>
    Math.max(...net.layers.map((layer, i) => partsHeight(layer, partCell(layer, wide(cell)[i + 1] ?? least, cell))), 0);
  const room = (cell: number) => height - CARD - cards(cell) - 2 * ROW_GAP - AROUND.note;
  const total = (cell: number) => wide(cell).reduce((sum, each) => sum + each, GAP * (sizes.length - 1));
  const common = largest(LARGEST, (cell) => total(cell) <= width && sizes.every((_, i) => tall(cell, i) <= room(cell)));
  const widths = wide(common);
  const cells = sizes.map(({ col }, i) =>
    largest(
      LARGEST,
      (cell) => cell <= common || (col * cell + AROUND.frame <= (widths[i] ?? 0) && tall(cell, i) <= room(common)),
    ),
  );
  return { widths, cells, parts: net.layers.map((layer, i) => partCell(layer, widths[i + 1] ?? least, common)) };
}

/** One layer below the other, each gradient beside its tensor. */
export function stackNet(net: Net, width: number): NetFit {
  const half = (width - GAP) / 2;
  return {
    widths: net.tensors.map(() => half),
    cells: net.tensors.map(({ grid }) => whole(Math.min(LARGEST, (half - AROUND.frame) / grid.size.col))),
    parts: net.layers.map((layer) => partCell(layer, width, LARGEST)),
  };
}
