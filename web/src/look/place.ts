import type { Focus } from '../geometry/focus';
import type { Cell } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import type { Look } from './look';

/**
 * What undo and redo bring back of the look.
 *
 * A step is an edit of the problem; the look alone makes none, so changing the mode, a frame or a colour scale is never
 * undone by itself. A step leads back to where it was made, as in a text editor, and leaves the rest as one looks now:
 *
 * | the edit                              | brings back                                                   |
 * | a cell                                | the slice in which it lies; the pin, if that cell was pinned  |
 * | sizes, a picture                      | the slice, and the pinned cell unless another one is pinned   |
 * | all values of a tensor, the algorithm | nothing: what changes is everywhere                           |
 * | a link, an example, starting over     | the whole look: a link replaced all of it                     |
 *
 * Not the mode with a cell's edit: who compares two modes while undoing wants to stay. Not the pin when another cell was
 * edited: who watches y while undoing wants to go on watching. Hovering is never part of it.
 */
export type Place =
  | {
      readonly kind: 'spot';
      readonly focus: Focus;
      /** null: what is pinned stays. */
      readonly pinned: Cell | null;
      /** Another cell that is pinned by then stays pinned. */
      readonly yields: boolean;
      /** What `pinned` and `focus` address. */
      readonly geometry: Geometry | null;
    }
  | { readonly kind: 'look'; readonly look: Look; readonly geometry: Geometry | null };

/** What an edit changes: one cell, the sizes, the values of a tensor, or all at once. */
export type Touched = { readonly cell: Cell } | 'sizes' | 'values' | 'everything';

/** Remembers and finds places; the history of edits keeps one with each step. */
export interface Places {
  /** The place of an edit that is about to be made. */
  readonly here: (touched: Touched) => Place | null;
  /** Goes there; returns the place for the step in the other direction. */
  readonly go: (place: Place | null) => Place | null;
}

/** Where nobody looks. */
export const NOWHERE: Places = { here: () => null, go: () => null };
