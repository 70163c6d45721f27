import type { TensorName } from '../protocol/problem';
import type { Goal } from './goal';

/**
 * A lesson is one file in lessons/: nothing else has to know of it. `tests/web/lessons` runs every step.
 *
 * Texts are plain but for two marks: *a word* that is explained right there, and `y[0,1] = 3` for what is set as a formula.
 * Each such equation between a cell and numbers is checked against the step's own problem.
 */
export interface Lesson {
  /** Among all lessons. */
  readonly place: number;
  readonly title: string;
  /** One sentence: what one knows afterwards. */
  readonly sentence: string;
  readonly steps: readonly [Step, ...Step[]];
}

export interface Step {
  readonly title: string;
  /** Problem and look, as a link (link/fields.ts). */
  readonly link: string;
  /** Two or three plain sentences. */
  readonly words: readonly string[];
  readonly formula?: string;
  /** What the reader does to go on; a step without it is only read. */
  readonly task?: Task;
  /** Parts of the page that get a frame. */
  readonly points?: readonly Pointer[];
  /** What the words say of the numbers when the step opens. */
  readonly claims?: readonly Claim[];
  /** For who stands in front of the class. */
  readonly notes: string;
}

export interface Task {
  /** "Set the stride to 2." */
  readonly words: string;
  readonly goal: Goal;
  /** What it comes to, as a part of a link that is laid over the step's own: one way of several, perhaps. */
  readonly solution: string;
  /** What there is to see then. */
  readonly seen: string;
  /** What `seen` says of the numbers, when the solution is in force. */
  readonly claims?: readonly Claim[];
}

/** Something that the words say of the numbers: each value stands in the words as well. */
export type Claim =
  /** `at`: row and column, then channel or filter, then image; in w and dw row, column, channel, filter. b and db: the filter. */
  | { readonly tensor: TensorName; readonly at: readonly number[]; readonly value: number }
  /** Rows and columns. */
  | { readonly tensor: TensorName; readonly size: readonly [number, number] }
  /** How many windows read a cell of x. */
  | { readonly reads: readonly [row: number, col: number]; readonly count: number }
  | { readonly loss: number };

/** "tab:dx", "option:gather" (by its value), "field:stride_h", "panel:dw", "controls:dy", "player". */
export type Pointer = `${'tab' | 'option' | 'field' | 'panel' | 'controls'}:${string}` | 'player';
