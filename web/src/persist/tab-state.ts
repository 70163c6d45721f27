import { readStored, writeStored } from '../storage/storage';

/** State that an unloading page leaves in sessionStorage for the next page of the tab. */
export interface TabState {
  /** Id of the stored record. */
  readonly id: string;
  /** The possible addresses: the last one may not have been written in time. */
  readonly addresses: readonly string[];
  /** The link of the state. */
  readonly hash: string;
  /** Inputs that may not have been stored in time, as text. */
  readonly late: Readonly<Partial<Record<string, { readonly text: string; readonly edited: boolean }>>>;
}

/**
 * Limit of the values of one input. sessionStorage holds 5 million characters; three inputs of this size take 4
 * million. Larger inputs are in IndexedDB, except for changes of the last 250 ms.
 */
export const MOST_UNSAVED = 2 ** 18;

/** Bytes converted in one call. */
const CHUNK = 2 ** 15;

/** Values as base64. */
export function textOfNumbers({ buffer, byteOffset, byteLength }: Float32Array): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

export const numbersOfText = (text: string): Float32Array =>
  new Float32Array(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);

/** Start.tsx uses the same key. */
const NAME = 'kept';
const PROBE = 'probe';

/** Where storage is full or disabled, the page has shown a notice, and the address has most of the state. */
export function saveTabState(mark: TabState): void {
  writeStored('sessionStorage', NAME, JSON.stringify(mark));
}

/** True if sessionStorage works. */
export const hasSessionStorage = (): boolean =>
  writeStored('sessionStorage', PROBE, '') && writeStored('sessionStorage', PROBE, null);

/**
 * Reads the state of this tab and removes it from session storage. A duplicate of the tab gets a copy of that storage and
 * would otherwise restore the same page.
 */
export function takeTabState(): TabState | null {
  const text = readStored('sessionStorage', NAME);
  writeStored('sessionStorage', NAME, null);
  try {
    return text === null ? null : (JSON.parse(text) as TabState);
  } catch {
    return null;
  }
}
