import { describe, expect, test, vi } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import type { ConvError } from '../../../web/src/protocol/problem';
import { createStore, type Store } from '../../../web/src/state/store';
import { layerOf } from '../support/problems';
import { FakeLibrary } from './fake-compute';
import { FOURTH, opened, storeTests } from './opened-store';
import { setCell } from './set-cell';

storeTests();

const OVERFLOW: ConvError = { code: 'overflow', field: 'y', message: 'y is too large' };

describe('a result', () => {
  test('is shown together with its inputs', async () => {
    const { store, library } = await opened();
    setCell(store, 'x', 0, 5);
    expect(store.problem.value.x.data[0]).toBe(5);
    expect(store.progress.value.status).toBe('computing');
    // The result is still the old one, with the old inputs.
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

  test('of a superseded edit is shown with its own inputs, until the newest is there', async () => {
    const { store, library } = await opened();
    for (const value of [5, 6, 7]) setCell(store, 'x', 0, value);
    await library.answer(1);
    expect(store.shown.value?.problem.x.data[0]).toBe(5);
    expect(store.shown.value?.revision).toBe(1);
    expect(store.problem.value.x.data[0]).toBe(7);
    expect(store.progress.value.status).toBe('computing');
    await library.answer(3);
    expect(store.shown.value?.problem).toBe(store.problem.value);
    expect(store.progress.value.status).toBe('ready');
    await library.answer(2);
    expect(store.shown.value?.problem.x.data[0]).toBe(7);
  });

  test.each([
    ['undo', (store: Store) => store.undo()],
    ['another problem that was opened', (store: Store) => store.open(parseLink('h=6&kh=2').problem, 'everything')],
    ['a new attempt, which may hide more', (store: Store) => store.retry()],
  ])('of an edit before %s is not shown', async (_, act) => {
    const { store, library } = await opened();
    setCell(store, 'x', 0, 5);
    act(store);
    await library.answer(1);
    expect(store.shown.value?.problem.x.data[0]).toBe(0);
    await library.answer();
    expect(store.shown.value?.problem).toBe(store.problem.value);
  });

  test('that hides values is shown only if it is the newest', async () => {
    const { store, library } = await opened();
    setCell(store, 'x', 0, 5);
    setCell(store, 'x', 0, 6);
    await library.answer(1, {}, { hides: true });
    expect(store.shown.value?.problem.x.data[0]).toBe(0);
    await library.answer(2, {}, { hides: true });
    expect(store.shown.value?.problem.x.data[0]).toBe(6);
  });

  test('of a superseded edit is not shown if the view does not ask for it', async () => {
    const store = createStore(parseLink(FOURTH).problem);
    const library = new FakeLibrary();
    store.connect(library.compute, () => false);
    await library.answer();
    setCell(store, 'x', 0, 5);
    setCell(store, 'x', 0, 6);
    await library.answer(1);
    expect(store.shown.value?.problem.x.data[0]).toBe(0);
  });

  test('of a superseded edit stays when the newest edit is refused', async () => {
    const { store, library } = await opened();
    setCell(store, 'x', 0, 5);
    setCell(store, 'x', 0, 6);
    await library.answer(1);
    await library.refuse(OVERFLOW, 2);
    expect(store.problem.value.x.data[0]).toBe(5);
    expect(store.shown.value?.problem).toBe(store.problem.value);
    store.undo();
    expect(store.problem.value.x.data[0]).toBe(0);
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

  test('is requested with the same arrays as the problem, so that unchanged ones are not sent again', async () => {
    const { store, library } = await opened();
    setCell(store, 'w', 0, 5);
    expect(library.requests[1]?.x).toBe(library.requests[0]?.x);
    expect(library.requests[1]?.layers[0]?.w).not.toBe(library.requests[0]?.layers[0]?.w);
  });
});

describe('an invalid edit', () => {
  test('becomes a draft at its control, and the last valid problem stays', async () => {
    const { store, library } = await opened();
    const before = store.problem.value;
    store.setDesc({ kh: 10 });
    expect(store.draft.value).toMatchObject({ field: 'kh', text: '10', error: { code: 'kernel_too_large' } });
    expect(store.problem.value).toBe(before);
    expect(library.requests).toHaveLength(1);
    expect(store.canUndo.value).toBe(false);
    store.setDesc({ kh: 4 });
    expect(store.draft.value).toBeNull();
    expect(layerOf(store.problem.value).desc.kh).toBe(4);
  });

  test('is shown at the control that made it, not at the field that does not fit', async () => {
    const { store } = await opened();
    store.setDesc({ padding: { top: 0, bottom: 0, left: 0, right: 0 } });
    store.setDesc({ h: 2 });
    expect(store.draft.value).toMatchObject({ field: 'h', text: '2', error: { field: 'kh' } });
  });

  test('is dropped when the current value is entered again, or on request', async () => {
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
    store.setDesc({ padding: { ...layerOf(store.problem.value).desc.padding, left: -1 } });
    expect(store.draft.value).toMatchObject({ field: 'padding.left', text: '-1', error: { code: 'invalid_padding' } });
  });

  test('that only the library rejects is reverted with its reason', async () => {
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

  test('that is too costly waits for a confirmation', async () => {
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
    expect(layerOf(store.problem.value).desc.w).toBe(4000);
    expect(store.draft.value).toBeNull();
    // An existing large problem can be edited, and made smaller, without a confirmation.
    await library.answer();
    for (const patch of [{ w: 3900 }, { padding_mode: 'valid' as const }, { stride_h: 2 }]) {
      store.setDesc(patch);
      expect(store.draft.value).toBeNull();
    }
    expect(layerOf(store.problem.value).desc).toMatchObject({ w: 3900, stride_h: 2 });
  });

  test('that an algorithm does not allow is made once the library plans, with all its inputs', async () => {
    const { store, library } = await opened(`${FOURTH}&stride=1&forward=winograd_4x4`);
    const refusal: ConvError = { code: 'unsupported', field: 'algorithm', message: 'winograd_4x4 needs stride 1' };
    setCell(store, 'x', 3, 42);
    await library.answer();
    store.setDesc({ stride_h: 2, stride_w: 2 });
    await library.refuse(refusal);
    expect(layerOf(store.problem.value).desc.stride_h).toBe(1);
    expect(store.draft.value?.error).toEqual(refusal);
    store.clearAlgorithms();
    expect(layerOf(store.problem.value)).toMatchObject({ desc: { stride_h: 2 }, algorithms: {} });
    expect(store.problem.value.x.data[3]).toBe(42);
    expect(library.requests.at(-1)?.layers[0]?.algorithms).toEqual({});
    store.undo();
    expect(layerOf(store.problem.value)).toMatchObject({
      ...{ desc: { stride_h: 1 }, algorithms: { forward: 'winograd_4x4' } },
    });
  });

  test('of a link with an unknown algorithm keeps the inputs of the link', async () => {
    const store = createStore(parseLink(`${FOURTH}&x=random:5&forward=bogus`).problem);
    const library = new FakeLibrary();
    store.connect(library.compute);
    await library.refuse({ code: 'unknown_algorithm', field: 'algorithm', message: 'there is no bogus' });
    expect(store.progress.value.status).toBe('failed');
    store.clearAlgorithms();
    await library.answer();
    const shown = store.shown.value?.problem ?? expect.fail('no result');
    expect([layerOf(shown).algorithms, shown.x.source]).toEqual([{}, { kind: 'random', seed: 5 }]);
  });

  test('without enough memory is reported, and the problem stays', async () => {
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
    expect(store.draft.value?.error.message).toMatch(/not enough memory/);
  });

  test('of a cell names the cell that does not exist', async () => {
    const { store } = await opened();
    setCell(store, 'x', 49, 1);
    expect(store.draft.value?.error.message).toBe('x has no cell 49');
    setCell(store, 'b', 0, 1);
    expect(store.draft.value?.error.message).toBe('b has no cell 0');
  });
});

describe('a failure', () => {
  test('of the engine clears the result and can be retried', async () => {
    const { store, library } = await opened();
    setCell(store, 'x', 0, 5);
    await library.refuse({ code: 'module_unavailable', field: '', message: 'gone' });
    expect(store.shown.value).toBeNull();
    expect(store.progress.value).toMatchObject({ status: 'failed', error: { message: 'gone' } });
    store.retry();
    await library.answer();
    expect(store.shown.value?.problem.x.data[0]).toBe(5);
  });

  test('of the first problem is shown, because there is no earlier result', async () => {
    const store = createStore(parseLink(FOURTH).problem);
    const library = new FakeLibrary();
    store.connect(library.compute);
    await library.refuse(OVERFLOW);
    expect(store.progress.value).toEqual({ status: 'failed', error: OVERFLOW });
  });

  test('that is thrown becomes an error', async () => {
    const store = createStore(parseLink(FOURTH).problem);
    store.connect(() => Promise.reject(new Error('boom')));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(store.progress.value).toMatchObject({
      status: 'failed',
      error: { code: 'internal', message: 'Error: boom' },
    });
  });

  test('by cancelling keeps the edit and the earlier result, until it is computed or undone', async () => {
    const { store, library } = await opened();
    const valid = store.problem.value;
    store.setDesc({ h: 9 });
    await library.settle({ status: 'dropped', why: 'cancelled' });
    expect(layerOf(store.problem.value).desc.h).toBe(9);
    expect(store.shown.value?.problem).toBe(valid);
    expect(store.draft.value).toBeNull();
    expect(store.progress.value.status).toBe('stopped');
    store.retry();
    expect(store.progress.value.status).toBe('computing');
    await library.answer();
    expect(store.shown.value?.problem.input.h).toBe(9);
    store.setDesc({ h: 8 });
    await library.settle({ status: 'dropped', why: 'cancelled' });
    store.undo();
    await library.answer();
    expect(store.shown.value?.problem.input.h).toBe(9);
    expect(store.progress.value.status).toBe('ready');
  });
});
