import { type ReadonlySignal, signal } from '@preact/signals';
import { readStored, writeStored } from '../../storage/storage';

/** A value in localStorage. */
export interface Persisted<Value> {
  readonly value: ReadonlySignal<Value>;
  readonly persist: (next: Value) => void;
}

/** `read` must accept any text: another version of the page may have written it. */
export function persisted<Value>(key: string, read: (text: string | null) => Value): Persisted<Value> {
  const value = signal(read(readStored('localStorage', key)));
  return {
    value,
    persist(next) {
      value.value = next;
      writeStored('localStorage', key, JSON.stringify(next));
    },
  };
}
