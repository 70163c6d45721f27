/** Text in the storage of the browser, which may be blocked (private window, file URL) or full. */

export type StorageArea = 'localStorage' | 'sessionStorage';

/** null: nothing is stored, or storage is blocked. */
export function readStored(area: StorageArea, key: string): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it (null). False: it is lost when the page is closed. */
export function writeStored(area: StorageArea, key: string, text: string | null): boolean {
  try {
    if (text === null) window[area].removeItem(key);
    else window[area].setItem(key, text);
    return true;
  } catch {
    return false;
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
