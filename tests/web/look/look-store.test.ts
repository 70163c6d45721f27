import { effect } from '@preact/signals';
import { describe, expect, test } from 'vitest';
import { linksOf } from '../../../web/src/geometry/links';
import { DEFAULT_LOOK, type Look } from '../../../web/src/look/look';
import { createLook, type LookStore } from '../../../web/src/look/look-store';
import type { Cell } from '../../../web/src/protocol/cell';
import type { ConvDesc, Geometry } from '../../../web/src/protocol/problem';
import { createStore } from '../../../web/src/state/store';
import type { Store } from '../../../web/src/state/store-types';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { FakeLibrary } from '../state/fake-compute';
import { setCell } from '../state/set-cell';
import { notebook4 } from '../support/notebook4';

const geometry = (patch: Partial<ConvDesc> = {}): Geometry => geometryOf(descOf(patch));
const x = (index: number): Cell => ({ tensor: 'x', index });
const y = (index: number): Cell => ({ tensor: 'y', index });

function looking(patch: Partial<ConvDesc> = {}): LookStore {
  const look = createLook(() => linksOf);
  look.follow(geometry(patch));
  return look;
}

describe('the look', () => {
  test('tells only those who read the field that changes', () => {
    const look = looking();
    const seen: string[] = [];
    const watch = (name: string, read: () => unknown) =>
      effect(() => {
        read();
        seen.push(name);
      });
    watch('mode', () => look.mode.value);
    watch('dx settings', () => look.settings.dx.value);
    watch('dw settings', () => look.settings.dw.value);
    watch('pinned', () => look.pinned.value);
    watch('focus', () => look.focus.value);
    watch('transfer', () => look.transfer.value);
    seen.length = 0;
    look.hover(x(3));
    expect(seen).toEqual([]);
    look.choose('dx', { way: 'gather' });
    expect(seen).toEqual(['dx settings']);
    look.follow(geometry());
    expect(seen).toEqual(['dx settings']);
    look.toggle(x(3));
    expect(seen).toEqual(['dx settings', 'pinned']);
  });

  test('keeps what was chosen in a mode, by name, until it is forgotten', () => {
    const look = looking();
    look.choose('dx', { way: 'gather', t: 5 });
    look.choose('dx', { t: 0 });
    look.mode.value = 'dw';
    expect(look.settings.dx.value).toEqual({ way: 'gather', t: 0 });
    look.choose('dx', { t: '' });
    expect(look.settings.dx.value).toEqual({ way: 'gather' });
    look.choose('dx', { way: '' });
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'dw' });
  });

  test('of a hovered cell is a preview of it, of a pinned one stays', () => {
    const look = looking();
    look.toggle(y(2));
    look.hover(x(1));
    expect(look.highlights.value).toMatchObject({ cell: x(1), pinned: false });
    look.hover(null);
    expect(look.highlights.value).toMatchObject({ cell: y(2), pinned: true });
    look.toggle(y(2));
    expect(look.highlights.value).toBeNull();
  });

  test('takes a pinned cell along when the keyboard moves', () => {
    const look = looking();
    look.move(y(1));
    expect(look.pinned.value).toBeNull();
    look.toggle(y(1));
    look.move(y(2));
    expect(look.pinned.value).toEqual(y(2));
  });

  test('follows a cell that keeps its place in other sizes, and lets one go that is gone', () => {
    const look = looking();
    // (1, 2) of 7 columns is cell 9, of 5 columns cell 7.
    look.toggle(x(9));
    look.follow(geometry({ w: 5 }));
    expect(look.pinned.value).toEqual(x(7));
    look.follow(geometry({ w: 2, kw: 1 }));
    expect(look.pinned.value).toBeNull();
  });

  test('has the slices that there are', () => {
    const look = looking({ c: 4, k: 2 });
    look.setFocus({ n: 0, c: 3, k: 1 });
    look.follow(geometry({ c: 2, k: 2 }));
    expect(look.focus.value).toEqual({ n: 0, c: 1, k: 1 });
    look.setFocus({ n: 9, c: 9, k: 9 });
    expect(look.focus.value).toEqual({ n: 0, c: 1, k: 1 });
  });

  test('forgets the numbers that a picture of a stage had in a cell when the numbers change', () => {
    const look = looking();
    look.toggle({ tensor: 'x_col', index: 3, value: 42 });
    expect(look.written.value.pinned).toEqual({ tensor: 'x_col', index: 3 });
    look.follow(geometry());
    expect(look.pinned.value).toEqual({ tensor: 'x_col', index: 3 });
  });
});

