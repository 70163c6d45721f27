import { signal } from '@preact/signals';
import { beforeEach, expect, test, vi } from 'vitest';
import { drawnQuestions } from '../../../web/src/app/lesson/exercise/question';
import { exerciseSessionOf } from '../../../web/src/app/lesson/exercise/session';
import { drawOf, workIn } from '../../../web/src/app/lesson/exercise/work';
import type { Page } from '../../../web/src/app/page/page';
import { EXERCISES } from '../../../web/src/lessons/exercises';
import type { WorkerRequest } from '../../../web/src/protocol/messages';
import { addressTests, opened, visit } from '../link/opened-address';
import { layerOf } from '../support/problems';

// Links of exercises: the name of the student, and the problem that they open.

addressTests();
/** Finds the first draws of each set ambiguous, or never answers. */
class FakeWorker {
  static ambiguous = 2;
  static isSilent = false;
  onmessage: ((event: MessageEvent<unknown>) => void) | null = null;
  #asked = 0;

  constructor() {
    queueMicrotask(() => this.#send({ type: 'ready', variant: 'simd' }));
  }

  #send(data: unknown): void {
    this.onmessage?.(new MessageEvent('message', { data }));
  }

  postMessage({ id, request }: WorkerRequest): void {
    if (FakeWorker.isSilent) return;
    const { type } = request;
    this.#asked += type === 'question' ? 1 : 0;
    const answer = { ambiguous: this.#asked <= FakeWorker.ambiguous };
    const result = type === 'question' ? { type, answer } : { type, revision: id, layers: [] };
    queueMicrotask(() => this.#send({ type: 'result', id, result, memory: { held: 0, used: 0 } }));
  }

  terminate(): void {
    this.onmessage = null;
  }
}

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker);
  FakeWorker.isSilent = false;
  sessionStorage.clear();
  localStorage.clear();
});

async function pageAt(hash: string) {
  const { store, look, address } = await opened(hash);
  const page = { store, look, address, currentContent: signal(null), client: {} } as unknown as Page;
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
  session.handIn();
  const { answers, student, date, digest } = workIn(look);
  expect([answers?.startsWith('3'), student, session.seal.value]).toEqual([true, 'Ada', 'fits']);
  return `#side=lesson&lesson=shapes.1&answers=${answers}&name=Ada&date=${date}&digest=${digest}`;
}

test('answers that were handed in keep their name', async () => {
  const link = await ofAda();
  const { look, session } = await pageAt(link);
  session.setName('Mallory');
  session.setName('');
  session.handIn();
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
  session.again();
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
    const draws = drawnQuestions({ set: set(id), index: Number(number) - 1 }, drawOf(workIn(look)));
    for (let draw = 0; draw < FakeWorker.ambiguous; draw += 1) draws.next();
    const asked = draws.next().value;
    if (asked?.kind !== 'cell' && asked?.kind !== 'network') throw new Error('the question is about no cell');
    expect([look.lesson.value, look.student.value, session.isChanged.value]).toEqual([name, 'Ada', false]);
    expect(layerOf(store.problem.value).desc).toEqual(layerOf(asked.problem).desc);
    expect(look.hiddenCells.value).toEqual([asked.cell]);
  },
);

test('a question is shown once its draw is settled: until then the problem stays, locked and without help', async () => {
  FakeWorker.isSilent = true;
  const { store, look, session } = await pageAt('#h=9&kh=3');
  session.open(set('gradients'), 2);
  await settled();
  expect([look.lesson.value, session.question.value, session.isSettling.value]).toEqual(['gradients.3', null, true]);
  expect([layerOf(store.problem.value).desc.h, look.noHintYet.value, look.exercise.value]).toEqual([9, true, true]);
  expect(session.draws.status.value).toBe('loading');
});

test('a draw that could not be settled can be tried again', async () => {
  vi.stubGlobal('Worker', undefined);
  const { look, session } = await pageAt('#h=9&kh=3');
  session.open(set('gradients'), 2);
  await settled();
  expect([session.question.value, session.draws.status.value]).toEqual([null, 'failed']);
  vi.stubGlobal('Worker', FakeWorker);
  session.draws.retry();
  await settled();
  expect([session.question.value?.kind, session.draws.status.value]).toEqual(['cell', 'ready']);
  expect(look.hiddenCells.value).toHaveLength(1);
});
