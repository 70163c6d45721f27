import { signal } from '@preact/signals';

/** How far somebody has come, kept in the browser: nobody else is told. */
export interface Progress {
  /** Lessons that were read to the end. */
  readonly done: readonly string[];
  /** The step at which each lesson was left, counted from 0. */
  readonly at: Readonly<Record<string, number>>;
}

const STORAGE_KEY = 'lessons';
const NONE: Progress = { done: [], at: {} };

/** What was kept, as far as it can be understood: another version of the page may have written it. */
export function readProgress(text: string | null): Progress {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (typeof kept !== 'object' || kept === null) return NONE;
    const { done, at } = kept as { readonly done?: unknown; readonly at?: unknown };
    return {
      done: Array.isArray(done) ? done.filter((id) => typeof id === 'string') : [],
      at: Object.fromEntries(Object.entries(at ?? {}).filter(([, step]) => Number.isSafeInteger(step) && step >= 0)),
    };
  } catch {
    return NONE;
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    // Storage may be forbidden: then progress lasts as long as the page.
    return null;
  }
}

export const progress = signal<Progress>(readProgress(stored()));

function keep(next: Progress): void {
  progress.value = next;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // See stored().
  }
}

export const keepStep = (id: string, index: number): void => {
  const { done, at } = progress.peek();
  keep({ done, at: { ...at, [id]: index } });
};

export const keepDone = (id: string): void => {
  const { done, at } = progress.peek();
  const { [id]: _, ...others } = at;
  keep({ done: done.includes(id) ? done : [...done, id], at: others });
};
