/** The one fitting of cells to the room there is, in CSS pixels. Pure. */

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Above this a cell gains nothing. */
export const LARGEST = 44;
/** Figures of two digits fit from here. */
export const READABLE = 24;
/** Below this a cell is a dot of a map, and whole pixels no longer matter. */
const WHOLE = 14;

/** What stands around the cells of a panel; panel.css has the same numbers. */
export const AROUND = { head: 28, frame: 8, legend: 26, note: 18, strip: 44 } as const;
/** A title needs as much, however few columns there are. */
export const TITLE = 166;

/** Fractions are for maps only. */
export const whole = (size: number): number => (size >= WHOLE ? Math.floor(size) : size);

/** Side of a cell with which a grid of so many rows and columns fits a panel of this size. */
export function cellIn({ width, height }: Room, rows: number, cols: number, most = LARGEST): number {
  const high = (height - AROUND.head - AROUND.frame - AROUND.legend) / Math.max(rows, 1);
  return whole(Math.max(0.01, Math.min(most, (width - AROUND.frame) / Math.max(cols, 1), high)));
}

/** The largest number up to `most` for which `fits` holds, if it holds for all below: whole numbers first, then fractions. */
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
