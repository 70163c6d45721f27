/** Fits cell sizes to the available room, in CSS pixels. Pure. */

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Largest cell size of a panel among others, and of a tensor. */
export const LARGEST = 44;
export const LARGEST_TENSOR = 72;
/** Least cell size for values of two digits. */
export const READABLE = 24;
/** Smaller cells are drawn as a map and may have fractional sizes. */
const WHOLE = 14;

/** Sizes around the cells of a panel; as in panel.css. */
export const AROUND = { head: 28, frame: 8, legend: 26, note: 18, strip: 44 } as const;
/** Least width, for the title. */
export const TITLE = 166;

/** Rounds down to whole pixels, except for maps. */
export const whole = (size: number): number => (size >= WHOLE ? Math.floor(size) : size);

/** The cell size with which a grid of `rows` × `cols` fits a panel of this size. */
export function cellIn({ width, height }: Room, rows: number, cols: number, most = LARGEST): number {
  const high = (height - AROUND.head - AROUND.frame - AROUND.legend) / Math.max(rows, 1);
  return whole(Math.max(0.01, Math.min(most, (width - AROUND.frame) / Math.max(cols, 1), high)));
}

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
