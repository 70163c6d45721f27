import { signal } from '@preact/signals';
import { beforeEach, expect, test, vi } from 'vitest';
import { drawOf, workIn } from '../../../web/src/app/lesson/exercise/hand-in';
import { questionOf } from '../../../web/src/app/lesson/exercise/question';
import { exerciseSessionOf } from '../../../web/src/app/lesson/exercise/session';
import type { Page } from '../../../web/src/app/page/page';
import { EXERCISES } from '../../../web/src/lessons/exercises';
import { addressTests, opened, visit } from '../link/opened-address';

// Links of exercises: the name of the student, and the problem that they open.

addressTests();
beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

async function pageAt(hash: string) {
  const { store, look, address } = await opened(hash);
  const page = { store, look, address, scene: signal(null), client: {} } as unknown as Page;
  return { store, look, session: exerciseSessionOf(page) };
}

const settled = async () => {
  for (let i = 0; i < 5; i += 1) {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(0);
  }
};

const set = (id: string) => {
  const found = EXERCISES.find((each) => each.id === id);
  if (!found) throw new Error(`there is no set ${id}`);
  return found;
};

/** The link of Ada with one answer about sizes. */
async function ofAda() {
  const { look, session } = await pageAt('#side=lesson&lesson=shapes.1');
  session.checkCount('3');
  session.setName('Ada');
  session.handIn(set('shapes'));
  const { answers, student, date, digest } = workIn(look);
  expect([answers?.startsWith('3'), student, session.seal.value]).toEqual([true, 'Ada', 'fits']);
  return `#side=lesson&lesson=shapes.1&answers=${answers}&name=Ada&date=${date}&digest=${digest}`;
}

test('answers that were handed in keep their name', async () => {
  const link = await ofAda();
  const { look, session } = await pageAt(link);
  session.setName('Mallory');
  session.setName('');
  session.handIn(set('shapes'));
  expect([look.student.value, session.seal.value]).toEqual(['Ada', 'fits']);
  // Another answer does not free the name.
  session.checkCount('4');
  session.setName('Mallory');
  expect(look.student.value).toBe('Ada');
});

test('a name that was written after the answers can be corrected until the next answer; a new round can have another', async () => {
  const { look, session } = await pageAt('#side=lesson&lesson=shapes.1');
  session.checkCount('3');
  session.setName('Eda');
  session.setName('Ada');
  expect([look.student.value, session.isNamed.value]).toEqual(['Ada', false]);
  session.checkCount('4');
  expect(session.isNamed.value).toBe(true);
  session.again(set('shapes'));
  await settled();
  session.setName('Grace');
  expect([look.student.value, session.seal.value]).toEqual(['Grace', 'fits']);
});

test('a name that was written before the answers stays, too', async () => {
  const { look, session } = await pageAt('#side=lesson&lesson=shapes.1');
  session.setName('Ada');
  session.setName('Eve');
  session.checkCount('3');
  session.setName('Mallory');
  expect(look.student.value).toBe('Eve');
});

test.each(['gradients.3', 'forward-sums.2', 'two-layers.2'])(
  'a link to %s without its problem opens it, also in an open page',
  async (name) => {
    const { store, look, session } = await pageAt('#h=9&kh=3');
    visit(`#side=lesson&lesson=${name}&name=Ada&seed=16.each`);
    await settled();
    const [id = '', number] = name.split('.');
    const asked = questionOf(
      { set: set(id), index: Number(number) - 1 },
      drawOf(workIn(look), 'fits'),
      session.own.peek(),
    );
    if (asked?.kind !== 'cell' && asked?.kind !== 'network') throw new Error('the question is about no cell');
    expect([look.lesson.value, look.student.value, session.isChanged.value]).toEqual([name, 'Ada', false]);
    expect(store.problem.value.desc).toEqual(asked.problem.desc);
    expect(look.masked.value).toEqual([asked.cell]);
  },
);
