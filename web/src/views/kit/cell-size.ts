const LARGEST = 38;
/** Two digits fit from here; below SMALLEST a cell is a dot of a map, and whole pixels no longer matter. */
const LEAST = 24;
const SMALLEST = 15;
/** Room that a title needs, for a sign with its gaps, and for the frame of a grid, in CSS pixels. */
const TITLE = 150;
const BETWEEN = 70;
const FRAME = 8;

/**
 * Side of a cell with which grids of so many columns stand side by side in a room of `width` CSS pixels; where figures
 * would not fit any more, they stand one below the other, and the widest fills the room.
 */
export function cellSize(columns: readonly number[], width: number): number {
  const room = width - (columns.length - 1) * BETWEEN - columns.length * FRAME;
  const together = shared(columns, room);
  const size = Math.min(LARGEST, together >= LEAST ? together : (width - FRAME) / Math.max(...columns));
  return size >= SMALLEST ? Math.floor(size) : size;
}

/** Columns that their titles keep wide take that much; what remains is shared by the others. */
function shared(columns: readonly number[], room: number): number {
  let wide = columns;
  for (;;) {
    const narrow = columns.length - wide.length;
    const cell = (room - narrow * TITLE) / wide.reduce((total, count) => total + count, 0);
    const still = wide.filter((count) => count * cell > TITLE);
    if (still.length === wide.length || still.length === 0) return cell;
    wide = still;
  }
}
