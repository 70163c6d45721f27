/** Large things that this browser keeps for the page, by text. https://www.w3.org/TR/IndexedDB-3/ */

const NAME = 'conv2d playground';

/** What belongs to one page of the browser. */
export interface Kept {
  /** Names the page: a tab, as long as it works on the same thing. */
  readonly id: string;
  /** The link (without "#") whose gaps the parts fill. */
  readonly hash: string;
  /** When it was kept, in milliseconds. */
  readonly time: number;
  /** Of every input that the link leaves out: where its numbers are. */
  readonly inputs: Readonly<Partial<Record<string, KeptInput>>>;
  /** The file behind x. */
  readonly file: KeptFile | null;
}

export interface KeptInput {
  readonly key: string;
  readonly edited: boolean;
}

export interface KeptFile {
  readonly key: string;
  readonly reduced: unknown;
}

const STORES = ['pages', 'parts'] as const;

export function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('pages', { keyPath: 'id' });
      request.result.createObjectStore('parts');
    };
    request.onsuccess = () => {
      // A page of a newer version must not wait for this one.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('the store is in use by an older page'));
  });
}

/** Resolves when everything is kept that `act` has asked for; all of it, or nothing. It is handed over before this returns. */
export function writing(
  database: IDBDatabase,
  act: (pages: IDBObjectStore, parts: IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORES, 'readwrite', { durability: 'relaxed' });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('it was not kept'));
    try {
      act(transaction.objectStore('pages'), transaction.objectStore('parts'));
      // A page that goes away hears of nothing any more: without this, what it asked for would be taken back.
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

/** All pages, the one that was kept last first. */
export async function pagesIn(database: IDBDatabase): Promise<readonly Kept[]> {
  const pages = database.transaction('pages').objectStore('pages');
  return ((await resultOf(pages.getAll())) as Kept[]).sort((a, b) => b.time - a.time);
}

export const partOf = (database: IDBDatabase, key: string): Promise<unknown> =>
  resultOf(database.transaction('parts').objectStore('parts').get(key));

/** The keys of all parts of a page begin with its id. */
export const partsOfPage = (id: string): IDBKeyRange => IDBKeyRange.bound(`${id} `, `${id}!`, false, true);
