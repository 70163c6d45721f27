import { signal } from '@preact/signals';
import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import {
  inTransaction,
  MOST_UNSAVED,
  openDatabase,
  type PersistedPage,
  pagesIn,
} from '../../../web/src/persist/browser-storage';
import { Persister } from '../../../web/src/persist/persister';
import { restorePage } from '../../../web/src/persist/restore-page';
import type { Problem } from '../../../web/src/state/problem';
import { PREFIX } from '../../../web/src/storage/storage';
import { layerOf, withDesc } from '../support/problems';

/** What a browser stores of a page, and for how long, with a database in memory. */

const NOW = Date.UTC(2026, 10, 22);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The storage of a tab; `isFull`: it refuses everything. */
class Area {
  readonly texts = new Map<string, string>();
  isFull = false;
  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    if (this.isFull) throw new Error('QuotaExceededError');
    this.texts.set(key, text);
  }
  removeItem(key: string): void {
    this.texts.delete(key);
  }
}

/** A window with a hash, events, and the fake timers. */
class Tab extends EventTarget {
  readonly document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  readonly location = { hash: '' };
  readonly setTimeout = globalThis.setTimeout;
  readonly clearTimeout = globalThis.clearTimeout;
}

let area: Area;
beforeEach(() => {
  area = new Area();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: NOW });
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  vi.stubGlobal('window', { sessionStorage: area });
  vi.stubGlobal('history', { state: null, replaceState: () => undefined });
  vi.stubGlobal('location', { href: 'https://conv2d.example/' });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The mark of a page in the storage of its tab. */
const KEPT = `${PREFIX}kept`;

const numbers = (first: number, side = 50) => Float32Array.from({ length: side * side }, (_, i) => (i ? i / 7 : first));

/** A problem with an x that does not fit into a link. */
function large(x: Float32Array): Problem {
  const side = Math.sqrt(x.length);
  const { problem } = parseLink(`h=${side}&w=${side}&kh=1&kw=1&x=ones&weights=ones`);
  return { ...problem, x: { ...problem.x, data: x, edited: true } };
}

/** A page of this browser with a problem; its database was opened and tidied. */
async function opened(problem: Problem, id: string | null = null) {
  const store = { problem: signal(problem) };
  const { look } = parseLink('');
  const hash = () => writeLink({ problem: store.problem.value, look }).hash;
  const page = new Tab();
  const parts = { store, look: { written: signal(look) }, address: { flush: hash }, page };
  const persister = new Persister({ ...parts, id, fileOf: () => undefined } as never);
  const settled = async () => {
    await vi.advanceTimersByTimeAsync(1000);
    await persister.flush();
  };
  await settled();
  // The database answers in macrotasks, which the fake clock does not move.
  await vi.waitFor(async () => expect(await stored()).toBeDefined());
  return { persister, store, page, settled, hash };
}

/** Ids of the stored pages, and the first value of each stored part. */
async function stored() {
  const database = await openDatabase();
  const pages = (await pagesIn(database)).map((page) => page.id);
  const request = database.transaction('parts').objectStore('parts').getAll();
  await new Promise((done) => {
    request.onsuccess = done;
  });
  database.close();
  return { pages, parts: (request.result as Float32Array[]).map(([first]) => first) };
}

/** Stores pages of these ages, ms, each with one part. */
async function storeOthers(ages: readonly number[]): Promise<void> {
  const database = await openDatabase();
  await inTransaction(database, (pages, parts) => {
    for (const [i, age] of ages.entries()) {
      const key = `other${i} 1`;
      const page: PersistedPage = {
        ...{ id: `other${i}`, hash: 'h=9', time: NOW - age, file: null },
        inputs: { x: { key, edited: true } },
      };
      pages.put(page);
      parts.put(Float32Array.of(-i), key);
    }
  });
  database.close();
}

/** What the next page of the tab restores from its address. */
async function reopened(hash: string, kind: NavigationTimingType = 'reload') {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: kind }] as never);
  const page = await restorePage(`#${hash}`);
  return { id: page.id, restored: page.restored, first: page.opened.problem.x.data[0] };
}

