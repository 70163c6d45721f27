import { effect } from '@preact/signals';
import { describe, expect, test } from 'vitest';
import { linksOf } from '../../../web/src/geometry/links';
import { DEFAULT_LOOK, type Look } from '../../../web/src/look/look';
import { createLook, type LookStore } from '../../../web/src/look/look-store';
import type { Cell, ConvDesc, Geometry } from '../../../web/src/protocol/problem';
import { createStore, type Store } from '../../../web/src/state/store';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { FakeLibrary } from '../state/fake-compute';
import { setCell } from '../state/set-cell';
import { notebook4 } from '../support/notebook4';

const geometry = (patch: Partial<ConvDesc> = {}): Geometry => geometryOf(descOf(patch));
const x = (index: number): Cell => ({ tensor: 'x', index });
const y = (index: number): Cell => ({ tensor: 'y', index });

function looking(patch: Partial<ConvDesc> = {}): LookStore {
  const look = createLook(() => linksOf);
  look.setGeometry(geometry(patch));
  return look;
}

describe('the look', () => {
  test('notifies only the readers of the field that changes', () => {
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
    look.setGeometry(geometry());
    expect(seen).toEqual(['dx settings']);
    look.togglePin(x(3));
    expect(seen).toEqual(['dx settings', 'pinned']);
  });

  test('keeps the options of a mode by name until they are reset', () => {
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

  test('previews a hovered cell and keeps a pinned one', () => {
    const look = looking();
    look.togglePin(y(2));
    look.hover(x(1));
    expect(look.highlights.value).toMatchObject({ cell: x(1), pinned: false });
    look.hover(null);
    expect(look.highlights.value).toMatchObject({ cell: y(2), pinned: true });
    look.togglePin(y(2));
    expect(look.highlights.value).toBeNull();
  });

  test('moves a pinned cell with the keyboard', () => {
    const look = looking();
    look.move(y(1));
    expect(look.pinned.value).toBeNull();
    look.togglePin(y(1));
    look.move(y(2));
    expect(look.pinned.value).toEqual(y(2));
  });

  test('keeps a cell at its position in other sizes, and unpins a cell that no longer exists', () => {
    const look = looking();
    // (1, 2) of 7 columns is cell 9, of 5 columns cell 7.
    look.togglePin(x(9));
    look.setGeometry(geometry({ w: 5 }));
    expect(look.pinned.value).toEqual(x(7));
    look.setGeometry(geometry({ w: 2, kw: 1 }));
    expect(look.pinned.value).toBeNull();
  });

  test('clamps the slice to the valid ones', () => {
    const look = looking({ c: 4, k: 2 });
    look.setFocus({ n: 0, c: 3, k: 1 });
    look.setGeometry(geometry({ c: 2, k: 2 }));
    expect(look.focus.value).toEqual({ n: 0, c: 1, k: 1 });
    look.setFocus({ n: 9, c: 9, k: 9 });
    expect(look.focus.value).toEqual({ n: 0, c: 1, k: 1 });
  });

  test('drops the value of a cell when the values change', () => {
    const look = looking();
    look.togglePin({ tensor: 'x_col', index: 3, value: 42 });
    expect(look.written.value.pinned).toEqual({ tensor: 'x_col', index: 3 });
    look.setGeometry(geometry());
    expect(look.pinned.value).toEqual({ tensor: 'x_col', index: 3 });
  });
});

test('a link with questions of a teacher locks their problem, undo and the examples', () => {
  const look = looking();
  expect(look.locked.value).toEqual([]);
  look.questions.value = [{ cell: y(3), sentence: '' }];
  expect(look.locked.value).toEqual(expect.arrayContaining(['stride', 'x', 'undo', 'examples']));
  expect(look.locked.value).not.toContain('mode.dx');
  expect(look.written.value.locked).toEqual([]);
});

describe('a look that is opened', () => {
  const OTHER: Look = {
    mode: 'dx',
    layer: 2,
    settings: { dx: { way: 'gather', t: 5 }, board: { same: true } },
    pinned: y(80),
    focus: { n: 0, c: 2, k: 1 },
    transfer: 'root',
    side: 'algorithms',
    lesson: 'padding.2',
    answers: '41_-7h',
    student: 'Ada',
    seed: '7.each',
    date: '2026-03-01T12:00Z',
    digest: '0123456789abcdef',
    questions: [{ cell: y(3), sentence: 'Find it' }],
    lecture: 'words',
    code: 'numpy.dw.y',
    controls: 'folded',
    hiddenCells: [{ tensor: 'y', index: 3 }],
    locked: ['stride'],
    hiddenParts: ['mode.learn'],
  };

  test('replaces all fields and is written back', () => {
    const look = looking();
    look.choose('dw', { way: 'grouped' });
    look.hover(x(3));
    look.open(OTHER);
    expect(look.written.value).toEqual(OTHER);
    expect(look.hovered.value).toBeNull();
  });

  test('has no current cell before its own result', () => {
    const look = looking();
    look.open(OTHER);
    // y[80] of the opened problem: the shown result has 16 cells.
    expect(look.current.value).toBeNull();
    expect(look.highlights.value).toBeNull();
    expect(look.focus.value).toEqual({ n: 0, c: 0, k: 0 });
    look.setGeometry(geometry({ h: 20, w: 20, c: 3, k: 2 }));
    expect(look.highlights.value).toMatchObject({ cell: y(80), pinned: true });
    expect(look.focus.value).toEqual({ n: 0, c: 2, k: 1 });
  });

  test('unpins a cell that its result does not have', () => {
    const look = looking();
    look.open(OTHER);
    look.setGeometry(geometry());
    expect(look.pinned.value).toBeNull();
  });
});

describe('a suggested cell', () => {
  const shown = (look: LookStore) => look.highlights.value && [look.current.value, look.highlights.value.pinned];

  test('is current but not pinned and in no link, until a cell is pinned; hovering only covers it', () => {
    const look = createLook(() => linksOf);
    look.suggest(y(5));
    expect(shown(look)).toBeNull();
    look.setGeometry(geometry());
    expect(shown(look)).toEqual([y(5), false]);
    expect(look.written.value).toEqual(DEFAULT_LOOK);
    look.hover(x(3));
    expect(shown(look)).toEqual([x(3), false]);
    look.hover(null);
    expect(shown(look)).toEqual([y(5), false]);
    look.togglePin(x(3));
    look.togglePin(x(3));
    expect(shown(look)).toBeNull();
  });

  test('stays at its position in another size, or disappears with it', () => {
    const look = createLook(() => linksOf);
    look.suggest(y(5));
    look.setGeometry(geometry());
    // (1, 1) of 4 x 4 is cell 5, of 7 x 7 cell 8.
    look.setGeometry(geometry({ stride_h: 1, stride_w: 1 }));
    expect(shown(look)).toEqual([y(8), false]);
    look.setGeometry(geometry({ h: 1 }));
    expect(shown(look)).toBeNull();
  });

  test('is removed by a link', () => {
    const look = createLook(() => linksOf);
    look.suggest(y(5));
    look.setGeometry(geometry());
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
    const store = createStore(notebook4(), { look });
    const library = new FakeLibrary();
    store.connect(library.compute);
    let last: Geometry | null = null;
    const answer = async () => {
      await library.answer();
      const now = store.shown.value?.geometry ?? null;
      // As on the page: equal sizes are the same object.
      if (JSON.stringify(now) !== JSON.stringify(last)) last = now;
      look.setGeometry(last);
    };
    await answer();
    store.setDesc(patch);
    await answer();
    return { look, store, answer };
  }

  test('of a cell returns to its slice, in both directions', async () => {
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

  test('of the pinned cell pins it again; of another cell it keeps the pin', async () => {
    const { look, store, answer } = await working();
    look.togglePin(x(3));
    setCell(store, 'x', 3, 9);
    await answer();
    setCell(store, 'w', 0, 5);
    await answer();
    look.togglePin(y(1));
    store.undo();
    expect(look.pinned.value).toEqual(y(1));
    store.undo();
    expect(look.pinned.value).toEqual(x(3));
    expect(look.highlights.value).toMatchObject({ cell: x(3), pinned: true });
  });

  test('of sizes restores a cell and a slice that they removed', async () => {
    const { look, store, answer } = await working({ c: 3 });
    look.setFocus({ n: 0, c: 2, k: 0 });
    look.togglePin(x(3 * 48 + 2));
    store.setDesc({ h: 3, c: 1 });
    await answer();
    expect(look.pinned.value).toBeNull();
    expect(look.focus.value.c).toBe(0);
    store.undo();
    // The small result is still shown: it has no such cell.
    expect(look.highlights.value).toBeNull();
    expect(look.focus.value.c).toBe(0);
    await answer();
    expect(look.highlights.value).toMatchObject({ cell: x(3 * 48 + 2), pinned: true });
    expect(look.focus.value.c).toBe(2);
  });

  test('of sizes keeps the cell that is pinned now', async () => {
    const { look, store, answer } = await working();
    look.togglePin(x(3));
    store.setDesc({ h: 9 });
    await answer();
    look.togglePin(y(1));
    store.undo();
    await answer();
    expect(look.pinned.value).toEqual(y(1));
  });

  test('of all values of a tensor changes no look, and a look alone is no step', async () => {
    const { look, store, answer } = await working({ c: 3 });
    store.setSource('w', { kind: 'impulse' });
    await answer();
    look.setFocus({ n: 0, c: 2, k: 0 });
    look.mode.value = 'dw';
    look.choose('dw', { way: 'grouped' });
    look.togglePin(y(1));
    const before = look.written.value;
    store.undo();
    expect(look.written.value).toEqual(before);
    store.undo();
    expect(store.canUndo.value).toBe(false);
    expect(look.mode.value).toBe('dw');
  });

  test('of a link restores the whole look, and redo restores that of the link', async () => {
    const { look, store, answer } = await working();
    look.mode.value = 'dx';
    look.choose('dx', { way: 'gather' });
    look.togglePin(y(1));
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
