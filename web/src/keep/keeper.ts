import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Address } from '../link/address';
import { carriedOf, writeLink } from '../link/write-link';
import type { LookStore } from '../look/look-store';
import type { TensorSource } from '../sources/tensor-sources';
import type { InputName, Problem } from '../state/problem';
import type { Store } from '../state/store-types';
import { type Kept, openDatabase, pagesIn, partsOfPage, writing } from './database';
import { canRemember, leaveMark, type Mark, MOST_LATE, takeMark, textOfNumbers } from './mark';

/** Pause after the last change before it is kept: a picture of a megapixel is 12 MB. */
const PAUSE_MS = 250;
/** What nobody came back for is forgotten. */
const MOST_PAGES = 20;
const MOST_AGE_MS = 30 * 24 * 3_600_000;

export interface KeeperParts {
  readonly store: Store;
  readonly look: LookStore;
  readonly address: Address;
  /** Under which a reload left it; null: nothing was kept for this tab. */
  readonly id: string | null;
  /** The file that x was read from. */
  readonly fileOf: (source: TensorSource) => { readonly file: Blob; readonly reduced: unknown } | undefined;
  readonly page: Window;
}

/** Everything that can be stored as it is. */
type Part = Float32Array<ArrayBufferLike> | Blob;

/**
 * Keeps what a link cannot carry, so that a reload gives it back: in the browser's own store, the numbers of each input once.
 * `refused` names the inputs that the browser did not keep.
 */
export class Keeper {
  readonly refused: ReadonlySignal<readonly InputName[]>;
  readonly #refused = signal<readonly InputName[]>([]);
  readonly #parts: KeeperParts;
  readonly #id: string;
  #database: IDBDatabase | null = null;
  /** What is stored, or about to be: by the thing itself, which never changes. */
  #stored = new Map<Part, string>();
  /** What the store has said that it has. */
  readonly #safe = new WeakSet<Part>();
  /** Of the problem that was kept last. */
  #omitted: readonly InputName[] = [];
  #last = 0;
  /** Since the page began to go. */
  readonly #addresses = new Set<string>();
  #timer = 0;
  /** What was kept last: a link does not tell one edit of what it leaves out from another. */
  #kept: { readonly hash: string; readonly problem: Problem } | null = null;
  /** What the tab kept before the reload is there until something is kept anew. */
  #hasEarlier: boolean;

