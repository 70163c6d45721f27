import { signal } from '@preact/signals';

const STORAGE_KEY = 'exercises';

/** Answers of each set, in link format; stored in localStorage. */
export const persistedAnswers = signal<Readonly<Record<string, string>>>(read());

function read(): Readonly<Record<string, string>> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter(([, text]) => typeof text === 'string'));
  } catch {
    // Storage may be blocked, or contain data of another version.
    return {};
  }
}

export function persistExerciseAnswers(id: string, text: string | null): void {
  const { [id]: _, ...others } = persistedAnswers.peek();
  persistedAnswers.value = text === null ? others : { ...others, [id]: text };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(persistedAnswers.peek()));
  } catch {
    // See read().
  }
}
