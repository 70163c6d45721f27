import type { TargetedFocusEvent, TargetedKeyboardEvent } from 'preact';
import { hasHiddenValues } from '../numbers';

/** The data of a grid: a rectangular slice of a buffer, and a ring of cells without data. */

export interface Spot {
  /** Relative to the first cell with data; cells of the ring have rows and columns < 0 or past the end. */
  readonly row: number;
  readonly col: number;
}

export type Ring = Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;

export const NO_RING: Ring = { top: 0, bottom: 0, left: 0, right: 0 };

/** 'padding': a zero around the data (dots). 'inserted': one between data (hatched). 'nothing': no entry (sparse). */
export type CellKind = 'data' | 'padding' | 'inserted' | 'hidden' | 'nothing';

export interface GridData {
  readonly rows: number;
  readonly cols: number;
  /** A cell is values[offset + row * rowStep + col * colStep]: a slice of a tensor without a copy. */
  readonly values: Float32Array;
  readonly offset: number;
  readonly rowStep: number;
  readonly colStep: number;
  readonly ring: Ring;
  /** Cells inside the data that are inserted zeros. */
  readonly inserted?: (cell: Spot) => boolean;
  /** Cells inside the data that come from the padding. */
  readonly padded?: (cell: Spot) => boolean;
  /** For a matrix that is not stored: the index of an entry in `values`, in place of the steps; negative: no entry. */
  readonly indexOf?: (row: number, col: number) => number;
}

export const fullRows = ({ rows, ring }: GridData): number => rows + ring.top + ring.bottom;
export const fullCols = ({ cols, ring }: GridData): number => cols + ring.left + ring.right;

export const isData = (data: GridData, { row, col }: Spot): boolean =>
  row >= 0 && row < data.rows && col >= 0 && col < data.cols;

/** The cell is in the grid, ring included. */
export const isInGrid = ({ rows, cols, ring }: GridData, { row, col }: Spot): boolean =>
  row >= -ring.top && row < rows + ring.bottom && col >= -ring.left && col < cols + ring.right;

