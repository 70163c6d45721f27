// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { linksOf } from '../../../web/src/geometry/links';
import { type Address, createAddress } from '../../../web/src/link/address';
import { readLink } from '../../../web/src/link/read-link';
import { DEFAULT_LOOK } from '../../../web/src/look/look';
import { createLook, type LookStore } from '../../../web/src/look/look-store';
import { editMissingPicture, type Picture } from '../../../web/src/state/picture-edits';
import { createStore } from '../../../web/src/state/store';
import type { Store } from '../../../web/src/state/store-types';
import { setCell } from '../state/set-cell';

interface Opened {
  readonly store: Store;
  readonly look: LookStore;
  readonly address: Address;
}

let stop = () => {};

const FOURTH = '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

async function opened(hash = FOURTH): Promise<Opened> {
  window.location.hash = hash;
  const link = await readLink(hash);
  const look = createLook(() => linksOf, link.look);
  const store = createStore(link.problem, { places: look });
  const address = createAddress(store, look, link, window);
  stop = address.stop;
  return { store, look, address };
}

const visit = (hash: string) => {
  window.location.hash = hash;
  window.dispatchEvent(new HashChangeEvent('hashchange'));
};

const pause = async () => {
  await vi.advanceTimersByTimeAsync(500);
  await vi.dynamicImportSettled();
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('the address', () => {
  test('is written once changes pause, of the problem and of the look', async () => {
    const { store, look, address } = await opened();
    await pause();
    const before = window.location.hash;
    store.setDesc({ h: 8 });
    store.setDesc({ h: 9 });
    expect(window.location.hash).toBe(before);
    await pause();
    expect(window.location.hash).toContain('h=9&w=7');
    look.mode.value = 'dx';
    look.choose('dx', { t: 3 });
    look.hover({ tensor: 'x', index: 3 });
    await pause();
    expect(window.location.hash).toMatch(/&mode=dx&dx\.t=3$/);
    address.stop();
    store.setDesc({ h: 5 });
    await pause();
    expect(window.location.hash).toContain('h=9');
  });

  test('is written at once for who asks for the link', async () => {
    const { store, address } = await opened();
    store.setDesc({ h: 9 });
    const { hash, omitted } = await address.write();
    expect(omitted).toEqual([]);
    expect(window.location.hash).toBe(`#${hash}`);
    expect(hash).toContain('h=9');
  });

  test('that the user opens replaces problem and look, as one edit', async () => {
    const { store, look, address } = await opened();
    look.mode.value = 'dw';
    look.choose('dw', { way: 'grouped' });
    visit('h=5&kh=2&mode=lowering&nonsense');
    await vi.waitFor(() => expect(store.problem.value.desc).toMatchObject({ h: 5, kh: 2 }));
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'lowering' });
    expect(address.complaints.value).toHaveLength(1);
    store.undo();
    expect(store.problem.value.desc.h).toBe(7);
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'dw', settings: { dw: { way: 'grouped' } } });
    store.redo();
    expect(look.mode.value).toBe('lowering');
  });

  test('of an example leaves the look alone but for what it says', async () => {
    const { store, look, address } = await opened();
    look.mode.value = 'dw';
    look.transfer.value = 'root';
    await address.open('h=5&kh=2', 'example');
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'dw', transfer: 'root' });
    look.mode.value = 'dy';
    store.undo();
    expect(look.mode.value).toBe('dy');
    await address.open('h=5&kh=2&mode=steps', 'example');
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'steps', transfer: 'root' });
    store.undo();
    expect(look.mode.value).toBe('dy');
  });

  test('that is opened last wins, however long the first takes', async () => {
    const { store, address } = await opened();
    const [first, second] = [address.open('h=16&x=sample:portrait'), address.open('')];
    expect(await Promise.all([first, second])).toEqual([false, true]);
    expect(store.problem.value.desc.h).toBe(5);
  });
});

const fill = (store: Store, picture: Picture) =>
  store.accept(editMissingPicture(store.problem.value, picture), { field: 'x', text: picture.source.name }, 'values');

describe('what a link could not carry', () => {
  test('is told until something has taken its place', async () => {
    const { store, address } = await opened('h=64&w=60&c=3&k=3&groups=3&kh=3&stride=2&padding=same&x=file:cat.png');
    expect(address.missing.value).toEqual([{ input: 'x', picture: 'cat.png' }]);
    store.setDesc({ stride_h: 1 });
    setCell(store, 'w', 0, 5);
    expect(address.missing.value).toHaveLength(1);
    const data = new Float32Array(64 * 60 * 3).fill(0.25);
    fill(store, { h: 64, w: 60, channels: 3, source: { kind: 'file', name: 'cat.png', data } });
    expect(address.missing.value).toEqual([]);
    // The rest is the link's, not what opening a picture would make.
    expect(store.problem.value).toMatchObject({ desc: { stride_h: 1, stride_w: 2 }, x: { data } });
    expect(store.problem.value.w.data[0]).toBe(5);
    store.undo();
    expect(address.missing.value).toHaveLength(1);
  });

  test('is not filled by a picture of another size', async () => {
    const { store, address } = await opened('h=64&w=60&c=3&k=3&groups=3&kh=3&padding=same&x=file:cat.png');
    const source = { kind: 'file', name: 'dog.png', data: new Float32Array(8 * 8 * 3) } as const;
    fill(store, { h: 8, w: 8, channels: 3, source });
    expect(store.draft.value?.error.message).toBe('x is 64 × 60 with 3 channels, the picture 8 × 8 with 3');
    expect(address.missing.value).toHaveLength(1);
  });

  test('goes when it is dismissed', async () => {
    const { address } = await opened('v=1&h=64&x=nonsense');
    expect(address.missing.value).toEqual([{ input: 'dy', picture: null }]);
    expect(address.complaints.value).toHaveLength(1);
    address.dismiss();
    expect([address.missing.value, address.complaints.value]).toEqual([[], []]);
  });
});
