/** How a matrix is drawn: as values, or as a map (of a part, if it is large). */
export type Sizing =
  | { readonly kind: 'numbers'; readonly size: number }
  | { readonly kind: 'map'; readonly width: number; readonly height: number; readonly least: number };

const LARGEST = 34;
/** Least cell size for values of two digits. */
const READABLE = 24;
/** Least cell size that a pointer can hit. */
const SMALL = 13;
/** More DOM elements than this make a slider stutter. */
const MOST_ELEMENTS = 1000;
/** Room for the labels of rows and columns, or for the overview beside a long map. */
const LABELS = 40;
const WORDS = 28;
const OVERVIEW = 58;

/**
 * `width` and `height`: room for the grid with its labels or overview, in CSS pixels. `most`: largest cell size.
 */
export function sizingOf(rows: number, cols: number, width: number, height: number, most = LARGEST): Sizing {
  const size = Math.min(most, (width - LABELS) / cols, (height - WORDS) / rows);
  if (size >= READABLE && rows * cols <= MOST_ELEMENTS) return { kind: 'numbers', size: Math.floor(size) };
  // The short side is always fully visible.
  const tall = rows >= cols;
  const across = tall ? width - OVERVIEW : width - 8;
  const down = tall ? height : height - OVERVIEW;
  const whole = tall ? across / cols : down / rows;
  const least = Math.min(most, whole >= READABLE ? READABLE : Math.max(Math.min(SMALL, whole), 2));
  return { kind: 'map', width: Math.min(across, cols * least), height: Math.min(down, rows * least), least };
}

/** Cell size. */
export const sideOf = (sizing: Sizing): number => (sizing.kind === 'numbers' ? sizing.size : sizing.least);

/** Least width of a matrix drawn as values. */
export const widthOf = (cols: number): number => cols * READABLE + LABELS;
