import type { TargetedFocusEvent, TargetedKeyboardEvent } from 'preact';
import { hasHiddenValues } from '../numbers';
import type { GridData, Spot } from './grid-data';
import { cellAfterKey, isData, kindOf } from './grid-data';

/** The events of a grid. The grid changes nothing itself. */
export interface GridEvents {
  /** The pointer is over a cell, or has left the grid (null). */
  readonly onHover: (cell: Spot | null) => void;
  /** The keyboard moved to a cell. */
  readonly onMove: (cell: Spot) => void;
  /** A cell was clicked, tapped or chosen with Space. */
  readonly onPick: (cell: Spot) => void;
  /** A new value was entered; absent when the grid is read-only. */
  readonly onEdit?: ((cell: Spot, value: number) => void) | undefined;
  /** Only hidden cells can be edited: the value is a guess. */
  readonly guessesOnly?: boolean;
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
  const editable = isEditable(data, active, events);
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

/** A grid that only takes guesses is read-only while no values are hidden. */
export const isReadOnly = ({ onEdit, guessesOnly }: GridEvents): boolean =>
  onEdit === undefined || (guessesOnly === true && !hasHiddenValues.value);

/** The cell can be edited. */
export const isEditable = (data: GridData, cell: Spot, { onEdit, guessesOnly }: GridEvents): boolean =>
  onEdit !== undefined && isData(data, cell) && (!guessesOnly || kindOf(data, cell) === 'hidden');

/** The focus stays in the grid: it moves to another cell or to the edit box. */
export function focusStaysIn({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLElement>): boolean {
  return relatedTarget instanceof Node && currentTarget.parentElement?.contains(relatedTarget) === true;
}
