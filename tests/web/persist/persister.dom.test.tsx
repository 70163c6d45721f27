import { beforeEach, expect, test, vi } from 'vitest';
import { linksOf } from '../../../web/src/geometry/links';
import type { Address } from '../../../web/src/link/address';
import { writeLink } from '../../../web/src/link/write-link';
import { createLook } from '../../../web/src/look/look-store';
import type { PersistedPage } from '../../../web/src/persist/browser-storage';
import { Persister } from '../../../web/src/persist/persister';
import { openingProblem } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import { layerOf, withDesc } from '../support/problems';

/** Storing large inputs. The test ends each transaction of the database: it commits, in order, or fails. */

interface Transaction {
  readonly commit: () => Promise<void>;
  readonly fail: () => Promise<void>;
}

const disk = vi.hoisted(() => ({
  pages: new Map<string, unknown>(),
  parts: new Map<string, unknown>(),
  open: [] as unknown[],
}));
vi.mock('../../../web/src/persist/browser-storage', async (original) => ({
  ...(await original<typeof import('../../../web/src/persist/browser-storage')>()),
  openDatabase: async () => ({}),
  pagesIn: async () => [],
  partsOfPage: (id: string) => `${id} `,
  inTransaction: (_: unknown, act: (pages: unknown, parts: unknown) => void) =>
    new Promise<void>((resolve, reject) => {
      const changes: (() => void)[] = [];
      act(
        {
          put: (page: PersistedPage) => changes.push(() => disk.pages.set(page.id, page)),
          delete: (id: string) => changes.push(() => disk.pages.delete(id)),
        },
        {
          put: (part: unknown, key: string) => changes.push(() => disk.parts.set(key, part)),
          delete: (which: string) =>
            changes.push(() => {
              for (const key of disk.parts.keys())
                if (key === which || (which.endsWith(' ') && key.startsWith(which))) disk.parts.delete(key);
            }),
        },
      );
      const settled = () => new Promise<void>((done) => setTimeout(done));
      disk.open.push({
        commit: () => {
          for (const change of changes) change();
          resolve();
          return settled();
        },
        fail: () => {
          reject(new Error('QuotaExceededError'));
          return settled();
        },
      } satisfies Transaction);
    }),
}));

beforeEach(() => {
  disk.pages.clear();
  disk.parts.clear();
  disk.open.length = 0;
  sessionStorage.clear();
});

const transaction = (at: number) => disk.open[at] as Transaction;

/** Larger than sessionStorage holds. */
const SIDE = 600;
const imageOf = (value: number) => new Float32Array(SIDE * SIDE).fill(value);

/** A window of its own for each test. */
function windowOf() {
  const listeners = new Map<string, () => void>();
  const addEventListener = (name: string, listener: () => void) => void listeners.set(name, listener);
  const page = {
    ...{ addEventListener, location: window.location, document: { addEventListener, visibilityState: 'visible' } },
    setTimeout: (act: () => void, time: number) => window.setTimeout(act, time),
    clearTimeout: (timer: number) => window.clearTimeout(timer),
  } as unknown as Window;
  return { page, leave: () => listeners.get('pagehide')?.() };
}

async function opened() {
  const { page, leave } = windowOf();
  const look = createLook(() => linksOf);
  const store = createStore(openingProblem(), { look });
  const address = { flush: () => writeLink({ problem: store.problem.peek(), look: look.written.peek() }).hash };
  const persister = new Persister({
    ...{ store, look, page, id: null, fileOf: () => undefined },
    address: address as unknown as Address,
  });
  const put = (value: number) => {
    const opening = openingProblem();
    const problem = withDesc(opening, { ...layerOf(opening).desc, h: SIDE, w: SIDE });
    store.open({ ...problem, x: { ...problem.x, data: imageOf(value), edited: true } }, 'sizes');
  };
  await persister.flush();
  return { store, look, persister, put, leave };
}

/** The stored x of the only record; undefined: the record names a part that does not exist. */
const storedX = (): number | undefined => {
  const [page] = [...disk.pages.values()] as PersistedPage[];
  return (disk.parts.get(page?.inputs.x?.key ?? '') as Float32Array | undefined)?.[0];
};
const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

test('a failed part is stored again with the next change, and is reported until then', async () => {
  const { persister, look, put } = await opened();
  put(7);
  void persister.flush();
  await settled();
  look.openMode('dx');
  const second = persister.flush();
  await settled();
  await transaction(0).fail();
  expect(persister.refused.value).toEqual(['x']);
  await transaction(1).commit();
  expect(await second).toEqual([]);
  expect(storedX()).toBe(7);
});

test('the warning stays while the disk is full', async () => {
  const { persister, look, put } = await opened();
  const refused: (readonly string[])[] = [];
  persister.refused.subscribe((names) => refused.push(names));
  put(7);
  for (const [at, mode] of (['dx', 'dw', 'board'] as const).entries()) {
    look.openMode(mode);
    const flushed = persister.flush();
    await settled();
    await transaction(at).fail();
    await flushed;
  }
  expect(refused).toEqual([[], ['x'], ['x'], ['x']]);
  expect(disk.pages.size).toBe(0);
});

test('a page that is left while x is being stored names no part that fails', async () => {
  const { persister, look, put, leave } = await opened();
  put(7);
  void persister.flush();
  await settled();
  look.openMode('dx');
  leave();
  expect(disk.open).toHaveLength(2);
  await transaction(0).fail();
  await transaction(1).commit();
  expect(storedX()).toBe(7);
  expect(persister.refused.value).toEqual([]);
});

test('x is stored again if it was replaced and brought back while the page was left', async () => {
  const { persister, store, put, leave } = await opened();
  put(7);
  void persister.flush();
  await settled();
  await transaction(0).commit();
  put(8);
  void persister.flush();
  await settled();
  store.undo();
  leave();
  await transaction(1).commit();
  await transaction(2).commit();
  expect(storedX()).toBe(7);
  expect(disk.parts.size).toBe(1);
});

test('an unchanged x is stored once', async () => {
  const { persister, look, put } = await opened();
  put(7);
  void persister.flush();
  await settled();
  await transaction(0).commit();
  const [key] = disk.parts.keys();
  disk.parts.set(String(key), imageOf(9));
  look.openMode('dx');
  void persister.flush();
  await settled();
  await transaction(1).commit();
  expect(storedX()).toBe(9);
  expect(persister.refused.value).toEqual([]);
});
