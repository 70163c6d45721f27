import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Address } from '../link/address';
import type { LinkInput } from '../link/field';
import { inputValuesOf, writeLink } from '../link/write-link';
import type { LookStore } from '../look/look-store';
import type { TensorSource } from '../sources/tensor-sources';
import type { Problem } from '../state/problem';
import type { Store } from '../state/store';
import {
  hasSessionStorage,
  inTransaction,
  MOST_UNSAVED,
  openDatabase,
  type PersistedPage,
  pagesIn,
  partsOfPage,
  saveTabState,
  type TabState,
  takeTabState,
  textOfNumbers,
} from './browser-storage';

/** Delay after the last change before it is stored: an image of a megapixel is 12 MB. */
const PAUSE_MS = 250;
/** A reload may take so long, in ms. */
const RELOAD_MS = 10_000;
const MOST_PAGES = 20;
const MOST_AGE_MS = 30 * 24 * 3_600_000;

interface PersisterParts {
  readonly store: Store;
  readonly look: LookStore;
  readonly address: Address;
  /** The id from before a reload; null: nothing is stored for this tab. */
  readonly id: string | null;
  readonly fileOf: (source: TensorSource) => { readonly file: Blob; readonly reduced: unknown } | undefined;
  readonly page: Window;
}

/** Types that IndexedDB stores without conversion. */
type Part = Float32Array<ArrayBufferLike> | Blob;

/**
 * Stores the inputs that do not fit into a link in IndexedDB, so that a reload restores them. Each input is written
 * once. `refused`: the inputs that the browser did not store.
 */
export class Persister {
  readonly refused: ReadonlySignal<readonly LinkInput[]>;
  readonly #refused = signal<readonly LinkInput[]>([]);
  readonly #parts: PersisterParts;
  readonly #id: string;
  #database: IDBDatabase | null = null;
  /** Parts that may be in the database, with their keys. Parts are immutable. */
  #stored: ReadonlyMap<Part, string> = new Map();
  /** Parts that are certainly in the database. */
  readonly #safe = new WeakSet<Part>();
  /** The last write that waits for its turn or for its transaction. */
  #writing = Promise.resolve();
  /** Number of transactions. */
  #writes = 0;
  /** Inputs that the link of the last stored problem leaves out. */
  #omitted: readonly LinkInput[] = [];
  #last = 0;
  /** Addresses since the page began to unload. */
  readonly #addresses = new Set<string>();
  #timer = 0;
  /** Time of the last change. */
  #changed = Number.NEGATIVE_INFINITY;
  /** The last stored state. The link alone does not change with edits of inputs that it leaves out. */
  #lastSaved: { readonly hash: string; readonly problem: Problem } | null = null;
  /** The record from before the reload exists until the next write. */
  #hasEarlier: boolean;

  constructor(parts: PersisterParts) {
    this.refused = this.#refused;
    this.#parts = parts;
    this.#id = parts.id ?? newId();
    this.#hasEarlier = parts.id !== null;
    const { page, store, look } = parts;
    void this.#open();
    let last: TensorSource | null = null;
    effect(() => {
      const { source } = store.problem.value.x;
      look.written.value;
      page.clearTimeout(this.#timer);
      if (last) this.#changed = Date.now();
      // A new file is stored at once: sessionStorage cannot hold it.
      this.#timer = page.setTimeout(() => this.#persist(), source === last ? PAUSE_MS : 0);
      last = source;
    });
    page.addEventListener('pagehide', () => this.#leave());
    // Of ui/reload.ts: the next page may begin before `pagehide`.
    page.addEventListener('leaving', () => this.#leave());
    page.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#stay();
    });
    // Some systems end a background page without any further event.
    page.document.addEventListener('visibilitychange', () => {
      if (page.document.visibilityState === 'hidden') this.#leave();
      else this.#stay();
    });
  }

  /** Stores now; returns the inputs that could not be stored. */
  async flush(): Promise<readonly LinkInput[]> {
    await this.#persist();
    return this.#refused.peek();
  }

  async #open(): Promise<void> {
    try {
      this.#database = await openDatabase();
      await this.#cleanUp(this.#database);
    } catch {
      // Reported when there is something to store.
    }
    await this.#persist();
  }

