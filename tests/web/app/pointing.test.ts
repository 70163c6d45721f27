import { computed } from '@preact/signals';
import { beforeEach, expect, test } from 'vitest';
import { deferred } from '../../../web/src/app/deferred/deferred';
import type { Page } from '../../../web/src/app/page/page';
import { createViewEvents } from '../../../web/src/app/stage/Stage';
import { linksOf } from '../../../web/src/geometry/links';
import { createLook } from '../../../web/src/look/look-store';
import { singleOf } from '../../../web/src/sources/loss';
import { OPENING_CELL } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import { FakeLibrary } from '../state/fake-compute';

let page: Page;
let events: ReturnType<typeof createViewEvents>;

beforeEach(async () => {
  const look = createLook(() => linksOf);
  const store = createStore(undefined, { look });
  const library = new FakeLibrary();
  store.connect((request) => library.compute(request));
  await library.answer();
  const currentContent = computed(() => store.shown.value && { geometry: store.shown.value.geometry });
  look.setGeometry(currentContent.value?.geometry ?? null);
  look.suggest(OPENING_CELL, currentContent.value?.geometry ?? null);
  page = { store, look, currentContent } as unknown as Page;
  await deferred.wait();
  events = createViewEvents(page);
});

const index = () => singleOf(page.store.problem.value.loss)?.index ?? null;

test('the 1 of dy follows the pointer over y and dy, and taps; other tensors leave it', () => {
  events.onHover({ tensor: 'y', index: 0 });
  expect(index()).toBe(0);
  events.onHover({ tensor: 'dy', index: 1 });
  expect(index()).toBe(1);
  events.onPick({ tensor: 'y', index: 3 });
  expect(index()).toBe(3);
  events.onPick({ tensor: 'x', index: 8 });
  events.onHover({ tensor: 'dx', index: 7 });
  events.onMove({ tensor: 'w', index: 6 });
  events.onHover(null);
  expect(index()).toBe(3);
});

test('the focus and the arrow keys only preview a cell; Space chooses it, and a pinned cell moves with the arrows', () => {
  events.onHover({ tensor: 'y', index: 0 }, true);
  events.onMove({ tensor: 'y', index: 1 });
  expect(page.look.current.value).toEqual({ tensor: 'y', index: 1 });
  expect(index()).toBe(4);
  events.onPick({ tensor: 'y', index: 1 });
  expect(index()).toBe(1);
  events.onMove({ tensor: 'y', index: 2 });
  expect(index()).toBe(2);
});

test('a pinned cell of y gets the 1 back when the pointer leaves', () => {
  events.onPick({ tensor: 'y', index: 5 });
  events.onHover({ tensor: 'y', index: 0 });
  expect(index()).toBe(0);
  events.onHover(null);
  expect(index()).toBe(5);
});

test('the explained cell of the opening is the one with the 1, after the pointer has left', () => {
  events.onHover({ tensor: 'dy', index: 7 });
  events.onHover(null);
  expect(page.look.current.value).toEqual({ tensor: 'y', index: 7 });
});

test('nothing moves while values are hidden, or in a view that would have to ask', () => {
  page.look.hiddenCells.value = [{ tensor: 'dx', index: 3 }];
  events.onHover({ tensor: 'y', index: 0 });
  expect(index()).toBe(4);
  page.look.hiddenCells.value = [];
  page.look.mode.value = 'dx';
  events.onHover({ tensor: 'y', index: 1 });
  expect(index()).toBe(4);
  page.look.mode.value = 'board';
  events.onHover({ tensor: 'y', index: 2 });
  expect(index()).toBe(2);
});
