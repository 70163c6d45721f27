import { type ReadonlySignal, signal } from '@preact/signals';
import { membersOf } from '../../storage/members';
import { readStored, writeStored } from '../../storage/storage';

/**
 * A value in localStorage, which all tabs share. `read` must accept any text: another version of the page may have written it.
 */
export function persisted<Value>(key: string, read: (text: string | null) => Value) {
  let text = readStored('localStorage', key);
  const value = signal(read(text));
  /** Without storage the text never changes, and the value of this page stays. */
  const refresh = () => {
    const stored = readStored('localStorage', key);
    if (stored === text) return;
    text = stored;
    value.value = read(text);
  };
  globalThis.addEventListener?.('storage', refresh);
  return {
    value: value as ReadonlySignal<Value>,
    /** Changes the value that is stored now: another tab may have written since. */
    persist(change: (latest: Value) => Value) {
      refresh();
      value.value = change(value.peek());
      const next = JSON.stringify(value.peek());
      if (writeStored('localStorage', key, next)) text = next;
    },
  };
}

interface Progress {
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

export const persistStep = (id: string, index: number): void =>
  lessons.persist(({ done, at }) => ({ done, at: { ...at, [id]: index } }));

export const persistDone = (id: string): void =>
  lessons.persist(({ done, at: { [id]: _, ...others } }) => ({
    done: done.includes(id) ? done : [...done, id],
    at: others,
  }));
