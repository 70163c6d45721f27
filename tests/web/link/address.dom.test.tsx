import { describe, expect, test, vi } from 'vitest';
import { packLink } from '../../../web/src/link/compress';
import { DEFAULT_LOOK } from '../../../web/src/look/look';
import type { Store } from '../../../web/src/state/store';
import { editMissingImage, type ImageInput } from '../../../web/src/state/value-edits';
import { setCell } from '../state/set-cell';
import { layerOf, partsOf } from '../support/problems';
import { addressTests, opened, pause, visit } from './opened-address';

addressTests();

describe('the address', () => {
  test('is written after changes of problem or look pause', async () => {
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

  test('is written at once on request', async () => {
    const { store, address } = await opened();
    store.setDesc({ h: 9 });
    const link = await packLink(address.seen());
    await address.show(link);
    expect(link.omitted).toEqual([]);
    expect(window.location.hash).toBe(`#${link.hash}`);
    expect(link.hash).toContain('h=9');
  });

  test('keeps the values of a link that the page would leave out, until the state changes', async () => {
    const { store, address } = await opened('#h=50&kh=1&x=ones');
    setCell(store, 'x', 7, 42);
    const { hash } = await packLink(address.seen());
    expect(hash).toMatch(/x=ones~i8z\./);
    const { x } = store.problem.value;
    visit(hash);
    await vi.waitFor(() => expect(store.problem.value.x).not.toBe(x));
    await pause();
    expect(window.location.hash).toBe(`#${hash}`);
    const before = window.history.length;
    // The address leaves these values out, before and after, although they differ.
    setCell(store, 'x', 8, 43);
    await pause();
    expect(window.location.hash).toContain('x=ones~omitted');
    expect(window.history.length).toBe(before + 1);
    window.history.back();
    await vi.waitFor(() => expect(store.problem.value.x.data.slice(7, 9)).toEqual(Float32Array.of(42, 1)));
    await address.show(await packLink(address.seen()));
    await pause();
    expect(window.location.hash).toBe(`#${hash}`);
  });

  test('replaces problem and look, as one edit, when the user opens it', async () => {
    const { store, look, address } = await opened();
    look.mode.value = 'dw';
    look.choose('dw', { way: 'grouped' });
    visit('h=5&kh=2&mode=lowering&nonsense');
    await vi.waitFor(() => expect(layerOf(store.problem.value).desc).toMatchObject({ h: 5, kh: 2 }));
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'lowering' });
    expect(address.complaints.value).toHaveLength(1);
    store.undo();
    expect(layerOf(store.problem.value).desc.h).toBe(7);
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'dw', settings: { dw: { way: 'grouped' } } });
    store.redo();
    expect(look.mode.value).toBe('lowering');
  });

  test('of an example changes only the parts of the look that it sets', async () => {
    const { store, look, address } = await opened();
    look.mode.value = 'dw';
    look.transfer.value = 'root';
    await address.open('h=5&kh=2', 'example');
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'dw', transfer: 'root' });
    look.mode.value = 'matrix';
    store.undo();
    expect(look.mode.value).toBe('matrix');
    await address.open('h=5&kh=2&mode=geometry', 'example');
    expect(look.written.value).toEqual({ ...DEFAULT_LOOK, mode: 'geometry', transfer: 'root' });
    store.undo();
    expect(look.mode.value).toBe('matrix');
  });

  test('of a link that is superseded by an edit is that of the edit, and the link can still be opened', async () => {
    const { store, address } = await opened();
    await pause();
    visit('h=16&x=sample:portrait');
    store.setDesc({ h: 9 });
    await vi.waitFor(() => expect(address.complaints.value[0]).toMatch(/not opened: the page changed/));
    expect(layerOf(store.problem.value).desc.h).toBe(9);
    await vi.waitFor(() => expect(window.location.hash).toContain('h=9'));
    const { hash = '', kind } = address.faulty.value ?? {};
    expect(await address.open(hash, kind)).toBe(true);
    expect(store.problem.value).toMatchObject({ input: { h: 16 }, x: { source: { kind: 'sample' } } });
    expect(address.faulty.value).toBeNull();
  });

  test('of an example that is superseded by an edit is not opened either', async () => {
    const { store, address } = await opened();
    const example = address.open('h=16&x=sample:portrait', 'example');
    store.setDesc({ h: 9 });
    expect(await example).toBe(false);
    expect(layerOf(store.problem.value).desc.h).toBe(9);
    expect(address.complaints.value[0]).toMatch(/not opened: the page changed/);
  });

  test('of a link that is superseded by an image is written when the image is there', async () => {
    const { store, address } = await opened();
    await pause();
    visit('h=16&x=sample:portrait');
    const later = store.begin();
    await pause();
    expect(later()).toBeNull();
    expect(address.complaints.value).toEqual([]);
    store.setDesc({ h: 9 });
    await pause();
    expect(window.location.hash).toContain('h=9');
  });

  test('is that of the last opened link, however long the first one takes', async () => {
    const { store, address } = await opened();
    const [first, second] = [address.open('h=16&x=sample:portrait'), address.open('')];
    expect(await Promise.all([first, second])).toEqual([false, true]);
    expect(layerOf(store.problem.value).desc.h).toBe(5);
  });
});

