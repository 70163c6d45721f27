import { membersOf } from '../../storage/storage';
import { persisted } from './persisted';

/** Progress in the lessons. */
export interface Progress {
  /** Lessons that were finished. */
  readonly done: readonly string[];
  /** The current step of each lesson, counted from 0. */
  readonly at: Readonly<Record<string, number>>;
}

export function readProgress(text: string | null): Progress {
  const { done, at } = membersOf(text);
  return {
    done: Array.isArray(done) ? done.filter((id) => typeof id === 'string') : [],
    at: Object.fromEntries(Object.entries(at ?? {}).filter(([, step]) => Number.isSafeInteger(step) && step >= 0)),
  };
}

const lessons = persisted('lessons', readProgress);

export const progress = lessons.value;

export const persistStep = (id: string, index: number): void => {
  const { done, at } = progress.peek();
  lessons.persist({ done, at: { ...at, [id]: index } });
};

export const persistDone = (id: string): void => {
  const { done, at } = progress.peek();
  const { [id]: _, ...others } = at;
  lessons.persist({ done: done.includes(id) ? done : [...done, id], at: others });
};
