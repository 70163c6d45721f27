import { toBase64 } from '../link/text';
import { removeStored } from '../storage/remove';
import { readStored, writeStored } from '../storage/storage';

/** Storage of large values in IndexedDB. https://www.w3.org/TR/IndexedDB-3/ */

const DATABASE = 'conv2d playground';

/** The record of one tab. */
export interface PersistedPage {
  readonly id: string;
  /** The link (without "#") of the stored state. */
  readonly hash: string;
  /** Time of writing, ms since 1970. */
  readonly time: number;
  /** For each input that the link leaves out, the key of its values. */
  readonly inputs: Readonly<Partial<Record<string, { readonly key: string; readonly edited: boolean }>>>;
  readonly file: { readonly key: string; readonly reduced: unknown } | null;
}

const STORES = ['pages', 'parts'] as const;

export function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('pages', { keyPath: 'id' });
      request.result.createObjectStore('parts');
    };
    request.onsuccess = () => {
      // Does not block a page of a newer version.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('the database is in use by an older page'));
  });
}

/** Runs `act` in one transaction; resolves when it is committed. The requests are issued before this returns. */
export function inTransaction(
  database: IDBDatabase,
  act: (pages: IDBObjectStore, parts: IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORES, 'readwrite', { durability: 'relaxed' });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    try {
      act(transaction.objectStore('pages'), transaction.objectStore('parts'));
      // Without an explicit commit, a page that unloads would lose the transaction.
      transaction.commit();
    } catch (thrown) {
      reject(thrown);
      transaction.abort();
    }
  });
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** All records, newest first. */
export async function pagesIn(database: IDBDatabase): Promise<readonly PersistedPage[]> {
  const pages = database.transaction('pages').objectStore('pages');
  return ((await resultOf(pages.getAll())) as PersistedPage[]).sort((a, b) => b.time - a.time);
}

export const partOf = (database: IDBDatabase, key: string): Promise<unknown> =>
  resultOf(database.transaction('parts').objectStore('parts').get(key));

/** The keys of all parts of a tab begin with its id. */
export const partsOfPage = (id: string): IDBKeyRange => IDBKeyRange.bound(`${id} `, `${id}!`, false, true);

/** State that an unloading page leaves in sessionStorage for the next page of the tab. */
export interface TabState {
  readonly id: string;
  /** The possible addresses: the last one may not have been written in time. */
  readonly addresses: readonly string[];
  readonly hash: string;
  /** Inputs that may not have been stored in time, as text. */
  readonly late: Readonly<Partial<Record<string, { readonly text: string; readonly edited: boolean }>>>;
}

/**
 * Limit of the values of one input. sessionStorage holds 5 million characters; three inputs of this size take 4
 * million. Larger inputs are in IndexedDB, except for changes of the last 250 ms.
 */
export const MOST_UNSAVED = 2 ** 18;

/** Values as base64. */
export const textOfNumbers = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  toBase64(new Uint8Array(buffer, byteOffset, byteLength));

export const numbersOfText = (text: string): Float32Array =>
  new Float32Array(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);

/** app/start.tsx uses the same key. */
const TAB_KEY = 'kept';
const PROBE = 'probe';

/** Where storage is full or disabled, the page has shown a notice, and the address has most of the state. */
export function saveTabState(mark: TabState): void {
  writeStored('sessionStorage', TAB_KEY, JSON.stringify(mark));
}

/** True if sessionStorage works. */
export const hasSessionStorage = (): boolean => writeStored('sessionStorage', PROBE, '') && removeStored(PROBE);

/**
 * Reads the state of this tab and removes it from session storage. A duplicate of the tab gets a copy of that storage and
 * would otherwise restore the same page.
 */
export function takeTabState(): TabState | null {
  const text = readStored('sessionStorage', TAB_KEY);
  removeStored(TAB_KEY);
  try {
    return text === null ? null : (JSON.parse(text) as TabState);
  } catch {
    return null;
  }
}