describe('Back and Forward', () => {
  const entries = () => window.history.length;

  test('move between chosen looks: edits, cells and settings stay in the entry of their look', async () => {
    const { store, look } = await opened();
    await pause();
    const before = entries();
    for (const h of [8, 9, 10]) {
      store.setDesc({ h });
      look.choose('board', { t: h });
      look.setFocus({ n: 0, c: 0, k: 0 });
      await pause();
    }
    expect(entries()).toBe(before);
    look.mode.value = 'dx';
    await pause();
    look.choose('dx', { t: 3 });
    await pause();
    expect(entries()).toBe(before + 1);
    expect(window.location.hash).toContain('mode=dx&board.t=10&dx.t=3');
    window.history.back();
    await vi.waitFor(() => expect(look.mode.value).toBe('board'));
    await pause();
    expect(layerOf(store.problem.value).desc.h).toBe(10);
    expect(entries()).toBe(before + 1);
    window.history.forward();
    await vi.waitFor(() =>
      expect(look.written.value).toMatchObject({ mode: 'dx', settings: { board: { t: 10 }, dx: { t: 3 } } }),
    );
    await pause();
    expect(entries()).toBe(before + 1);
    // The state before Back is undone like any link.
    store.undo();
    expect(look.mode.value).toBe('board');
  });

  test('move to the state at the time of the choice, with the last edit', async () => {
    const { store, look } = await opened();
    await pause();
    store.setDesc({ h: 9 });
    await vi.advanceTimersByTimeAsync(100);
    look.mode.value = 'dw';
    await vi.advanceTimersByTimeAsync(100);
    store.setDesc({ h: 11 });
    await pause();
    expect(window.location.hash).toContain('h=11');
    window.history.back();
    await vi.waitFor(() => expect(look.mode.value).toBe('board'));
    expect(layerOf(store.problem.value).desc.h).toBe(9);
  });

  test('have no entry for a mode that was only passed, nor for a return to the same mode', async () => {
    const { look } = await opened();
    await pause();
    const before = entries();
    for (const mode of ['dx', 'dw', 'lowering'] as const) look.mode.value = mode;
    await pause();
    expect(entries()).toBe(before + 1);
    look.mode.value = 'dw';
    look.mode.value = 'lowering';
    await pause();
    expect(entries()).toBe(before + 1);
  });

  test('have an entry for an example, a lesson step and a link', async () => {
    const { address, look, store } = await opened();
    await pause();
    const before = entries();
    await address.open('h=6&kh=2', 'example');
    await pause();
    expect(entries()).toBe(before + 1);
    look.lesson.value = 'padding.1';
    await pause();
    expect(entries()).toBe(before + 2);
    await address.open('h=8&kh=2&lesson=padding.1');
    await pause();
    expect(entries()).toBe(before + 3);
    window.history.back();
    await vi.waitFor(() => expect(layerOf(store.problem.value).desc.h).toBe(6));
    expect(look.lesson.value).toBe('padding.1');
    await pause();
    window.history.back();
    await vi.waitFor(() => expect(look.lesson.value).toBeNull());
    expect(entries()).toBe(before + 3);
  });

  test('restore values that a link leaves out', async () => {
    const { store, look } = await opened('#h=50&kh=1&x=ones');
    await pause();
    setCell(store, 'x', 7, 42);
    await pause();
    look.mode.value = 'dx';
    await pause();
    setCell(store, 'x', 7, 43);
    await pause();
    expect(window.location.hash).toContain('x=ones~omitted');
    window.history.back();
    await vi.waitFor(() => expect(look.mode.value).toBe('board'));
    expect(store.problem.value.x.data[7]).toBe(42);
    await pause();
    window.history.forward();
    await vi.waitFor(() => expect(look.mode.value).toBe('dx'));
    expect(store.problem.value.x.data[7]).toBe(43);
    store.undo();
    expect(store.problem.value.x.data[7]).toBe(42);
  });
});

