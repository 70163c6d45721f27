import type { ModeId } from '../look/look';

/** A set of exercises is one file in exercises/: nothing else has to know of it. `tests/web/lessons/exercises.test.ts` runs each. */
export interface ExerciseSet {
  /** Among all sets. */
  readonly place: number;
  readonly title: string;
  /** One sentence: what one can do afterwards. */
  readonly sentence: string;
  /** What stands above every question. */
  readonly words: string;
  /** The same seed gives the same questions, everywhere and always; rounds after the first have seeds of their own. */
  readonly seed: number;
  readonly questions: number;
  /** The tensors that a number is asked of. */
  readonly asks: readonly AskedTensor[];
  readonly mode?: ModeId;
  /**
   * What may vary: parts of a link, and the texts that each may have (link/fields.ts), one as likely as another. `random` in a text
   * is followed by a seed of the question's own. What does not go together (a kernel larger than its x) is never asked.
   */
  readonly varies: Readonly<Record<string, readonly string[]>>;
}

export type AskedTensor = 'y' | 'dx' | 'dw' | 'db';
