/** What a tab remembers of the page that is leaving it, for the one that comes: there is one while no page is open in it. */
export interface Mark {
  /** Of what is kept for it. */
  readonly id: string;
  /** What the address was, which may not have been written in time. */
  readonly addresses: readonly string[];
  /** The link of what was there. */
  readonly hash: string;
  /** Of inputs that the store may not have got in time: as text. */
  readonly late: Readonly<Partial<Record<string, { readonly text: string; readonly edited: boolean }>>>;
}

/**
 * Of one input. A tab remembers five million characters, and three inputs of this size are four million. What is larger is in
 * the store, but for the last quarter of a second.
 */
export const MOST_LATE = 2 ** 18;

/** Bytes that are made into characters in one call. */
const CHUNK = 2 ** 15;

/** Numbers as text, quickly. */
export function textOfNumbers({ buffer, byteOffset, byteLength }: Float32Array): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

export const numbersOfText = (text: string): Float32Array =>
  new Float32Array(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);

/** Start.tsx looks for it by its name. */
const NAME = 'kept';
const PROBE = 'probe';

export function leaveMark(mark: Mark): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(mark));
  } catch {
    // A browser that keeps nothing has said so, and the address has most of it.
  }
}

/** Whether the tab remembers anything. */
export function canRemember(): boolean {
  try {
    sessionStorage.setItem(PROBE, '');
    sessionStorage.removeItem(PROBE);
    return true;
  } catch {
    return false;
  }
}

/** A copy of the tab would have a copy of the mark: it is taken away as long as a page is open. */
export function takeMark(): Mark | null {
  try {
    const text = sessionStorage.getItem(NAME);
    sessionStorage.removeItem(NAME);
    return text === null ? null : (JSON.parse(text) as Mark);
  } catch {
    return null;
  }
}
