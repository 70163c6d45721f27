import type { TargetedFocusEvent, TargetedKeyboardEvent } from 'preact';
import { hiding } from '../numbers';
import type { GridData, Spot } from './grid-data';
import { cellAfterKey, isData, kindOf } from './grid-data';

/** What a grid tells its owner. It never changes anything itself. */
export interface GridEvents {
  /** The pointer is over a cell, or has left the grid (null). */
  readonly onHover: (cell: Spot | null) => void;
  /** The keyboard came to a cell. */
  readonly onMove: (cell: Spot) => void;
  /** A cell was clicked, tapped or chosen with Space. */
  readonly onPick: (cell: Spot) => void;
  /** A new value was entered; absent when the grid is read-only. */
  readonly onEdit?: ((cell: Spot, value: number) => void) | undefined;
  /** Only what is hidden can be entered: a guess. */
  readonly guesses?: boolean;
  /** What a cell is called, "x[0,1]", for who hears it. Reads signals: the names may come later. */
  readonly nameOf?: ((cell: Spot) => string | null) | undefined;
}

export interface EditStart {
  readonly cell: Spot;
  /** A typed character replaces the value; null keeps it for changing. */
  readonly typed: string | null;
}

const STARTS_A_NUMBER = /^[-\d.\u2212]$/;

/**
 * Keys of a grid: arrows, Home, End, PageUp, PageDown move (Ctrl+Home and Ctrl+End to the corners), Space picks, Enter,
 * F2 or a digit edits. Keys that the grid has no use for go on to the page.
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
  const editable = takesValue(data, active, events);
  if (editable && (event.key === 'Enter' || event.key === 'F2')) {
    event.preventDefault();
    startEdit({ cell: active, typed: null });
  } else if (editable && STARTS_A_NUMBER.test(event.key)) {
    event.preventDefault();
    startEdit({ cell: active, typed: event.key });
  } else if (event.key === ' ' || event.key === 'Enter') {
    event.preventDefault();
    events.onPick(active);
  }
}

/** Where nothing is hidden there is nothing to guess. */
export const isReadOnly = ({ onEdit, guesses }: GridEvents): boolean =>
  onEdit === undefined || (guesses === true && !hiding.value);

/** A number may be entered there. */
export const takesValue = (data: GridData, cell: Spot, { onEdit, guesses }: GridEvents): boolean =>
  onEdit !== undefined && isData(data, cell) && (!guesses || kindOf(data, cell) === 'hidden');

/** The focus goes to another cell or to the edit box, which gives it back: the cell is still the one spoken of. */
export function staysIn({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLElement>): boolean {
  return relatedTarget instanceof Node && currentTarget.parentElement?.contains(relatedTarget) === true;
}