describe('a changed link', () => {
  test('is undone edit by edit to the link, and then to the state before it', async () => {
    const { store, look } = await opened();
    await pause();
    visit('h=5&kh=2&mode=dx&cell=y.3');
    await vi.waitFor(() => expect(layerOf(store.problem.value).desc.h).toBe(5));
    const [problem, seen] = [store.problem.value, look.written.value];
    setCell(store, 'x', 0, 9);
    store.setDesc({ h: 6 });
    store.undo();
    store.undo();
    expect(store.problem.value).toBe(problem);
    expect(look.written.value).toEqual(seen);
    store.undo();
    expect(layerOf(store.problem.value).desc.h).toBe(7);
    expect(store.canUndo.value).toBe(false);
  });
});

const fill = (store: Store, image: ImageInput) =>
  store.accept(editMissingImage(store.problem.value, image), { field: 'x', text: image.source.name }, 'values');

describe('inputs that a link does not contain', () => {
  test('are reported until they are replaced', async () => {
    const { store, address } = await opened('h=64&w=60&c=3&k=3&groups=3&kh=3&stride=2&padding=same&x=file:cat.png');
    expect(address.missing.value).toEqual([{ input: 'x', image: 'cat.png' }]);
    store.setDesc({ stride_h: 1 });
    setCell(store, 'w', 0, 5);
    expect(address.missing.value).toHaveLength(1);
    const data = new Float32Array(64 * 60 * 3).fill(0.25);
    fill(store, { h: 64, w: 60, channels: 3, source: { kind: 'file', name: 'cat.png', data } });
    expect(address.missing.value).toEqual([]);
    // The rest is that of the link, unlike for an opened image.
    expect(partsOf(store.problem.value)).toMatchObject({ desc: { stride_h: 1, stride_w: 2 }, x: { data } });
    expect(layerOf(store.problem.value).w.data[0]).toBe(5);
    store.undo();
    expect(address.missing.value).toHaveLength(1);
  });

  test('are not replaced by an image of another size', async () => {
    const { store, address } = await opened('h=64&w=60&c=3&k=3&groups=3&kh=3&padding=same&x=file:cat.png');
    const source = { kind: 'file', name: 'dog.png', data: new Float32Array(8 * 8 * 3) } as const;
    fill(store, { h: 8, w: 8, channels: 3, source });
    expect(store.draft.value?.error.message).toBe('x is 64 × 60 with 3 channels, but the image is 8 × 8 with 3');
    expect(address.missing.value).toHaveLength(1);
  });

  test('are no longer reported after a dismissal', async () => {
    const { address } = await opened('v=1&h=64&x=nonsense');
    expect(address.missing.value).toEqual([{ input: 'dy', image: null }]);
    expect(address.complaints.value).toHaveLength(1);
    address.dismiss();
    expect([address.missing.value, address.complaints.value]).toEqual([[], []]);
  });
});
