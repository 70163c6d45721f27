import { type ReadonlySignal, signal } from '@preact/signals';

/** Something that the browser keeps for this page: nobody else is told. */
export interface Kept<Value> {
  readonly value: ReadonlySignal<Value>;
  readonly keep: (next: Value) => void;
}

/** `read` takes what was kept, as far as it can be understood: another version of the page may have written it. */
export function kept<Value>(key: string, read: (text: string | null) => Value): Kept<Value> {
  const value = signal(read(stored(key)));
  return {
    value,
    keep(next) {
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
    // Storage may be forbidden: then it lasts as long as the page.
    return null;
  }
}

/** The members of what was kept; none of what is no object. */
export function membersOf(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
