import { AROUND, LARGEST, largest, type Room, whole } from '../kit/fit';
import type { Net } from './net';

/** Height of a card, gap between columns, gap between rows, least width of a column; in CSS pixels, as in network.css. */
export const CARD = 150;
export const GAP = 24;
const ROW_GAP = 12;
const COLUMN = 104;
/** Maps with smaller cells have buttons to zoom, of this height. */
const ZOOMED = 14;
const ZOOM = 28;

export interface NetFit {
  /** Cell size of each tensor. */
  readonly cells: readonly number[];
  /** Width of each column. */
  readonly widths: readonly number[];
}

/** Side by side, each gradient below its tensor: one cell size for all, then the small ones grow into their columns. */
export function fitNet(net: Net, { width, height }: Room): NetFit {
  const sizes = net.tensors.map(({ grid }) => grid.size);
  const least = Math.min(COLUMN, (width - GAP * (sizes.length - 1)) / sizes.length);
  const wide = (cell: number) => sizes.map(({ col }) => Math.max(least, col * cell + AROUND.frame));
  const around = sizes.map(({ channel }) => AROUND.head + AROUND.frame + (channel > 1 ? AROUND.strip : 0));
  // Two tensors above each other, and the loss below.
  const tall = (cell: number, i: number) =>
    2 * ((sizes[i]?.row ?? 0) * cell + (around[i] ?? 0) + (cell < ZOOMED ? ZOOM : 0));
  const room = height - CARD - 2 * ROW_GAP - AROUND.note;
  const total = (cell: number) => wide(cell).reduce((sum, each) => sum + each, GAP * (sizes.length - 1));
  const common = largest(LARGEST, (cell) => total(cell) <= width && sizes.every((_, i) => tall(cell, i) <= room));
  const widths = wide(common);
  const cells = sizes.map(({ col }, i) =>
    largest(
      LARGEST,
      (cell) => cell <= common || (col * cell + AROUND.frame <= (widths[i] ?? 0) && tall(cell, i) <= room),
    ),
  );
  return { widths, cells };
}

/** One layer below the other, each gradient beside its tensor. */
export function stackNet(net: Net, width: number): NetFit {
  const half = (width - GAP) / 2;
  return {
    widths: net.tensors.map(() => half),
    cells: net.tensors.map(({ grid }) => whole(Math.min(LARGEST, (half - AROUND.frame) / grid.size.col))),
  };
}
