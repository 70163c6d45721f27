import type { Geometry } from '../../protocol/problem';
import { colsOf, rowsOf } from '../../views/kit/stage/layout';

/** What the strip shows. */
export const MINIS = ['x', 'w', 'y'] as const;
export type Mini = (typeof MINIS)[number];

/** Room for a map in the strip, in CSS pixels: three of them and two signs on a page of 320. */
const WIDE = 84;
const TALL = 58;
const LARGEST = 14;
/** w is small beside an image, and is to be seen. */
const W_LARGEST = 10;

/**
 * Sides of the cells. Those of x and y are the same, so that y is seen to grow and to shrink, and w as large as its window
 * where that can be seen.
 */
export function miniCells(g: Geometry): Readonly<Record<Mini, number>> {
  const side = (tensor: Mini, most: number) =>
    Math.min(most, WIDE / Math.max(1, colsOf(g, tensor)), TALL / Math.max(1, rowsOf(g, tensor)));
  const shared = whole(Math.min(side('x', LARGEST), side('y', LARGEST)));
  return { x: shared, w: whole(Math.max(shared, side('w', W_LARGEST))), y: shared };
}

/** Lines between cells are sharp on whole pixels; below that nobody sees them. */
const whole = (size: number): number => (size >= 3 ? Math.floor(size) : size);