describe('a look that is opened', () => {
  const OTHER: Look = {
    mode: 'dx',
    settings: { dx: { way: 'gather', t: 5 }, dy: { same: true } },
    pinned: y(80),
    focus: { n: 0, c: 2, k: 1 },
    transfer: 'root',
    side: 'algorithms',
    lesson: 'padding.2',
    answers: '41_-7h',
    lecture: 'stage',
    code: 'numpy.dw.y',
    race: 'S1.y-dx',
    times: 'Chromium-140:8::::~lf:12',
    with: 'h=4&kh=2',
    controls: 'folded',
    masked: [{ tensor: 'y', index: 3 }],
    locked: ['stride'],
    absent: ['mode.learn'],
  };

  test('replaces all of it and can be written down again', () => {
    const look = looking();
    look.choose('dw', { way: 'grouped' });
    look.hover(x(3));
    look.open(OTHER);
    expect(look.written.value).toEqual(OTHER);
    expect(look.hovered.value).toBeNull();
  });

  test('speaks of no cell before its own picture is there', () => {
    const look = looking();
    look.open(OTHER);
    // y[80] of the opened problem: the picture on the screen has 16 cells.
    expect(look.current.value).toBeNull();
    expect(look.highlights.value).toBeNull();
    expect(look.focus.value).toEqual({ n: 0, c: 0, k: 0 });
    look.follow(geometry({ h: 20, w: 20, c: 3, k: 2 }));
    expect(look.highlights.value).toMatchObject({ cell: y(80), pinned: true });
    expect(look.focus.value).toEqual({ n: 0, c: 2, k: 1 });
  });

  test('lets a cell go that its picture does not have', () => {
    const look = looking();
    look.open(OTHER);
    look.follow(geometry());
    expect(look.pinned.value).toBeNull();
  });
});

describe('a suggested cell', () => {
  const shown = (look: LookStore) => look.highlights.value && [look.current.value, look.highlights.value.pinned];

  test('is spoken of, not pinned and in no link, until somebody pins one; pointing only covers it', () => {
    const look = createLook(() => linksOf);
    look.suggest(y(5));
    expect(shown(look)).toBeNull();
    look.follow(geometry());
    expect(shown(look)).toEqual([y(5), false]);
    expect(look.written.value).toEqual(DEFAULT_LOOK);
    look.hover(x(3));
    expect(shown(look)).toEqual([x(3), false]);
    look.hover(null);
    expect(shown(look)).toEqual([y(5), false]);
    look.toggle(x(3));
    look.toggle(x(3));
    expect(shown(look)).toBeNull();
  });

  test('stays at its place in another size, and goes with it', () => {
    const look = createLook(() => linksOf);
    look.suggest(y(5));
    look.follow(geometry());
    // (1, 1) of 4 x 4 is cell 5, of 7 x 7 cell 8.
    look.follow(geometry({ stride_h: 1, stride_w: 1 }));
    expect(shown(look)).toEqual([y(8), false]);
    look.follow(geometry({ h: 1 }));
    expect(shown(look)).toBeNull();
  });

  test('makes room for a link', () => {
    const look = createLook(() => linksOf);
    look.suggest(y(5));
    look.follow(geometry());
    look.open(DEFAULT_LOOK);
    expect(shown(look)).toBeNull();
  });
});

