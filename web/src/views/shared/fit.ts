import type { MapRoom } from '../../ui/grid/HeatGrid';
import { MIN_TEXT_CELL } from '../../ui/numbers';

/** Fits cell sizes to the available room, in CSS pixels. Pure. */

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** How a grid is drawn: as values; or as a map, of a part where it does not fit with cells of `least`. In CSS pixels. */
export type Fit = { readonly kind: 'numbers'; readonly size: number } | ({ readonly kind: 'map' } & MapRoom);

/** Largest cell size of a panel among others, and of a tensor. */
export const LARGEST = 44;
export const LARGEST_TENSOR = 72;
/** Least cell size for values of two digits. */
export const READABLE = MIN_TEXT_CELL;
/** Smaller cells are drawn as a map and may have fractional sizes. */
const WHOLE = 14;

/** Sizes around the cells of a panel; as in panel.css. */
export const AROUND = { head: 28, frame: 8, legend: 26, note: 18, strip: 44 } as const;
/** Least width, for the title. */
export const TITLE = 166;

/** Rounds down to whole pixels, except for maps. */
export const wholePixels = (size: number): number => (size >= WHOLE ? Math.floor(size) : size);

/** More DOM elements than this make a slider stutter. */
export const MOST_ELEMENTS = 1200;

/** A map of the whole grid with cells of this size. */
export const mapOf = (rows: number, cols: number, size: number): Fit => ({
  ...{ kind: 'map', width: cols * size, height: rows * size, least: 0 },
});

/** Cells of this size show their values. They need no legend. */
export const showsValues = (rows: number, cols: number, size: number): boolean =>
  size >= READABLE && rows * cols <= MOST_ELEMENTS;

/** A whole grid with cells of this size: values if they are readable, else a map. */
export const gridFit = (rows: number, cols: number, size: number): Fit =>
  showsValues(rows, cols, size) ? { kind: 'numbers', size } : mapOf(rows, cols, size);

/** The largest size up to `most` that fits (`fits` is monotonic): whole numbers first, then fractions. */
export function largest(most: number, fits: (size: number) => boolean): number {
  for (let size = most; size >= WHOLE; size -= 1) if (fits(size)) return size;
  let [low, high] = [0, WHOLE];
  for (let turn = 0; turn < 24; turn += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
