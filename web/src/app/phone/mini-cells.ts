import type { Geometry } from '../../protocol/problem';
import { colsOf, rowsOf } from '../../views/kit/stage/layout';

/** The tensors in the strip. */
export const MINIS = ['x', 'w', 'y'] as const;
export type Mini = (typeof MINIS)[number];

/** Size of a map in the strip, in CSS pixels: three maps and two signs fit on a page of 320. */
const MAX_WIDTH = 84;
const MAX_HEIGHT = 58;
const MAX_CELL = 14;
/** Limit for w next to a large x. */
const MAX_W_CELL = 10;

/** Cell sizes in CSS pixels. x and y share one, so that their sizes compare; w has it too unless that is too small. */
export function miniCells(g: Geometry): Readonly<Record<Mini, number>> {
  const side = (tensor: Mini, most: number) =>
    Math.min(most, MAX_WIDTH / Math.max(1, colsOf(g, tensor)), MAX_HEIGHT / Math.max(1, rowsOf(g, tensor)));
  const shared = whole(Math.min(side('x', MAX_CELL), side('y', MAX_CELL)));
  return { x: shared, w: whole(Math.max(shared, side('w', MAX_W_CELL))), y: shared };
}

/** Lines between cells are sharp on whole pixels; below 3 pixels they are not drawn. */
const whole = (size: number): number => (size >= 3 ? Math.floor(size) : size);
