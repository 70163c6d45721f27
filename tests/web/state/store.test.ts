import { beforeAll, describe, expect, test, vi } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import type { ConvError } from '../../../web/src/protocol/errors';
import type { ConvDesc } from '../../../web/src/protocol/problem';
import { loadSamples } from '../../../web/src/sources/pictures';
import { editColours, editPicture, type Picture } from '../../../web/src/state/picture-edits';
import type { Problem } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import type { Store } from '../../../web/src/state/store-types';
import { FakeLibrary } from './fake-compute';
import { setCell } from './set-cell';

beforeAll(loadSamples);

const FOURTH = 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

async function opened(hash = FOURTH): Promise<{ store: Store; library: FakeLibrary; tick: (ms: number) => void }> {
  let time = 0;
  const store = createStore(parseLink(hash).problem, { now: () => time });
  const library = new FakeLibrary();
  store.connect(library.compute);
  await library.answer();
  return {
    store,
    library,
    tick: (ms) => {
      time += ms;
    },
  };
}

const open = (store: Store, picture: Picture) =>
  store.accept(editPicture(store.problem.value, picture), { field: 'x', text: picture.source.name }, 'sizes');

const OVERFLOW: ConvError = { code: 'overflow', field: 'y', message: 'y is too large' };

describe('a result', () => {
  test('is shown together with the inputs that it was made of', async () => {
    const { store, library } = await opened();
    setCell(store, 'x', 0, 5);
    expect(store.problem.value.x.data[0]).toBe(5);
    expect(store.progress.value.status).toBe('computing');
    // The picture is still the old one, of the old inputs.
    expect(store.shown.value?.problem.x.data[0]).toBe(0);
    await library.answer();
    expect(store.shown.value?.problem).toBe(store.problem.value);
    expect(store.progress.value.status).toBe('ready');
  });

  test('that comes late is ignored', async () => {
    const { store, library } = await opened();
    setCell(store, 'x', 0, 5);
    setCell(store, 'x', 0, 6);
    await library.answer(2);
    await library.answer(1);
    expect(store.shown.value?.problem.x.data[0]).toBe(6);
  });

  test('of a disconnected library is ignored', async () => {
    const store = createStore(parseLink(FOURTH).problem);
    const library = new FakeLibrary();
    const stop = store.connect(library.compute);
    stop();
    await library.answer();
    expect(store.shown.value).toBeNull();
    setCell(store, 'x', 0, 1);
    expect(library.requests).toHaveLength(1);
  });

  test('is asked for with the very arrays of the problem, so that unchanged ones need not travel again', async () => {
    const { store, library } = await opened();
    setCell(store, 'w', 0, 5);
    expect(library.requests[1]?.x).toBe(library.requests[0]?.x);
    expect(library.requests[1]?.w).not.toBe(library.requests[0]?.w);
  });
});