describe('stored pages', () => {
  test('are deleted after 30 days, with their parts', async () => {
    await storeOthers([30 * DAY - 1, 30 * DAY + 1, HOUR, 400 * DAY]);
    await opened(parseLink('h=5&kh=3').problem);
    await vi.waitFor(async () => expect(await stored()).toEqual({ pages: ['other2', 'other0'], parts: [-0, -2] }));
  });

  test('are at most twenty beside the own one: the newest', async () => {
    await storeOthers(Array.from({ length: 23 }, (_, i) => HOUR + i));
    const { persister, store, settled } = await opened(large(numbers(5)), 'mine');
    const others = Array.from({ length: 20 }, (_, i) => `other${i}`);
    await vi.waitFor(async () => {
      const { pages, parts } = await stored();
      expect(pages).toEqual(['mine', ...others]);
      expect(parts).toHaveLength(21);
    });
    // Nothing is stored that a link can contain.
    store.problem.value = parseLink('h=5&kh=3').problem;
    await settled();
    expect(await persister.flush()).toEqual([]);
    await vi.waitFor(async () => {
      const { pages, parts } = await stored();
      expect(pages).toEqual(others);
      expect(parts).toHaveLength(20);
    });
  });

  test('are written once: an edit of another setting writes no values, and one of the values replaces them', async () => {
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    const values = () => put.mock.calls.filter(([value]) => value instanceof Float32Array).length;
    const { store, settled } = await opened(large(numbers(5)));
    await vi.waitFor(async () => expect((await stored()).parts).toEqual([5]));
    expect(values()).toBe(1);
    store.problem.value = withDesc(store.problem.value, { ...layerOf(store.problem.value).desc, stride_h: 2 });
    await settled();
    expect(values()).toBe(1);
    store.problem.value = large(numbers(6));
    await settled();
    await vi.waitFor(async () => expect((await stored()).parts).toEqual([6]));
    expect(values()).toBe(2);
  });

  test('belong to one tab each: a reload gives back its own, and another link nothing', async () => {
    const first = await opened(large(numbers(5)));
    const second = await opened(large(numbers(6)));
    expect(first.hash()).toBe(second.hash());
    second.page.dispatchEvent(new Event('pagehide'));
    const mark = area.texts.get(KEPT) ?? '';
    expect(await reopened(second.hash())).toEqual({ id: JSON.parse(mark).id, restored: ['x'], first: 6 });
    // The mark of a tab is read once: a duplicate of the tab gets a record of its own.
    expect(area.texts.size).toBe(0);
    area.texts.set(KEPT, mark);
    expect(await reopened('h=4&kh=2', 'navigate')).toEqual({ id: null, restored: [], first: 0 });
  });

  test('are given back by a reload that began with an earlier address', async () => {
    const { page, hash } = await opened(large(numbers(5)));
    page.dispatchEvent(new Event('pagehide'));
    const mark = area.texts.get(KEPT) ?? '';
    const written = vi.spyOn(history, 'replaceState');
    expect(await reopened('h=4&kh=2')).toEqual({ id: JSON.parse(mark).id, restored: ['x'], first: 5 });
    const whole = new URL(`#${hash()}`, 'https://conv2d.example/');
    expect(written).toHaveBeenCalledExactlyOnceWith(null, '', whole);
    area.texts.set(KEPT, mark);
    expect(await reopened('h=4&kh=2', 'back_forward')).toEqual({ id: null, restored: [], first: 0 });
  });
});

describe('a small problem, with an address that has all of it', () => {
  test.each([
    [9000, true],
    [11_000, false],
  ])('%s ms after its last edit: is a reload told of it, which may have begun before: %s', async (passed, isTold) => {
    const { store, page, hash } = await opened(parseLink('h=5&kh=3').problem);
    store.problem.value = parseLink('h=6&kh=3').problem;
    page.location.hash = `#${hash()}`;
    vi.setSystemTime(Date.now() + passed);
    page.dispatchEvent(new Event('pagehide'));
    expect(area.texts.has(KEPT)).toBe(isTold);
  });
});

describe('a page that is closed before its values are stored', () => {
  test.each(['pagehide', 'leaving'])('leaves them in the storage of the tab at “%s”', async (event) => {
    vi.stubGlobal('indexedDB', { open: () => ({}) });
    const { page, hash } = await unanswered(large(numbers(5)));
    page.dispatchEvent(new Event(event));
    vi.stubGlobal('indexedDB', new IDBFactory());
    expect(await reopened(hash())).toMatchObject({ restored: ['x'], first: 5 });
  });

  test('leaves none that are too large for it', async () => {
    vi.stubGlobal('indexedDB', { open: () => ({}) });
    const { page } = await unanswered(large(numbers(5, 600)));
    expect(600 * 600).toBeGreaterThan(MOST_UNSAVED);
    page.dispatchEvent(new Event('pagehide'));
    expect(JSON.parse(area.texts.get(KEPT) ?? '{}').late ?? {}).toEqual({});
  });
});

/** A page with a database that does not answer. */
async function unanswered(problem: Problem) {
  const { look } = parseLink('');
  const page = new Tab();
  const hash = () => writeLink({ problem, look }).hash;
  const parts = {
    store: { problem: signal(problem) },
    look: { written: signal(look) },
    address: { flush: hash },
    page,
  };
  const persister = new Persister({ ...parts, id: null, fileOf: () => undefined } as never);
  await persister.flush();
  return { page, hash, persister };
}

describe('storage that refuses', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };

  test('is said of values that the tab cannot hold, either; the earlier record stays; the next edit tries again', async () => {
    const { persister, store, settled } = await opened(large(numbers(5, 600)));
    await vi.waitFor(async () => expect((await stored()).parts).toEqual([5]));
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse);
    store.problem.value = large(numbers(6, 600));
    await settled();
    await vi.waitFor(() => expect(persister.refused.value).toEqual(['x']));
    expect((await stored()).parts).toEqual([5]);
    put.mockRestore();
    store.problem.value = large(numbers(7, 600));
    await settled();
    await vi.waitFor(() => expect(persister.refused.value).toEqual([]));
    await vi.waitFor(async () => expect((await stored()).parts).toEqual([7]));
  });

  test.each([
    ['the tab holds the values', false, []],
    ['the tab refuses, too', true, ['x']],
  ])('no database: %s', async (_, isFull, refused) => {
    area.isFull = isFull;
    vi.stubGlobal('indexedDB', { open: refuse });
    const { persister, page, hash } = await unanswered(large(numbers(5)));
    expect(await persister.flush()).toEqual(refused);
    page.dispatchEvent(new Event('pagehide'));
    expect(await reopened(hash())).toMatchObject(isFull ? { restored: [] } : { restored: ['x'], first: 5 });
  });
});