/** The part of a grid that is shown. Units: cells, relative to the first cell with data; the ring is negative. */
export interface Viewport {
  readonly row: number;
  readonly col: number;
  /** Cell size in CSS pixels. */
  readonly cell: number;
  /** Size of the part in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** The whole grid with cells of `cell` CSS pixels. */
export const wholeView = (data: GridData, cell: number): Viewport => ({
  row: 0 - data.ring.top,
  col: 0 - data.ring.left,
  cell,
  width: fullCols(data) * cell,
  height: fullRows(data) * cell,
});

export const sized = (width: number, height: number) => ({ width: `${width}px`, height: `${height}px` });

export function spotKind(data: GridData, cell: Spot): CellKind {
  if (!isData(data, cell) || data.padded?.(cell)) return 'padding';
  if (data.inserted?.(cell)) return 'inserted';
  if (addressOf(data, cell) < 0) return 'nothing';
  return hasHiddenValues.value && Number.isNaN(valueAt(data, cell)) ? 'hidden' : 'data';
}

/** 1-based ARIA index of a row or column of the tensor; undefined in the padding. */
export const ariaIndex = (at: number, count: number): number | undefined =>
  at >= 0 && at < count ? at + 1 : undefined;

/** The spoken text of the focused cell: "x[0,1] = 5". */
export const spokenText = (name: string, kind: CellKind, exact: string): string =>
  kind === 'nothing' ? `${name}: nothing` : `${name} = ${exact}${kind === 'data' ? '' : `, ${kind}`}`;

const addressOf = ({ indexOf, offset, rowStep, colStep }: GridData, { row, col }: Spot) =>
  indexOf ? indexOf(row, col) : offset + row * rowStep + col * colStep;

/** The value of a cell; 0 in the ring and where there is no entry. */
export function valueAt(data: GridData, cell: Spot): number {
  if (!isData(data, cell)) return 0;
  return data.values[addressOf(data, cell)] ?? 0;
}

export const isSameSpot = (a: Spot | null, b: Spot | null): boolean =>
  a === b || (a !== null && b !== null && a.row === b.row && a.col === b.col);

/** The cell after a navigation key, or null if `key` is not one. */
export function cellAfterKey(data: GridData, { row, col }: Spot, key: string, toCorner: boolean): Spot | null {
  const first = { row: 0 - data.ring.top, col: 0 - data.ring.left };
  const last = { row: data.rows - 1 + data.ring.bottom, col: data.cols - 1 + data.ring.right };
  const at = (r: number, c: number): Spot => ({
    row: Math.max(first.row, Math.min(last.row, r)),
    col: Math.max(first.col, Math.min(last.col, c)),
  });
  const moves: Readonly<Record<string, Spot>> = {
    ArrowUp: at(row - 1, col),
    ArrowDown: at(row + 1, col),
    ArrowLeft: at(row, col - 1),
    ArrowRight: at(row, col + 1),
    PageUp: at(first.row, col),
    PageDown: at(last.row, col),
    Home: toCorner ? first : at(row, first.col),
    End: toCorner ? last : at(row, last.col),
  };
  return moves[key] ?? null;
}

/** The events of a grid. The grid changes nothing itself. */
export interface GridEvents {
  /** The pointer or the focus is on a cell, or has left the grid (null). */
  readonly onHover: (cell: Spot | null, isFocus?: boolean) => void;
  readonly onMove: (cell: Spot) => void;
  /** A cell was clicked, tapped or chosen with Space. */
  readonly onPick: (cell: Spot) => void;
  /** A new value was entered; absent when the grid is read-only. */
  readonly onEdit?: ((cell: Spot, value: number) => void) | undefined;
  /** Only hidden cells can be edited: the value is a guess. */
  readonly guessesOnly?: boolean;
  /** Said after the name of the grid: "input 5 × 5". */
  readonly about?: string;
  /** The name of a cell for screen readers, "x[0,1]". Reads signals: the names load later. */
  readonly nameOf?: ((cell: Spot) => string | null) | undefined;
}

export interface EditStart {
  readonly cell: Spot;
  /** The typed character, which replaces the value; null: the value is kept for editing. */
  readonly typed: string | null;
}

const STARTS_A_NUMBER = /^[-\d.\u2212]$/;

/**
 * Keys of a grid: arrows, Home, End, PageUp, PageDown move (Ctrl+Home and Ctrl+End to the corners), Space picks, Enter,
 * F2 or a digit edits. Other keys propagate to the page.
 */
export function onGridKey(
  event: TargetedKeyboardEvent<HTMLElement>,
  data: GridData,
  active: Spot,
  events: GridEvents,
  startEdit: (start: EditStart) => void,
): void {
  if (event.altKey || event.metaKey) return;
  const next = cellAfterKey(data, active, event.key, event.ctrlKey);
  if (next) {
    event.preventDefault();
    events.onMove(next);
    return;
  }
  if (event.ctrlKey) return;
  const typed = STARTS_A_NUMBER.test(event.key) ? event.key : null;
  const edits = typed !== null || event.key === 'Enter' || event.key === 'F2';
  if (edits && isEditable(data, active, events)) startEdit({ cell: active, typed });
  else if (event.key === ' ' || event.key === 'Enter') events.onPick(active);
  else return;
  event.preventDefault();
}

/** What grids of both kinds have. A grid that only takes guesses is read-only while no values are hidden. */
export const gridAttributes = (label: string, data: GridData, { onEdit, guessesOnly, onHover, about }: GridEvents) => ({
  'aria-label': label,
  'aria-description': about,
  'aria-rowcount': fullRows(data),
  'aria-colcount': fullCols(data),
  'aria-readonly': onEdit === undefined || (guessesOnly === true && !hasHiddenValues.value),
  onFocusOut({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLElement>) {
    // Not to another cell or to the edit box.
    const stays = relatedTarget instanceof Node && currentTarget.parentElement?.contains(relatedTarget);
    if (!stays) onHover(null);
  },
});

export const isEditable = (data: GridData, cell: Spot, { onEdit, guessesOnly }: GridEvents): boolean =>
  onEdit !== undefined && isData(data, cell) && (!guessesOnly || spotKind(data, cell) === 'hidden');
