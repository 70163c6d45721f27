import type { Focus } from '../geometry/focus';
import type { Cell } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import type { Look } from './look';

/**
 * The part of the look that undo and redo restore.
 *
 * An undo step is an edit of the problem. A change of the look alone (mode, slice, color scale) is not a step. As in a
 * text editor, undo returns to the position of the edit and leaves the rest of the look:
 *
 * | edit                                  | restores                                                      |
 * | a cell                                | the slice of the cell; the pin, if that cell was pinned       |
 * | sizes, an image                       | the slice, and the pinned cell unless another one is pinned   |
 * | all values of a tensor, the algorithm | nothing: the change is visible everywhere                     |
 * | a link, an example, starting over     | the whole look, which a link replaces                         |
 *
 * The edit of a cell does not restore the mode, so that you can compare two modes while you undo. It does not restore
 * the pin if another cell was edited, so that you can watch y while you undo. The hovered cell is never restored.
 */
export type LookSnapshot =
  | {
      readonly kind: 'spot';
      readonly focus: Focus;
      /** null: the pin does not change. */
      readonly pinned: Cell | null;
      /** Another pinned cell wins. */
      readonly yields: boolean;
      /** The geometry of `pinned` and `focus`. */
      readonly geometry: Geometry | null;
    }
  | { readonly kind: 'look'; readonly look: Look; readonly geometry: Geometry | null };

/** What an edit changes: one cell, the sizes, the values of a tensor, or everything. */
export type Touched = { readonly cell: Cell } | 'sizes' | 'values' | 'everything';

/** Takes and restores snapshots; the edit history has one for each step. */
export interface LookSnapshots {
  /** The target of the next edit. */
  readonly save: (touched: Touched) => LookSnapshot | null;
  /** Restores a target; returns the target for the step in the other direction. */
  readonly restore: (target: LookSnapshot | null) => LookSnapshot | null;
}

/** For stores without a view. */
export const NO_SNAPSHOTS: LookSnapshots = { save: () => null, restore: () => null };
