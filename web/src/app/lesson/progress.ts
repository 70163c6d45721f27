import { kept, membersOf } from './kept';

/** How far somebody has come. */
export interface Progress {
  /** Lessons that were read to the end. */
  readonly done: readonly string[];
  /** The step at which each lesson was left, counted from 0. */
  readonly at: Readonly<Record<string, number>>;
}

export function readProgress(text: string | null): Progress {
  const { done, at } = membersOf(text);
  return {
    done: Array.isArray(done) ? done.filter((id) => typeof id === 'string') : [],
    at: Object.fromEntries(Object.entries(at ?? {}).filter(([, step]) => Number.isSafeInteger(step) && step >= 0)),
  };
}

const lessons = kept('lessons', readProgress);

export const progress = lessons.value;

export const keepStep = (id: string, index: number): void => {
  const { done, at } = progress.peek();
  lessons.keep({ done, at: { ...at, [id]: index } });
};

export const keepDone = (id: string): void => {
  const { done, at } = progress.peek();
  const { [id]: _, ...others } = at;
  lessons.keep({ done: done.includes(id) ? done : [...done, id], at: others });
};
