import { AROUND, LARGEST, largest, type Room, wholePixels } from '../shared/fit';
import type { Net, NetLayer } from './net';

/** Height of a card, gap between columns, gap between rows, least width of a column; in CSS pixels, as in network.css. */
const CARD = 136;
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
const PART_LEAST = 2;

interface NetFit {
  /** Cell size of each tensor. */
  readonly cells: readonly number[];
  readonly widths: readonly number[];
  /** Cell size of the weights of each layer: that of the tensors, if they fit into the card. */
  readonly parts: readonly number[];
  /** Whether b and db of each layer fit into the card with that cell size. */
  readonly biased: readonly boolean[];
}

/** Cell size of w and dw side by side in a card of this width. `most`: that of the tensors. */
function partCell({ geometry: { kh, kw } }: NetLayer, width: number, most: number): number {
  return wholePixels(Math.max(PART_LEAST, Math.min(Math.max(PART_CELL, most), partWidth(width) / kw, PART_ROWS / kh)));
}

const partWidth = (width: number): number => (width - INSIDE - PART_GAP) / 2 - AROUND.frame;

const isBiased = ({ geometry: { k }, parts }: NetLayer, width: number, cell: number): boolean =>
  parts.b !== undefined && k * cell <= partWidth(width);

function partsHeight(layer: NetLayer, width: number, most: number): number {
  const cell = partCell(layer, width, most);
  const row = (rows: number) => rows * cell + PART_HEAD + AROUND.frame;
  return (layer.parts.w ? row(layer.geometry.kh) : 0) + (isBiased(layer, width, cell) ? row(1) : 0);
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
    Math.max(...net.layers.map((layer, i) => partsHeight(layer, wide(cell)[i + 1] ?? least, cell)), 0);
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
  return { widths, cells, ...fitParts(net, (i) => widths[i + 1] ?? least, common) };
}

function fitParts({ layers }: Net, widthOf: (layer: number) => number, most: number): Pick<NetFit, 'parts' | 'biased'> {
  const parts = layers.map((layer, i) => partCell(layer, widthOf(i), most));
  return { parts, biased: layers.map((layer, i) => isBiased(layer, widthOf(i), parts[i] ?? 0)) };
}

/** One layer below the other, each gradient beside its tensor. */
export function stackNet(net: Net, width: number): NetFit {
  const half = (width - GAP) / 2;
  return {
    widths: net.tensors.map(() => half),
    cells: net.tensors.map(({ grid }) => wholePixels(Math.min(LARGEST, (half - AROUND.frame) / grid.size.col))),
    ...fitParts(net, () => width, LARGEST),
  };
}
