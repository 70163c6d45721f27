/** How C is drawn in its room: figures with its vectors beside, a map of all of it, or a map of a part. */
export type Sizing =
  | { readonly kind: 'numbers'; readonly size: number }
  | { readonly kind: 'map'; readonly width: number; readonly height: number; readonly least: number };

const LARGEST = 34;
/** Figures of two digits fit from here, small as they are: with them stand the vectors. */
const READABLE = 20;
/** Without figures larger cells say nothing more. */
const PLAIN = 18;
/** More elements than this make a slider jump instead of glide. */
const MOST_ELEMENTS = 1000;
/** Below this an entry is not seen: then the map shows a part, with cells of PART. */
const LEAST = 1;
const PART = 3;
/** Between C and its vectors, frames included; and room for the overview. matrix.css has the same. */
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
