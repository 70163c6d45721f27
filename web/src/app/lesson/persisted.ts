import { type ReadonlySignal, signal } from '@preact/signals';

/** A value in localStorage. */
export interface Persisted<Value> {
  readonly value: ReadonlySignal<Value>;
  readonly persist: (next: Value) => void;
}

/** `read` must accept any text: another version of the page may have written it. */
export function persisted<Value>(key: string, read: (text: string | null) => Value): Persisted<Value> {
  const value = signal(read(stored(key)));
  return {
    value,
    persist(next) {
      value.value = next;
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // See stored().
      }
    },
  };
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage may be blocked: then the value is lost on reload.
    return null;
  }
}

/** Members of a JSON object; empty for anything else. */
export function membersOf(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
