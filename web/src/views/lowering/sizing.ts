/** How a matrix of so many rows and columns is drawn in its room: figures, or a map, perhaps of a part. */
export type Sizing =
  | { readonly kind: 'numbers'; readonly size: number }
  | { readonly kind: 'map'; readonly width: number; readonly height: number; readonly least: number };

const LARGEST = 34;
/** Figures of two digits fit from here. */
const READABLE = 24;
/** A square that a finger or a pointer still finds. */
const SMALL = 13;
/** More elements than this make a slider jump instead of glide. */
const MOST_ELEMENTS = 1000;
/** Room for the names of rows and of columns, or for the overview beside a long map. */
const LABELS = 40;
const WORDS = 28;
const OVERVIEW = 58;

/** `width` and `height` are the room of the grid and of what stands beside it, in CSS pixels. */
export function sizingOf(rows: number, cols: number, width: number, height: number): Sizing {
  const size = Math.min(LARGEST, (width - LABELS) / cols, (height - WORDS) / rows);
  if (size >= READABLE && rows * cols <= MOST_ELEMENTS) return { kind: 'numbers', size: Math.floor(size) };
  // Along its short side a matrix should be seen whole.
  const tall = rows >= cols;
  const across = tall ? width - OVERVIEW : width - 8;
  const down = tall ? height : height - OVERVIEW;
  const whole = tall ? across / cols : down / rows;
  const least = whole >= READABLE ? READABLE : Math.max(Math.min(SMALL, whole), 2);
  return { kind: 'map', width: Math.min(across, cols * least), height: Math.min(down, rows * least), least };
}

/** Width that a matrix takes at least when its figures are shown. */
export const widthOf = (cols: number): number => cols * READABLE + LABELS;
