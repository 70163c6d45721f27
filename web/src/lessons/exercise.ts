import type { ModeId } from '../look/look';
import type { ResultName } from '../protocol/tensors';

/** A set of exercises: one file in exercises/, with no other registration. `tests/web/lessons/exercises.test.ts` runs each. */
export interface ExerciseSet {
  /** Position in the list of sets. */
  readonly order: number;
  readonly title: string;
  /** Learning goal, one sentence. */
  readonly sentence: string;
  /** Instructions above every question. */
  readonly words: string;
  /** The same seed always gives the same questions. Later rounds derive their own seeds. */
  readonly seed: number;
  readonly questions: number;
  /** Tensors with a hidden value, in turn. */
  readonly asks: readonly ResultName[];
  readonly mode?: ModeId;
  /**
   * Link fields that vary, each with its equally likely values (link/write-link.ts). `random` gets a seed for each question.
   * Impossible combinations (a kernel larger than its x) are drawn again.
   */
  readonly varies: Readonly<Record<string, readonly string[]>>;
}