describe('an invalid edit', () => {
  test('becomes a draft beside its control, and the last valid problem stays', async () => {
    const { store, library } = await opened();
    const before = store.problem.value;
    store.setDesc({ kh: 10 });
    expect(store.draft.value).toMatchObject({ field: 'kh', text: '10', error: { code: 'kernel_too_large' } });
    expect(store.problem.value).toBe(before);
    expect(library.requests).toHaveLength(1);
    expect(store.canUndo.value).toBe(false);
    store.setDesc({ kh: 4 });
    expect(store.draft.value).toBeNull();
    expect(store.problem.value.desc.kh).toBe(4);
  });

  test('is shown beside the control that made it, not beside the field that no longer fits', async () => {
    const { store } = await opened();
    store.setDesc({ padding: { top: 0, bottom: 0, left: 0, right: 0 } });
    store.setDesc({ h: 2 });
    expect(store.draft.value).toMatchObject({ field: 'h', text: '2', error: { field: 'kh' } });
  });

  test('is forgotten when the value in force is entered again, or on request', async () => {
    const { store, library } = await opened();
    store.setDesc({ kh: 10 });
    store.setDesc({ kh: 3 });
    expect(store.draft.value).toBeNull();
    store.setDesc({ kh: 10 });
    store.dismissDraft();
    expect(store.draft.value).toBeNull();
    expect(library.requests).toHaveLength(1);
  });

  test('names the side of a padding', async () => {
    const { store } = await opened();
    store.setDesc({ padding: { ...store.problem.value.desc.padding, left: -1 } });
    expect(store.draft.value).toMatchObject({ field: 'padding.left', text: '-1', error: { code: 'invalid_padding' } });
  });

  test('that only the library can judge is taken back with its reason', async () => {
    const { store, library } = await opened();
    const valid = store.problem.value;
    store.setDesc({ k: 7 });
    await library.refuse(OVERFLOW);
    expect(store.problem.value).toBe(valid);
    expect(store.shown.value?.problem).toBe(valid);
    expect(store.draft.value).toMatchObject({ field: 'k', text: '7', error: OVERFLOW });
    expect(store.canUndo.value).toBe(false);
    expect(store.progress.value.status).toBe('ready');
  });

  test('that takes more than is computed unasked waits for a word', async () => {
    const { store, library } = await opened('h=1500&kh=3&padding=same');
    const before = store.problem.value;
    store.setDesc({ w: 4000 }, { field: 'w' });
    expect(store.problem.value).toBe(before);
    expect(store.draft.value).toMatchObject({
      field: 'w',
      text: '4000',
      patch: { w: 4000 },
      error: { code: 'costly' },
    });
    expect(library.requests).toHaveLength(1);
    store.setDesc({ w: 4000 }, { field: 'w', anyway: true });
    expect(store.problem.value.desc.w).toBe(4000);
    expect(store.draft.value).toBeNull();
    // What is there already may be edited, and made smaller, without another word.
    await library.answer();
    for (const patch of [{ w: 3900 }, { padding_mode: 'valid' as const }, { stride_h: 2 }]) {
      store.setDesc(patch);
      expect(store.draft.value).toBeNull();
    }
    expect(store.problem.value.desc).toMatchObject({ w: 3900, stride_h: 2 });
  });

  test('that an algorithm does not allow is made once the library chooses, with all its inputs', async () => {
    const { store, library } = await opened(`${FOURTH}&stride=1&forward=winograd_4x4`);
    const refusal: ConvError = { code: 'unsupported', field: 'algorithm', message: 'winograd_4x4 needs stride 1' };
    setCell(store, 'x', 3, 42);
    await library.answer();
    store.setDesc({ stride_h: 2, stride_w: 2 });
    await library.refuse(refusal);
    expect(store.problem.value.desc.stride_h).toBe(1);
    expect(store.draft.value?.error).toEqual(refusal);
    store.releaseAlgorithms();
    expect(store.problem.value).toMatchObject({ desc: { stride_h: 2 }, algorithms: {} });
    expect(store.problem.value.x.data[3]).toBe(42);
    expect(library.requests.at(-1)?.algorithms).toEqual({});
    store.undo();
    expect(store.problem.value).toMatchObject({ desc: { stride_h: 1 }, algorithms: { forward: 'winograd_4x4' } });
  });

  test('that came with a link, by an algorithm that there is not, keeps the inputs of the link', async () => {
    const store = createStore(parseLink(`${FOURTH}&x=random:5&forward=bogus`).problem);
    const library = new FakeLibrary();
    store.connect(library.compute);
    await library.refuse({ code: 'unknown_algorithm', field: 'algorithm', message: 'there is no bogus' });
    expect(store.progress.value.status).toBe('failed');
    store.releaseAlgorithms();
    await library.answer();
    expect(store.shown.value?.problem).toMatchObject({ algorithms: {}, x: { source: { kind: 'random', seed: 5 } } });
  });

  test('for want of memory is said, and the problem stays', async () => {
    const { store } = await opened();
    const valid = store.problem.value;
    const numbers = Float32Array;
    vi.stubGlobal(
      'Float32Array',
      class extends numbers {
        constructor(count: number) {
          if (count > 1000) throw new RangeError('Array buffer allocation failed');
          super(count);
        }
      },
    );
    store.setDesc({ h: 100, w: 100 });
    vi.unstubAllGlobals();
    expect(store.problem.value).toBe(valid);
    expect(store.draft.value).toMatchObject({ field: 'h', error: { code: 'out_of_memory' } });
    expect(store.draft.value?.error.message).toMatch(/the memory that this takes/);
  });

  test('of a cell says which cell does not exist', async () => {
    const { store } = await opened();
    setCell(store, 'x', 49, 1);
    expect(store.draft.value?.error.message).toBe('x has no cell 49');
    setCell(store, 'b', 0, 1);
    expect(store.draft.value?.error.message).toBe('b has no cell 0');
  });
});

