/** How C is drawn: as values with the vectors beside it, as a map, or as a map of a part. */
export type Sizing =
  | { readonly kind: 'numbers'; readonly size: number }
  | { readonly kind: 'map'; readonly width: number; readonly height: number; readonly least: number };

const LARGEST = 34;
/** Least cell size for values of two digits. */
const READABLE = 20;
/** Largest cell size of a map. */
const PLAIN = 18;
/** More DOM elements than this make a slider stutter. */
const MOST_ELEMENTS = 1000;
/** Least cell size of a whole map; below it the map shows a part, with cells of PART. */
const LEAST = 1;
const PART = 3;
/** Gap between C and its vectors, frames included; and room for the overview. As in matrix.css. */
export const GAP = 20;
const OVERVIEW = 58;

export function sizingOf(rows: number, cols: number, width: number, height: number): Sizing {
  const size = Math.floor(Math.min(LARGEST, (width - GAP) / (cols + 1), (height - GAP) / (rows + 1)));
  if (size >= READABLE && rows * cols <= MOST_ELEMENTS) return { kind: 'numbers', size };
  const whole = Math.min(PLAIN, width / cols, height / rows);
  if (whole >= LEAST) return { kind: 'map', width: cols * whole, height: rows * whole, least: 0 };
  const [across, down] = rows >= cols ? [width - OVERVIEW, height] : [width, height - OVERVIEW];
  return { kind: 'map', width: Math.min(across, cols * PART), height: Math.min(down, rows * PART), least: PART };
}
