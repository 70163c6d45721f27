import { signal } from '@preact/signals';
import { beforeEach, expect, test, vi } from 'vitest';
import { openStep } from '../../../web/src/app/lesson/course';
import { exerciseSessionOf } from '../../../web/src/app/lesson/exercise/session';
import { drawOf, NO_WORK } from '../../../web/src/app/lesson/exercise/work';
import { studyOf, studyStateOf, studyText } from '../../../web/src/app/lesson/study';
import type { Page } from '../../../web/src/app/page/page';
import { linksOf } from '../../../web/src/geometry/links';
import { EXERCISES, exerciseRefText } from '../../../web/src/lessons/exercises';
import { createLook } from '../../../web/src/look/look-store';
import { createStore } from '../../../web/src/state/store';
import { firstDrawn } from '../lessons/draws';
import { layerOf } from '../support/problems';

// Lessons, sets of exercises, bug hunts and the derivation: their names, and the state that leaving them restores.

const [set] = EXERCISES;
if (!set) throw new Error('there are no exercises');

/** A page that opens links at once, limited to the lesson field; with `index`, at that question and its problem. */
function opened(index?: number) {
  const look = createLook(() => linksOf);
  const store = createStore(undefined, { look });
  if (set && index !== undefined) {
    const question = firstDrawn({ set, index }, drawOf(NO_WORK));
    if (question.kind === 'cell') store.open(question.problem, 'everything');
    look.lesson.value = exerciseRefText({ set, index });
  }
  const open = vi.fn(async (hash: string) => {
    look.lesson.value = /(?:^|&)lesson=([^&]*)/.exec(hash)?.[1] ?? null;
    return true;
  });
  const page = { store, look, currentContent: signal(null), client: {}, address: { open } } as unknown as Page;
  return { page, store, look, open };
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

test('leaving restores the earlier state', () => {
  const { page, store, look } = opened();
  store.setDesc({ h: 9 });
  exerciseSessionOf(page).open(set, 0);
  expect(look.lesson.value).toBe(exerciseRefText({ set, index: 0 }));
  store.setDesc({ h: 6 });
  exerciseSessionOf(page).leave();
  expect([layerOf(store.problem.value).desc.h, look.lesson.value]).toEqual([9, null]);
});

test('leaving after a reload restores the earlier state once', async () => {
  const before = opened();
  before.store.setDesc({ h: 9 });
  exerciseSessionOf(before.page).open(set, 0);
  exerciseSessionOf(before.page).go(1);
  const after = opened(1);
  const session = exerciseSessionOf(after.page);
  session.leave();
  session.leave();
  await vi.waitFor(() => expect(after.look.lesson.value).toBeNull());
  expect(after.open).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/(?:^|&)h=9(?:&|$)/));
  expect(after.look.side.value).toBe('lesson');
});

test('leaving a set that a link opened ends the set', () => {
  const { page, look, open } = opened(2);
  look.hiddenCells.value = [{ tensor: 'y', index: 0 }];
  exerciseSessionOf(page).leave();
  expect([look.lesson.value, look.hiddenCells.value]).toEqual([null, []]);
  expect(open).not.toHaveBeenCalled();
});

test.each(['padding.2', 'forward-sums.3', 'bug-7-dx.3', 'derivation.1'])('%s is the name of one study', (name) => {
  const study = studyOf(name);
  expect(study && studyText(study)).toBe(name);
});

test.each([null, '', 'padding', 'padding.99', 'padding.0', 'forward-sums.99', 'bug-7-w.3', 'derivation.2'])(
  '%s is the name of no study',
  (name) => expect(studyOf(name)).toBeNull(),
);

test('a lesson that an exercise opened returns to the exercise, and that to the state before it, also after a reload', async () => {
  const before = opened();
  before.store.setDesc({ h: 9 });
  exerciseSessionOf(before.page).open(set, 1);
  openStep(before.page, 'padding.2');
  const after = opened();
  after.look.lesson.value = 'padding.2';
  const study = studyStateOf(after.page);
  study.leave();
  await vi.waitFor(() => expect(after.look.lesson.value).toBe(exerciseRefText({ set, index: 1 })));
  study.leave();
  await vi.waitFor(() => expect(after.look.lesson.value).toBeNull());
  expect(after.open.mock.lastCall?.[0]).toMatch(/(?:^|&)h=9(?:&|$)/);
});

test('a study that a link opened leaves the problem as it is', () => {
  const { page, store, look, open } = opened();
  studyStateOf(page).enter({ kind: 'exercise', set, index: 0 });
  // Another link opens the derivation.
  look.lesson.value = 'derivation.1';
  store.setDesc({ h: 6 });
  studyStateOf(page).leave();
  expect([look.lesson.value, layerOf(store.problem.value).desc.h]).toEqual([null, 6]);
  expect(open).not.toHaveBeenCalled();
});