describe('a failure', () => {
  test('of the machinery clears the picture and can be tried again', async () => {
    const { store, library } = await opened();
    setCell(store, 'x', 0, 5);
    await library.refuse({ code: 'module_unavailable', field: '', message: 'gone' });
    expect(store.shown.value).toBeNull();
    expect(store.progress.value).toMatchObject({ status: 'failed', error: { message: 'gone' } });
    store.retry();
    await library.answer();
    expect(store.shown.value?.problem.x.data[0]).toBe(5);
  });

  test('of the first problem is shown, there being nothing to go back to', async () => {
    const store = createStore(parseLink(FOURTH).problem);
    const library = new FakeLibrary();
    store.connect(library.compute);
    await library.refuse(OVERFLOW);
    expect(store.progress.value).toEqual({ status: 'failed', error: OVERFLOW });
  });

  test('that is thrown is an error too', async () => {
    const store = createStore(parseLink(FOURTH).problem);
    store.connect(() => Promise.reject(new Error('boom')));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(store.progress.value).toMatchObject({
      status: 'failed',
      error: { code: 'internal', message: 'Error: boom' },
    });
  });

  test('by cancelling keeps the edit, and the picture from before it, until it is computed or undone', async () => {
    const { store, library } = await opened();
    const valid = store.problem.value;
    store.setDesc({ h: 9 });
    await library.settle({ status: 'dropped', why: 'cancelled' });
    expect(store.problem.value.desc.h).toBe(9);
    expect(store.shown.value?.problem).toBe(valid);
    expect(store.draft.value).toBeNull();
    expect(store.progress.value.status).toBe('stopped');
    store.retry();
    expect(store.progress.value.status).toBe('computing');
    await library.answer();
    expect(store.shown.value?.problem.desc.h).toBe(9);
    store.setDesc({ h: 8 });
    await library.settle({ status: 'dropped', why: 'cancelled' });
    store.undo();
    await library.answer();
    expect(store.shown.value?.problem.desc.h).toBe(9);
    expect(store.progress.value.status).toBe('ready');
  });
});

