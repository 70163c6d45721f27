import type { Goal } from './goal';

/**
 * A lesson: an entry in lessons.ts. `tests/web/lessons` runs every step.
 *
 * Texts have two kinds of markup: *a term* that is defined here, and `y[0,1] = 3` for a formula.
 * Tests check each such equation between a cell and numbers against the problem of the step. Other values in a text are in
 * `tests/web/lessons/claims.ts`.
 */
export interface Lesson {
  /** Its name in a link. */
  readonly id: string;
  readonly title: string;
  /** Learning goal, one sentence. */
  readonly sentence: string;
  readonly steps: readonly [Step, ...Step[]];
}

/** A step explains something and asks the reader to do something. */
export interface Step {
  readonly title: string;
  /** Problem and view state, as a link (link/fields.ts). */
  readonly link: string;
  /** Paragraphs of two or three sentences. */
  readonly words: readonly string[];
  readonly formula?: string;
  /** "Set the stride to 2." */
  readonly task: string;
  /** One solution, as link fields that replace those of the step. */
  readonly solution: string;
  /** When the task is done. Default: the fields of the solution have its values. */
  readonly goal?: Goal;
  /** Parts of the page that get an outline. Default: where the fields of the solution are. */
  readonly points?: readonly Pointer[];
  /** Text that appears when the task is done. */
  readonly outcome: string;
  /** Teacher's notes. */
  readonly notes: string;
}

/** "tab:dx", "option:gather" (by its value), "field:stride_h", "panel:dw", "controls:dy", "player". */
export type Pointer = `${'tab' | 'option' | 'field' | 'panel' | 'controls'}:${string}` | 'player';
