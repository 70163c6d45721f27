import { describe, expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import type { ConvDesc } from '../../../web/src/protocol/problem';
import { arrayOf } from '../../../web/src/sources/loss';
import type { Problem } from '../../../web/src/state/problem';
import type { Store } from '../../../web/src/state/store';
import { editChannels, editImage, type ImageInput } from '../../../web/src/state/value-edits';
import { layerOf, partsOf } from '../support/problems';
import { opened, storeTests } from './opened-store';
import { setCell } from './set-cell';

storeTests();

const open = (store: Store, image: ImageInput) =>
  store.accept(editImage(store.problem.value, 0, image), { field: 'x', text: image.source.name }, 'sizes');

describe('undo', () => {
  test('undoes and redoes every kind of edit', async () => {
    const { store } = await opened();
    const seen = [store.problem.value];
    const edits = [
      () => setCell(store, 'x', 3, 9),
      () => store.setDesc({ stride_h: 1 }),
      () => store.setSource('b', { kind: 'constant', value: 2 }),
      () => store.setFilter('blur'),
      () => store.setLoss({ kind: 'given', dy: { kind: 'one_hot', index: 2 } }),
      () => store.setAlgorithm('forward', 'reference'),
      () => store.removeBias(),
      () => open(store, { h: 8, w: 9, channels: 3, source: { kind: 'sample', name: 'portrait' } }),
      () => store.open(parseLink('h=5&kh=2').problem, 'everything'),
      () => store.open(parseLink('').problem, 'sizes'),
    ];
    for (const edit of edits) {
      edit();
      expect(store.draft.value).toBeNull();
      seen.push(store.problem.value);
    }
    for (const problem of seen.slice(0, -1).reverse()) {
      store.undo();
      expect(store.problem.value).toBe(problem);
    }
    expect(store.canUndo.value).toBe(false);
    for (const problem of seen.slice(1)) {
      store.redo();
      expect(store.problem.value).toBe(problem);
    }
    expect(store.canRedo.value).toBe(false);
  });

  test('takes a slider drag as one step', async () => {
    const { store, tick } = await opened();
    const before = store.problem.value;
    for (const h of [8, 9, 10]) {
      store.setDesc({ h }, { gesture: 'h' });
      tick(100);
    }
    store.undo();
    expect(store.problem.value).toBe(before);
  });

  test('separates drags with a pause between them, and drags of different sliders', async () => {
    const { store, tick } = await opened();
    store.setDesc({ h: 8 }, { gesture: 'h' });
    store.setDesc({ w: 8 }, { gesture: 'w' });
    tick(1500);
    store.setDesc({ w: 9 }, { gesture: 'w' });
    store.undo();
    expect(layerOf(store.problem.value).desc).toMatchObject({ h: 8, w: 8 });
    store.undo();
    expect(layerOf(store.problem.value).desc).toMatchObject({ h: 8, w: 7 });
  });

  test('loses no values when a drag shrinks and grows a tensor', async () => {
    const { store } = await opened();
    setCell(store, 'x', 48, 99);
    for (const h of [5, 3, 7]) store.setDesc({ h }, { gesture: 'h' });
    expect(store.problem.value.x.data[48]).toBe(99);
  });

  test('drops redo after another edit', async () => {
    const { store } = await opened();
    setCell(store, 'x', 0, 1);
    store.undo();
    setCell(store, 'x', 0, 2);
    expect(store.canRedo.value).toBe(false);
  });
});

describe('dy', () => {
  test('edited by cell starts from the computed values', async () => {
    const { store, library } = await opened();
    store.setLoss({ kind: 'given', dy: { kind: 'random', seed: 4 } });
    const made = Float32Array.from({ length: 16 }, (_, i) => i - 8);
    const stats = { min: -8, max: 7, max_abs: 8, not_finite: 0 };
    await library.answer(1, { dy: { shape: [1, 4, 4, 1], data: made, stats } });
    setCell(store, 'dy', 2, 50);
    expect(store.problem.value.loss).toMatchObject({ dy: { kind: 'values', shape: [1, 4, 4, 1] } });
    expect(library.requests[2]?.loss).toMatchObject({ dy: { data: made.with(2, 50) } });
  });

  test('keeps painted cells at their positions when the output grows', async () => {
    const { store } = await opened();
    setCell(store, 'dy', 5, 7);
    store.setDesc({ stride_h: 1, stride_w: 1 });
    const dy = arrayOf(store.problem.value.loss);
    // (1, 1) of 4 x 4 is cell 5, of 7 x 7 cell 8.
    expect(dy?.[8]).toBe(7);
    expect(dy).toHaveLength(49);
  });

  test('keeps a one-hot cell at its position, and inside', async () => {
    const { store } = await opened();
    store.setLoss({ kind: 'given', dy: { kind: 'one_hot', index: 15 } });
    store.setDesc({ layout: 'nchw', k: 2 });
    // (3, 3) of filter 0.
    expect(store.problem.value.loss).toEqual({ kind: 'given', dy: { kind: 'one_hot', index: 15 } });
    store.setDesc({ h: 3 });
    expect(store.problem.value.loss).toEqual({ kind: 'given', dy: { kind: 'one_hot', index: 1 * 4 + 3 } });
  });

  test('of a target keeps the length of y', async () => {
    const { store } = await opened();
    store.setLoss({ kind: 'mse', target: new Float32Array(3) });
    expect(store.draft.value?.error.message).toBe('the target has 3 values, but y has 16');
    store.setLoss({ kind: 'mse', target: new Float32Array(16).fill(2) });
    store.setDesc({ h: 9 });
    expect([...(arrayOf(store.problem.value.loss)?.slice(14) ?? [])]).toEqual([2, 2, 0, 0, 0, 0]);
  });
});

test('turns an image into a depthwise problem with a meaningful gradient', async () => {
  const { store } = await opened();
  const data = Float32Array.from({ length: 60 }, (_, i) => i / 60);
  open(store, { h: 4, w: 5, channels: 3, source: { kind: 'file', name: 'cat.png', data } });
  const { desc, x, w, loss } = partsOf(store.problem.value);
  expect(desc).toMatchObject({ h: 4, w: 5, c: 3, k: 3, groups: 3, kh: 3, padding_mode: 'same' });
  expect(x.data).toBe(data);
  expect(w).toMatchObject({ shape: [3, 3, 1, 3], source: { kind: 'filter', name: 'sobel_x' } });
  expect(loss.kind).toBe('mse');
});

describe('the colors of an image', () => {
  const gray = { h: 4, w: 5, channels: 1, source: { kind: 'sample', name: 'portrait' } } as const;
  const rgb = { ...gray, channels: 3 } as const;
  const edited = (problem: Problem, image: ImageInput): Problem => {
    const next = editChannels(problem, 0, image);
    if ('error' in next) throw new Error(next.error.message);
    return next.problem;
  };
  const opened3 = async () => {
    const { store } = await opened();
    store.accept(editImage(store.problem.value, 0, rgb), { field: 'x', text: '' }, 'sizes');
    store.setDesc({ stride_h: 2, stride_w: 2 });
    return store;
  };

  test('change x, keep stride and padding, and give each color its filter again', async () => {
    const store = await opened3();
    const one = edited(store.problem.value, gray);
    expect(layerOf(one).desc).toMatchObject({ c: 1, k: 1, groups: 1, stride_h: 2, padding_mode: 'same' });
    expect(one.x.shape).toEqual([1, 4, 5, 1]);
    expect([...one.x.data]).not.toEqual([...store.problem.value.x.data.filter((_, i) => i % 3 === 0)]);
    expect(edited(one, rgb)).toEqual(store.problem.value);
  });

  test('keep the number of filters that see all colors', async () => {
    const store = await opened3();
    store.setDesc({ groups: 1, k: 6 });
    const one = edited(store.problem.value, gray);
    expect(layerOf(one).desc).toMatchObject({ c: 1, k: 6, groups: 1 });
    expect(layerOf(edited(one, rgb)).desc).toMatchObject({ c: 3, k: 6, groups: 1 });
  });
});

test('starts custom padding with the sides of the previous mode', async () => {
  const { store } = await opened('h=8&kh=3&stride=2&padding=same');
  store.setDesc({ padding_mode: 'explicit_sides' });
  expect(layerOf(store.problem.value).desc.padding).toEqual({ top: 0, bottom: 1, left: 0, right: 1 });
});

describe('an edit made in the previous result', () => {
  /** A problem with a result, and a larger one that is being computed. */
  async function between(patch: Partial<ConvDesc>) {
    const { store, library } = await opened();
    const geometry = store.shown.value?.geometry;
    if (!geometry) throw new Error('no picture');
    store.setDesc(patch);
    return { store, library, geometry };
  }

  test.each([
    ['x', 8, { w: 9 }, 1 * 9 + 1],
    ['x', 8, { layout: 'nchw', c: 2 }, 8],
    ['w', 4, { kw: 5 }, 1 * 5 + 1],
    ['w', 4, { k: 3 }, 4 * 3],
  ] as const)('of %s[%i] lands on the same position after %o', async (tensor, index, patch, expected) => {
    const { store, geometry } = await between(patch);
    const before = partsOf(store.problem.value)[tensor].data;
    store.setCells({ tensor, indices: [index], geometry }, 77);
    expect(partsOf(store.problem.value)[tensor].data).toEqual(before.with(expected, 77));
  });

  test('is refused with a reason if its position no longer exists', async () => {
    const { store, geometry } = await between({ w: 5 });
    const { x } = store.problem.value;
    store.setCells({ tensor: 'x', indices: [6], geometry }, 77);
    expect(store.problem.value.x).toBe(x);
    expect(store.draft.value?.error.message).toContain('the size of x has changed and the cell no longer exists');
  });

  test('of a dy that is being computed waits for it, and keeps its other cells', async () => {
    const { store, library, geometry } = await between({ stride_h: 1, stride_w: 1 });
    store.setCells({ tensor: 'dy', indices: [5], geometry }, 7);
    expect(store.problem.value.loss).toEqual({ kind: 'given', dy: { kind: 'ones' } });
    await library.answer();
    // (1, 1) of 4 x 4 is cell 5, of 7 x 7 cell 8.
    const expected = new Float32Array(49).fill(1).with(8, 7);
    expect(store.problem.value.loss).toEqual({
      kind: 'given',
      dy: { kind: 'values', shape: [1, 7, 7, 1], data: expected },
    });
  });

  test('of a dy of a loss does not use the values of another problem', async () => {
    const { store, library } = await opened();
    store.setLoss({ kind: 'mse', target: null });
    await library.answer();
    setCell(store, 'x', 0, 9);
    setCell(store, 'dy', 0, 5);
    const data = Float32Array.from({ length: 16 }, (_, i) => i);
    const stats = { min: 0, max: 15, max_abs: 15, not_finite: 0 };
    await library.answer(undefined, { dy: { shape: [1, 4, 4, 1], data, stats } });
    expect(store.problem.value.loss).toMatchObject({ dy: { data: data.with(0, 5) } });
    expect(store.problem.value.x.data[0]).toBe(9);
  });

  test('that waits is dropped with its problem', async () => {
    const { store, library, geometry } = await between({ stride_h: 1, stride_w: 1 });
    store.setCells({ tensor: 'dy', indices: [5], geometry }, 7);
    store.undo();
    await library.answer();
    expect(store.problem.value.loss).toEqual({ kind: 'given', dy: { kind: 'ones' } });
  });

  test('of the source of dy is refused if it names cells of another size', async () => {
    const { store, geometry } = await between({ stride_h: 1, stride_w: 1 });
    store.setLoss({ kind: 'given', dy: { kind: 'one_hot', index: 3 } }, { geometry });
    expect(store.problem.value.loss).toEqual({ kind: 'given', dy: { kind: 'ones' } });
    expect(store.draft.value?.error.message).toContain('the size of y has changed');
  });
});