describe('undo', () => {
  test('goes back and forth through every kind of edit', async () => {
    const { store } = await opened();
    const seen = [store.problem.value];
    const edits = [
      () => setCell(store, 'x', 3, 9),
      () => store.setDesc({ stride_h: 1 }),
      () => store.setSource('b', { kind: 'constant', value: 2 }),
      () => store.setFilter('blur'),
      () => store.setDySource({ kind: 'one_hot', index: 2 }),
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

  test('keeps drags with a pause between them, and drags of different sliders, apart', async () => {
    const { store, tick } = await opened();
    store.setDesc({ h: 8 }, { gesture: 'h' });
    store.setDesc({ w: 8 }, { gesture: 'w' });
    tick(1500);
    store.setDesc({ w: 9 }, { gesture: 'w' });
    store.undo();
    expect(store.problem.value.desc).toMatchObject({ h: 8, w: 8 });
    store.undo();
    expect(store.problem.value.desc).toMatchObject({ h: 8, w: 7 });
  });

  test('is not needed for values that a drag runs over: made smaller and larger again, nothing is lost', async () => {
    const { store } = await opened();
    setCell(store, 'x', 48, 99);
    for (const h of [5, 3, 7]) store.setDesc({ h }, { gesture: 'h' });
    expect(store.problem.value.x.data[48]).toBe(99);
  });

  test('forgets what was undone when something else is done', async () => {
    const { store } = await opened();
    setCell(store, 'x', 0, 1);
    store.undo();
    setCell(store, 'x', 0, 2);
    expect(store.canRedo.value).toBe(false);
  });
});

describe('dy', () => {
  test('edited by cell starts from what the library made', async () => {
    const { store, library } = await opened();
    store.setDySource({ kind: 'random', seed: 4 });
    const made = Float32Array.from({ length: 16 }, (_, i) => i - 8);
    const stats = { min: -8, max: 7, max_abs: 8, not_finite: 0 };
    await library.answer(1, { dy: { shape: [1, 4, 4, 1], data: made, stats } });
    setCell(store, 'dy', 2, 50);
    expect(store.problem.value.dy).toMatchObject({ kind: 'values', shape: [1, 4, 4, 1] });
    expect(library.requests[2]?.dy).toMatchObject({ data: made.with(2, 50) });
  });

  test('keeps painted cells at their places when the output grows', async () => {
    const { store } = await opened();
    setCell(store, 'dy', 5, 7);
    store.setDesc({ stride_h: 1, stride_w: 1 });
    const { dy } = store.problem.value;
    // (1, 1) of 4 x 4 is cell 5, of 7 x 7 cell 8.
    expect(dy.kind === 'values' && dy.data[8]).toBe(7);
    expect(dy.kind === 'values' && dy.data.length).toBe(49);
  });

  test('keeps a one-hot cell at its place, and inside', async () => {
    const { store } = await opened();
    store.setDySource({ kind: 'one_hot', index: 15 });
    store.setDesc({ layout: 'nchw', k: 2 });
    // (3, 3) of filter 0.
    expect(store.problem.value.dy).toEqual({ kind: 'one_hot', index: 15 });
    store.setDesc({ h: 3 });
    expect(store.problem.value.dy).toEqual({ kind: 'one_hot', index: 1 * 4 + 3 });
  });

  test('of a target keeps the length of y', async () => {
    const { store } = await opened();
    store.setDySource({ kind: 'mse', target: new Float32Array(3) });
    expect(store.draft.value?.error.message).toBe('the target has 3 values, but y has 16');
    store.setDySource({ kind: 'mse', target: new Float32Array(16).fill(2) });
    store.setDesc({ h: 9 });
    const { dy } = store.problem.value;
    expect(dy.kind === 'mse' && dy.target && [...dy.target.slice(14)]).toEqual([2, 2, 0, 0, 0, 0]);
  });
});

test('a picture becomes a depthwise problem with a gradient worth looking at', async () => {
  const { store } = await opened();
  const data = Float32Array.from({ length: 60 }, (_, i) => i / 60);
  open(store, { h: 4, w: 5, channels: 3, source: { kind: 'file', name: 'cat.png', data } });
  const { desc, x, w, dy } = store.problem.value;
  expect(desc).toMatchObject({ h: 4, w: 5, c: 3, k: 3, groups: 3, kh: 3, padding_mode: 'same' });
  expect(x.data).toBe(data);
  expect(w).toMatchObject({ shape: [3, 3, 1, 3], source: { kind: 'filter', name: 'sobel_x' } });
  expect(dy.kind).toBe('mse');
});

describe('the colours of a picture', () => {
  const grey = { h: 4, w: 5, channels: 1, source: { kind: 'sample', name: 'portrait' } } as const;
  const rgb = { ...grey, channels: 3 } as const;
  const edited = (problem: Problem, picture: Picture): Problem => {
    const next = editColours(problem, picture);
    if ('error' in next) throw new Error(next.error.message);
    return next.problem;
  };
  const opened3 = async () => {
    const { store } = await opened();
    store.accept(editPicture(store.problem.value, rgb), { field: 'x', text: '' }, 'sizes');
    store.setDesc({ stride_h: 2, stride_w: 2 });
    return store;
  };

  test('change x, keep how w moves, and give each colour its filter again', async () => {
    const store = await opened3();
    const one = edited(store.problem.value, grey);
    expect(one.desc).toMatchObject({ c: 1, k: 1, groups: 1, stride_h: 2, padding_mode: 'same' });
    expect(one.x.shape).toEqual([1, 4, 5, 1]);
    expect([...one.x.data]).not.toEqual([...store.problem.value.x.data.filter((_, i) => i % 3 === 0)]);
    expect(edited(one, rgb)).toEqual(store.problem.value);
  });

  test('leave filters that see all colours as many as they are', async () => {
    const store = await opened3();
    store.setDesc({ groups: 1, k: 6 });
    const one = edited(store.problem.value, grey);
    expect(one.desc).toMatchObject({ c: 1, k: 6, groups: 1 });
    expect(edited(one, rgb).desc).toMatchObject({ c: 3, k: 6, groups: 1 });
  });
});

test('custom padding starts from what the mode came to', async () => {
  const { store } = await opened('h=8&kh=3&stride=2&padding=same');
  store.setDesc({ padding_mode: 'explicit_sides' });
  expect(store.problem.value.desc.padding).toEqual({ top: 0, bottom: 1, left: 0, right: 1 });
});

describe('an edit made in the picture before', () => {
  /** A problem whose picture is on the screen, and a larger one that is being computed. */
  async function between(patch: Partial<ConvDesc>) {
    const { store, library } = await opened();
    const geometry = store.shown.value?.result.geometry;
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
    const before = store.problem.value[tensor].data;
    store.setCells({ tensor, indices: [index], geometry }, 77);
    expect(store.problem.value[tensor].data).toEqual(before.with(expected, 77));
  });

  test('is refused with words when its position is gone', async () => {
    const { store, geometry } = await between({ w: 5 });
    const { x } = store.problem.value;
    store.setCells({ tensor: 'x', indices: [6], geometry }, 77);
    expect(store.problem.value.x).toBe(x);
    expect(store.draft.value?.error.message).toContain('x has another size by now and that place is gone');
  });

  test('of a dy that is not there yet waits for it, and leaves its other cells what they are', async () => {
    const { store, library, geometry } = await between({ stride_h: 1, stride_w: 1 });
    store.setCells({ tensor: 'dy', indices: [5], geometry }, 7);
    expect(store.problem.value.dy).toEqual({ kind: 'ones' });
    await library.answer();
    // (1, 1) of 4 x 4 is cell 5, of 7 x 7 cell 8.
    const expected = new Float32Array(49).fill(1).with(8, 7);
    expect(store.problem.value.dy).toEqual({ kind: 'values', shape: [1, 7, 7, 1], data: expected });
  });

  test('of a dy of a loss does not take its values from another problem', async () => {
    const { store, library } = await opened();
    store.setDySource({ kind: 'mse', target: null });
    await library.answer();
    setCell(store, 'x', 0, 9);
    setCell(store, 'dy', 0, 5);
    const data = Float32Array.from({ length: 16 }, (_, i) => i);
    const stats = { min: 0, max: 15, max_abs: 15, not_finite: 0 };
    await library.answer(undefined, { dy: { shape: [1, 4, 4, 1], data, stats } });
    expect(store.problem.value.dy).toMatchObject({ data: data.with(0, 5) });
    expect(store.problem.value.x.data[0]).toBe(9);
  });

  test('that waits goes with the problem that it was meant for', async () => {
    const { store, library, geometry } = await between({ stride_h: 1, stride_w: 1 });
    store.setCells({ tensor: 'dy', indices: [5], geometry }, 7);
    store.undo();
    await library.answer();
    expect(store.problem.value.dy).toEqual({ kind: 'ones' });
  });

  test('a source of dy that names cells of the picture before is refused', async () => {
    const { store, geometry } = await between({ stride_h: 1, stride_w: 1 });
    store.setDySource({ kind: 'one_hot', index: 3 }, { geometry });
    expect(store.problem.value.dy).toEqual({ kind: 'ones' });
    expect(store.draft.value?.error.message).toContain('y has another size by now');
  });
});