  constructor(parts: KeeperParts) {
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
      // A file is the one thing that a tab cannot remember by itself.
      this.#timer = page.setTimeout(() => this.#keep(), source === last ? PAUSE_MS : 0);
      last = source;
    });
    page.addEventListener('pagehide', () => this.#leave());
    page.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#stay();
    });
    // Some systems end a page that lies behind others without another word.
    page.document.addEventListener('visibilitychange', () => {
      if (page.document.visibilityState === 'hidden') this.#leave();
      else this.#stay();
    });
  }

  /** Has everything kept that can be; the names of what cannot. */
  async flush(): Promise<readonly InputName[]> {
    await this.#keep();
    return this.#refused.peek();
  }

  async #open(): Promise<void> {
    try {
      this.#database = await openDatabase();
      await this.#cleanUp(this.#database);
    } catch {
      // Said as soon as there is something to keep.
    }
    await this.#keep();
  }

  /** The page may not be there any more when this returns. It is told twice, and a reload knows either address. */
  #leave(): void {
    const { address, page } = this.#parts;
    this.#addresses.add(page.location.hash.slice(1));
    const hash = address.flush(writeLink);
    this.#addresses.add(hash);
    void this.#keep();
    const late = this.#late();
    const isKept = this.#stored.size > 0 || this.#hasEarlier || Object.keys(late).length > 0;
    if (isKept || this.#addresses.size > 1) {
      leaveMark({ id: this.#id, addresses: [...this.#addresses], hash, late });
    }
  }

  /** What the store has not said that it has: it may be told too late. */
  #late(): Mark['late'] {
    const problem = this.#parts.store.problem.peek();
    const inputs = this.#omitted.flatMap((name) => {
      const input = carriedOf(problem, name);
      if (!input || this.#safe.has(input.data) || input.data.length > MOST_LATE) return [];
      return [[name, { text: textOfNumbers(input.data), edited: input.edited }] as const];
    });
    return Object.fromEntries(inputs);
  }

  #stay(): void {
    this.#addresses.clear();
    takeMark();
  }

  async #keep(): Promise<void> {
    const { store, look, page } = this.#parts;
    page.clearTimeout(this.#timer);
    const problem = store.problem.peek();
    const { hash, omitted } = writeLink({ problem, look: look.written.peek() });
    if (this.#kept?.hash === hash && this.#kept.problem === problem) return;
    this.#kept = { hash, problem };
    this.#omitted = omitted;
    const before = this.#stored;
    if (omitted.length === 0 && before.size === 0 && !this.#hasEarlier) {
      this.#refused.value = [];
      return;
    }
    const earlier = this.#hasEarlier;
    try {
      const { kept, parts } = this.#recordOf(problem, hash, omitted);
      this.#stored = parts;
      if (!this.#database) throw new Error('there is no store');
      this.#hasEarlier = false;
      await writing(this.#database, (pages, stored) => {
        if (earlier) stored.delete(partsOfPage(this.#id));
        for (const [part, key] of parts) if (before.get(part) !== key) stored.put(part, key);
        for (const [part, key] of before) if (parts.get(part) !== key) stored.delete(key);
        if (kept) pages.put(kept);
        else pages.delete(this.#id);
      });
      for (const part of parts.keys()) this.#safe.add(part);
      this.#refused.value = [];
    } catch {
      // Nothing of it was kept, and what was there before is still there.
      this.#stored = before;
      this.#hasEarlier = earlier;
      this.#kept = null;
      this.#refused.value = omitted.filter((name) => !this.#fitsTab(problem, name));
    }
  }

  /** It survives a reload without the store. */
  #fitsTab(problem: Problem, name: InputName): boolean {
    return canRemember() && (carriedOf(problem, name)?.data.length ?? 0) <= MOST_LATE;
  }

  /** What is to be kept, and all parts of it; null where the link says everything. */
  #recordOf(problem: Problem, hash: string, omitted: readonly InputName[]) {
    const parts = new Map<Part, string>();
    const keyOf = (part: Part): string => {
      const key = this.#stored.get(part) ?? parts.get(part) ?? `${this.#id} ${++this.#last}`;
      parts.set(part, key);
      return key;
    };
    const inputs = omitted.flatMap((name) => {
      const input = carriedOf(problem, name);
      return input ? [[name, { key: keyOf(input.data), edited: input.edited }] as const] : [];
    });
    const origin = this.#parts.fileOf(problem.x.source);
    const file = origin && omitted.includes('x') ? { key: keyOf(origin.file), reduced: origin.reduced } : null;
    const kept: Kept = { id: this.#id, hash, time: Date.now(), inputs: Object.fromEntries(inputs), file };
    return { kept: omitted.length === 0 ? null : kept, parts };
  }

  async #cleanUp(database: IDBDatabase): Promise<void> {
    const pages = await pagesIn(database);
    const others = pages.filter(({ id }) => id !== this.#id);
    const old = others.filter(({ time }, i) => i >= MOST_PAGES || Date.now() - time > MOST_AGE_MS);
    if (old.length === 0) return;
    await writing(database, (kept, parts) => {
      for (const { id } of old) {
        kept.delete(id);
        parts.delete(partsOfPage(id));
      }
    });
  }
}

/** Nobody may take it for another; where the page does not come over https, there is no better source of one. */
const newId = (): string => `${Date.now().toString(36)}.${Math.random().toString(36).slice(2)}`;
