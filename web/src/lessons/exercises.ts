import type { ResultName } from '../protocol/tensors';

/** A set of exercises. `tests/web/lessons/exercises.test.ts` runs each. */
export interface ExerciseSet {
  /** Its name in a link. Lessons and sets share one namespace: their names differ. */
  readonly id: string;
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
  /**
   * Link fields that vary, each with its equally likely values (link/fields.ts): "h=3|4&w=4". `random` gets a seed for
   * each question. Impossible combinations (a kernel larger than its x) are drawn again.
   */
  readonly varies: string;
}

/** All sets of exercises, in reading order. */
export const EXERCISES: readonly ExerciseSet[] = [
  {
    id: 'forward-sums',
    title: 'Forward sums',
    sentence: 'Compute single values of y: find the window, multiply it by w cell by cell, and add.',
    words:
      'One value of y is hidden. Multiply its window on x by w, cell by cell, and add over all channels. Add the bias if there is one.',
    seed: 11,
    questions: 6,
    asks: ['y'],
    varies: 'h=3|4&w=4|5&kh=2&kw=2|3&c=1|1|2&k=1|1|2&padding=0|0|1&x=random&weights=random&bias=||random',
  },
  {
    id: 'gradients',
    title: 'Gradients: dw and dx',
    sentence: 'Compute single values of dw, db and dx. Whole numbers only.',
    words:
      'One value of a gradient is hidden. Find every window that uses this weight (or cell of x). Each contributes one product with its cell of dy. Add them.',
    seed: 23,
    questions: 8,
    asks: ['dw', 'dx', 'dw', 'db'],
    varies: 'h=3|4&w=3|4&kh=2&kw=2|3&n=1|1|2&stride=1|1|2&padding=0|1&x=random&weights=random&dy=random',
  },
  {
    id: 'geometry',
    title: 'Strides, padding, dilation, groups',
    sentence: 'The same sums with stride, padding, dilation and groups.',
    words:
      'One value is hidden. Look at the controls first. Where is the window, which of its cells are padding, and which channels does it read?',
    seed: 5,
    questions: 8,
    asks: ['y', 'dx', 'y', 'dw'],
    varies:
      'h=4|5&w=5|6&kh=2&kw=2|3&c=1|2|2&k=1|2|2&groups=1|2&stride=1|2|1x2&dilation=1|1|2|1x2&padding=0|1|same|1,0,2,0&x=random&weights=random&dy=random',
  },
];

/** A question of a set; the index after the last question is the result. */
export interface ExerciseRef {
  readonly set: ExerciseSet;
  /** Counted from 0. */
  readonly index: number;
}

/** "forward-sums.2": the second question. */
export const exerciseRefText = ({ set, index }: ExerciseRef): string => `${set.id}.${index + 1}`;

export function exerciseRefOf(text: string | null): ExerciseRef | null {
  const [id, number] = text?.split('.') ?? [];
  const set = EXERCISES.find((candidate) => candidate.id === id);
  const index = Number(number) - 1;
  return set && index >= 0 && index <= set.questions ? { set, index } : null;
}
