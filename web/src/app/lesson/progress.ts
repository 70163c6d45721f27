import { type ReadonlySignal, signal } from '@preact/signals';
import { membersOf, readStored, writeStored } from '../../storage/storage';

/** A value in localStorage. `read` must accept any text: another version of the page may have written it. */
export function persisted<Value>(key: string, read: (text: string | null) => Value) {
  const value = signal(read(readStored('localStorage', key)));
  return {
    value: value as ReadonlySignal<Value>,
    persist(next: Value) {
      value.value = next;
      writeStored('localStorage', key, JSON.stringify(next));
    },
  };
}

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