describe('undo', () => {
  async function working(patch: Partial<ConvDesc> = {}): Promise<{
    look: LookStore;
    store: Store;
    answer: () => Promise<void>;
  }> {
    const look = createLook(() => linksOf);
    const store = createStore(notebook4(), { places: look });
    const library = new FakeLibrary();
    store.connect(library.compute);
    let last: Geometry | null = null;
    const answer = async () => {
      await library.answer();
      const now = store.shown.value?.result.geometry ?? null;
      // As the page does: the same sizes are the same object.
      if (JSON.stringify(now) !== JSON.stringify(last)) last = now;
      look.follow(last);
    };
    await answer();
    store.setDesc(patch);
    await answer();
    return { look, store, answer };
  }

  test('of a cell goes back to its slice, both ways', async () => {
    const { look, store, answer } = await working({ c: 3, k: 2 });
    look.setFocus({ n: 0, c: 2, k: 1 });
    setCell(store, 'x', 2, 9);
    await answer();
    look.setFocus({ n: 0, c: 0, k: 0 });
    store.undo();
    expect(look.focus.value).toEqual({ n: 0, c: 2, k: 1 });
    look.setFocus({ n: 0, c: 0, k: 0 });
    store.redo();
    expect(look.focus.value).toEqual({ n: 0, c: 2, k: 1 });
  });

  test('of the pinned cell pins it again; of another one leaves the pin alone', async () => {
    const { look, store, answer } = await working();
    look.toggle(x(3));
    setCell(store, 'x', 3, 9);
    await answer();
    setCell(store, 'w', 0, 5);
    await answer();
    look.toggle(y(1));
    store.undo();
    expect(look.pinned.value).toEqual(y(1));
    store.undo();
    expect(look.pinned.value).toEqual(x(3));
    expect(look.highlights.value).toMatchObject({ cell: x(3), pinned: true });
  });

  test('of sizes brings a cell and a slice back that they cut off', async () => {
    const { look, store, answer } = await working({ c: 3 });
    look.setFocus({ n: 0, c: 2, k: 0 });
    look.toggle(x(3 * 48 + 2));
    store.setDesc({ h: 3, c: 1 });
    await answer();
    expect(look.pinned.value).toBeNull();
    expect(look.focus.value.c).toBe(0);
    store.undo();
    // The small picture is still there: it has no such cell.
    expect(look.highlights.value).toBeNull();
    expect(look.focus.value.c).toBe(0);
    await answer();
    expect(look.highlights.value).toMatchObject({ cell: x(3 * 48 + 2), pinned: true });
    expect(look.focus.value.c).toBe(2);
  });

  test('of sizes leaves a cell pinned that one watches now', async () => {
    const { look, store, answer } = await working();
    look.toggle(x(3));
    store.setDesc({ h: 9 });
    await answer();
    look.toggle(y(1));
    store.undo();
    await answer();
    expect(look.pinned.value).toEqual(y(1));
  });

  test('of all values of a tensor moves nothing, and the look alone makes no step', async () => {
    const { look, store, answer } = await working({ c: 3 });
    store.setSource('w', { kind: 'impulse' });
    await answer();
    look.setFocus({ n: 0, c: 2, k: 0 });
    look.mode.value = 'dw';
    look.choose('dw', { way: 'grouped' });
    look.toggle(y(1));
    const before = look.written.value;
    store.undo();
    expect(look.written.value).toEqual(before);
    store.undo();
    expect(store.canUndo.value).toBe(false);
    expect(look.mode.value).toBe('dw');
  });

  test('of a link brings the whole look back, and redo the link’s', async () => {
    const { look, store, answer } = await working();
    look.mode.value = 'dx';
    look.choose('dx', { way: 'gather' });
    look.toggle(y(1));
    const before = look.written.value;
    store.open({ ...store.problem.value }, 'everything');
    look.open({ ...DEFAULT_LOOK, mode: 'lowering', transfer: 'root' });
    await answer();
    store.undo();
    expect(look.written.value).toEqual(before);
    await answer();
    expect(look.highlights.value).toMatchObject({ cell: y(1) });
    store.redo();
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'lowering', transfer: 'root' });
  });
});
