import type { ExerciseSet } from './exercise';

const FILES = import.meta.glob<{ readonly exercise: ExerciseSet }>('./exercises/*.ts', { eager: true });

export interface NamedSet extends ExerciseSet {
  /** The name of its file: what a link calls it. */
  readonly id: string;
}

/** THE LIST of exercise sets. No lesson has the name of one. */
export const EXERCISES: readonly NamedSet[] = Object.entries(FILES)
  .map(([path, { exercise }]) => ({ ...exercise, id: path.replace(/^.*\/|\.ts$/g, '') }))
  .sort((a, b) => a.place - b.place);

/** A question of a set; behind the last one stands the result. */
export interface SetPlace {
  readonly set: NamedSet;
  /** Counted from 0. */
  readonly index: number;
}

/** "forward-sums.2": the second question. */
export const setPlaceText = ({ set, index }: SetPlace): string => `${set.id}.${index + 1}`;

export function setPlaceOf(text: string | null): SetPlace | null {
  const [id, number] = text?.split('.') ?? [];
  const set = EXERCISES.find((candidate) => candidate.id === id);
  const index = Number(number) - 1;
  return set && index >= 0 && index <= set.questions ? { set, index } : null;
}
