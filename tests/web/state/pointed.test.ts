import { describe, expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import type { Lockable } from '../../../web/src/look/look';
import { singleOf } from '../../../web/src/sources/loss';
import { lockError } from '../../../web/src/state/edits';
import { requestOf } from '../../../web/src/state/exchange';
import { openingProblem } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { layerOf } from '../support/problems';
import { FakeLibrary } from './fake-compute';
import { setCell } from './set-cell';

const POINTED = parseLink('h=5&kh=3&dy=pointed:4').problem;
const geometry = geometryOf(layerOf(POINTED).desc);

const indexIn = ({ problem }: Pick<ReturnType<typeof createStore>, 'problem'>) => {
  return singleOf(problem.value.loss)?.index ?? null;
};

describe('a dy that follows the pointer', () => {
  test('is computed as a single 1', () => {
    expect(requestOf(POINTED).loss).toEqual({ kind: 'given', dy: { kind: 'one_hot', index: 4 } });
  });

  test('moves without an undo step, and keeps what can be done again', () => {
    const store = createStore(POINTED);
    setCell(store, 'x', 0, 9);
    store.undo();
    for (const index of [0, 1, 2, 5]) store.pointDy(index, geometry);
    expect([indexIn(store), store.canUndo.value, store.canRedo.value]).toEqual([5, false, true]);
    expect(store.revision.value).toBe(6);
  });

  test('stays where it is for undo and redo of other edits', () => {
    const store = createStore(POINTED);
    setCell(store, 'x', 0, 9);
    store.pointDy(7, geometry);
    store.undo();
    expect([indexIn(store), store.problem.value.x.data[0]]).toEqual([7, POINTED.x.data[0]]);
    store.pointDy(8, geometry);
    store.redo();
    expect([indexIn(store), store.problem.value.x.data[0]]).toEqual([8, 9]);
  });

  test('is chosen by one undo step, which undoes the choice', () => {
    const store = createStore({ ...POINTED, loss: { kind: 'given', dy: { kind: 'ones' } } });
    store.setLoss({ kind: 'given', dy: { kind: 'pointed', index: 0 } }, { geometry });
    store.pointDy(3, geometry);
    store.pointDy(6, geometry);
    store.undo();
    expect([store.problem.value.loss, store.canUndo.value]).toEqual([{ kind: 'given', dy: { kind: 'ones' } }, false]);
  });

  test('leaves no undo step behind when the library refuses an edit that follows it', async () => {
    const store = createStore(POINTED);
    const library = new FakeLibrary();
    store.connect(library.compute);
    await library.answer();
    store.pointDy(7, geometry);
    store.setDesc({ h: 6 });
    expect(store.canUndo.value).toBe(true);
    await library.refuse({ code: 'invalid_stride', field: 'h', message: 'h is 6 here' });
    expect([layerOf(store.problem.value).desc.h, store.canUndo.value]).toEqual([5, false]);
  });

  test('computes nothing while the pointer stays on a cell', () => {
    const store = createStore(POINTED);
    const { revision, problem } = store;
    const before = [revision.value, problem.value];
    store.pointDy(4, geometry);
    expect([revision.value, problem.value]).toEqual(before);
  });

  test('does not overtake a link that is being opened', () => {
    const store = createStore(POINTED);
    const later = store.begin();
    store.pointDy(0, geometry);
    expect(later()).toBeNull();
    setCell(store, 'x', 0, 9);
    expect(later()).toBe('edited');
  });

  test('ignores cells of an output of another size, or outside of y', () => {
    const store = createStore(POINTED);
    store.pointDy(8, geometryOf({ ...layerOf(POINTED).desc, h: 6 }));
    store.pointDy(9, geometry);
    expect([indexIn(store), store.draft.value]).toEqual([4, null]);
  });
});

test('no other source follows the pointer', () => {
  for (const dy of ['ones', 'one_hot:3', 'mse:0', 'random:2', 'values:1.2.2.1~i8.AQIDBA']) {
    const { problem, complaints } = parseLink(`h=4&kh=3&dy=${dy}`);
    expect(complaints).toEqual([]);
    const store = createStore(problem);
    store.pointDy(0, geometryOf(layerOf(problem).desc));
    expect(store.problem.value).toBe(problem);
  }
});

test.each([
  ['a lock', false],
  ['an exercise', true],
])('%s of dy keeps the 1 where it is, without a message', (_name, exercise) => {
  const locked: readonly Lockable[] = ['dy'];
  const store = createStore(POINTED, { guard: (before, after) => lockError(locked, before, after, exercise) });
  store.pointDy(0, geometry);
  expect([indexIn(store), store.draft.value]).toEqual([4, null]);
});

test('the opening points at the cell that it explains; a link without dy still means ones', () => {
  expect(openingProblem().loss).toEqual({ kind: 'given', dy: { kind: 'pointed', index: 4 } });
  expect(parseLink('').problem.loss).toEqual({ kind: 'given', dy: { kind: 'pointed', index: 4 } });
  expect(parseLink('h=5&kh=3').problem.loss).toEqual({ kind: 'given', dy: { kind: 'ones' } });
});
