import { signal } from '@preact/signals';

const STORAGE_KEY = 'exercises';

/** What was answered in each set, as a link has it; kept in the browser, and nobody else is told. */
export const kept = signal<Readonly<Record<string, string>>>(read());

function read(): Readonly<Record<string, string>> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter(([, text]) => typeof text === 'string'));
  } catch {
    // Storage may be forbidden, or hold what another version wrote.
    return {};
  }
}

export function keepAnswers(id: string, text: string | null): void {
  const { [id]: _, ...others } = kept.peek();
  kept.value = text === null ? others : { ...others, [id]: text };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(kept.peek()));
  } catch {
    // See read().
  }
}
