import type { ExerciseSet } from './exercise';

const FILES = import.meta.glob<{ readonly exercise: ExerciseSet }>('./exercises/*.ts', { eager: true });

export interface NamedSet extends ExerciseSet {
  /** File name; also its name in a link. */
  readonly id: string;
}

/** All exercise sets. Lessons and sets share one namespace in links: their names differ. */
export const EXERCISES: readonly NamedSet[] = Object.entries(FILES)
  .map(([path, { exercise }]) => ({ ...exercise, id: path.replace(/^.*\/|\.ts$/g, '') }))
  .sort((a, b) => a.order - b.order);

/** A question of a set; the index after the last question is the result. */
export interface ExerciseRef {
  readonly set: NamedSet;
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