  /** May run twice. The page may be gone when the write ends, so the mark has both the old and the new address. */
  #leave(): void {
    const { address, page } = this.#parts;
    this.#addresses.add(page.location.hash.slice(1));
    const hash = address.flush(writeLink);
    this.#addresses.add(hash);
    void this.#write();
    const late = this.#unsaved();
    const isKept = this.#stored.size > 0 || this.#hasEarlier || Object.keys(late).length > 0;
    // The reload that ends this page began with an address that may have been replaced since.
    const isRecent = Date.now() - this.#changed < RELOAD_MS;
    if (isKept || isRecent || this.#addresses.size > 1) {
      saveTabState({ id: this.#id, addresses: [...this.#addresses], hash, late });
    }
  }

  /** Inputs that are not committed yet: the write may come too late. */
  #unsaved(): TabState['late'] {
    const problem = this.#parts.store.problem.peek();
    const inputs = this.#omitted.flatMap((name) => {
      const input = inputValuesOf(problem, name);
      if (!input || this.#safe.has(input.data) || input.data.length > MOST_UNSAVED) return [];
      return [[name, { text: textOfNumbers(input.data), edited: input.edited }] as const];
    });
    return Object.fromEntries(inputs);
  }

  #stay(): void {
    this.#addresses.clear();
    takeTabState();
  }

  /** One write after the other. A page that is left writes at once: a later transaction would be lost. */
  #persist(): Promise<void> {
    this.#parts.page.clearTimeout(this.#timer);
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { store, look, page } = this.#parts;
    page.clearTimeout(this.#timer);
    const problem = store.problem.peek();
    const { hash, omitted } = writeLink({ problem, look: look.written.peek() });
    if (this.#lastSaved?.hash === hash && this.#lastSaved.problem === problem) return;
    this.#lastSaved = { hash, problem };
    this.#omitted = omitted;
    if (omitted.length === 0 && this.#stored.size === 0 && !this.#hasEarlier) {
      this.#refused.value = [];
      return;
    }
    this.#writes += 1;
    const write = this.#writes;
    try {
      const { record, parts } = this.#recordOf(problem, hash, omitted);
      if (!this.#database) throw new Error('there is no database');
      const old = [...this.#stored].filter(([part]) => !parts.has(part));
      // Not safe before the transaction ends: until then another write must store them again.
      const unsafe = [...parts].filter(([part]) => !this.#safe.has(part));
      for (const [part] of old) this.#safe.delete(part);
      this.#stored = new Map([...this.#stored, ...parts]);
      const earlier = this.#hasEarlier;
      await inTransaction(this.#database, (pages, stored) => {
        if (earlier) stored.delete(partsOfPage(this.#id));
        for (const [part, key] of unsafe) stored.put(part, key);
        for (const [, key] of old) stored.delete(key);
        if (record) pages.put(record);
        else pages.delete(this.#id);
      });
      this.#hasEarlier = false;
      // A later write has parts of its own.
      if (write !== this.#writes) return;
      this.#stored = parts;
      for (const part of parts.keys()) this.#safe.add(part);
      this.#refused.value = [];
    } catch {
      // The transaction failed: the earlier record and its parts are unchanged.
      if (write !== this.#writes) return;
      this.#lastSaved = null;
      this.#refused.value = omitted.filter((name) => !this.#fitsTab(problem, name));
    }
  }

  /** True if sessionStorage can hold the input. */
  #fitsTab(problem: Problem, name: LinkInput): boolean {
    return hasSessionStorage() && (inputValuesOf(problem, name)?.data.length ?? 0) <= MOST_UNSAVED;
  }

  /** The record and its parts; `record` is null if the link contains everything. */
  #recordOf(problem: Problem, hash: string, omitted: readonly LinkInput[]) {
    const parts = new Map<Part, string>();
    const keyOf = (part: Part): string => {
      const key = this.#stored.get(part) ?? parts.get(part) ?? `${this.#id} ${++this.#last}`;
      parts.set(part, key);
      return key;
    };
    const inputs = omitted.flatMap((name) => {
      const input = inputValuesOf(problem, name);
      return input ? [[name, { key: keyOf(input.data), edited: input.edited }] as const] : [];
    });
    const origin = this.#parts.fileOf(problem.x.source);
    const file = origin && omitted.includes('x') ? { key: keyOf(origin.file), reduced: origin.reduced } : null;
    const record: PersistedPage = { id: this.#id, hash, time: Date.now(), inputs: Object.fromEntries(inputs), file };
    return { record: omitted.length === 0 ? null : record, parts };
  }

  async #cleanUp(database: IDBDatabase): Promise<void> {
    const pages = await pagesIn(database);
    const others = pages.filter(({ id }) => id !== this.#id);
    const old = others.filter(({ time }, i) => i >= MOST_PAGES || Date.now() - time > MOST_AGE_MS);
    if (old.length === 0) return;
    await inTransaction(database, (pages, parts) => {
      for (const { id } of old) {
        pages.delete(id);
        parts.delete(partsOfPage(id));
      }
    });
  }
}

/** Unique id. crypto.randomUUID needs https. */
const newId = (): string => `${Date.now().toString(36)}.${Math.random().toString(36).slice(2)}`;
