import { formatExact, hiding } from '../numbers';

/** What a grid shows: a rectangular slice of a buffer, and how many cells without data surround it. */

export interface Spot {
  /** Counted from the first cell with data; cells of the ring have rows and columns < 0 or past the end. */
  readonly row: number;
  readonly col: number;
}

export interface Ring {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const NO_RING: Ring = { top: 0, bottom: 0, left: 0, right: 0 };

/**
 * A zero says where it comes from: 'padding' was put around the data (dots), 'inserted' between it (hatched), and a
 * zero that is data is plain. 'nothing': a sparse matrix has no entry there.
 */
export type CellKind = 'data' | 'padding' | 'inserted' | 'hidden' | 'nothing';

export interface GridData {
  readonly rows: number;
  readonly cols: number;
  /** values[offset + row * rowStep + col * colStep]: a slice of a tensor without copying it. */
  readonly values: Float32Array;
  readonly offset: number;
  readonly rowStep: number;
  readonly colStep: number;
  readonly ring: Ring;
  /** Cells inside the data that are inserted zeros. */
  readonly inserted?: (cell: Spot) => boolean;
  /** Cells inside the data that came from the padding. */
  readonly padded?: (cell: Spot) => boolean;
  /** Of a matrix that lies nowhere in memory: where in `values` an entry is, in place of the steps; negative: nothing is there. */
  readonly indexOf?: (row: number, col: number) => number;
}

/** Rows and columns with the ring. */
export function fullRows(data: GridData): number {
  return data.rows + data.ring.top + data.ring.bottom;
}

export function fullCols(data: GridData): number {
  return data.cols + data.ring.left + data.ring.right;
}

export function isData(data: GridData, { row, col }: Spot): boolean {
  return row >= 0 && row < data.rows && col >= 0 && col < data.cols;
}

export function kindOf(data: GridData, cell: Spot): CellKind {
  if (!isData(data, cell) || data.padded?.(cell)) return 'padding';
  if (data.inserted?.(cell)) return 'inserted';
  if (addressOf(data, cell) < 0) return 'nothing';
  return hiding.value && Number.isNaN(valueAt(data, cell)) ? 'hidden' : 'data';
}

/** Rows and columns are counted where the tensor's own begin: its first cell is the first, with padding around it or without. */
export const counted = (at: number, count: number): number | undefined => (at >= 0 && at < count ? at + 1 : undefined);

/** What is said of the cell under the keyboard: "x[0,1] = 5". */
export const spokenAs = (name: string, kind: CellKind, exact: string): string =>
  kind === 'nothing' ? `${name}: nothing` : `${name} = ${exact}${kind === 'data' ? '' : `, ${kind}`}`;

/** What stands in the box over a cell to begin with. */
export const startText = (data: GridData, cell: Spot): string =>
  kindOf(data, cell) === 'hidden' ? '' : formatExact(valueAt(data, cell));

const addressOf = ({ indexOf, offset, rowStep, colStep }: GridData, { row, col }: Spot): number =>
  indexOf ? indexOf(row, col) : offset + row * rowStep + col * colStep;

/** The value of a cell; 0 in the ring, and where there is nothing. */
export function valueAt(data: GridData, cell: Spot): number {
  if (!isData(data, cell)) return 0;
  return data.values[addressOf(data, cell)] ?? 0;
}

export function sameCell(a: Spot | null, b: Spot | null): boolean {
  return a === b || (a !== null && b !== null && a.row === b.row && a.col === b.col);
}

/** The cell that a navigation key leads to, or null if `key` is none. */
export function cellAfterKey(data: GridData, { row, col }: Spot, key: string, toCorner: boolean): Spot | null {
  const first = { row: 0 - data.ring.top, col: 0 - data.ring.left };
  const last = { row: data.rows - 1 + data.ring.bottom, col: data.cols - 1 + data.ring.right };
  const at = (r: number, c: number): Spot => ({
    row: Math.max(first.row, Math.min(last.row, r)),
    col: Math.max(first.col, Math.min(last.col, c)),
  });
  switch (key) {
    case 'ArrowUp':
      return at(row - 1, col);
    case 'ArrowDown':
      return at(row + 1, col);
    case 'ArrowLeft':
      return at(row, col - 1);
    case 'ArrowRight':
      return at(row, col + 1);
    case 'PageUp':
      return at(first.row, col);
    case 'PageDown':
      return at(last.row, col);
    case 'Home':
      return toCorner ? first : at(row, first.col);
    case 'End':
      return toCorner ? last : at(row, last.col);
    default:
      return null;
  }
}
