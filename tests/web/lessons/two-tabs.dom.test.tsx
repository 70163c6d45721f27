import { beforeEach, expect, test, vi } from 'vitest';
import { NO_WORK } from '../../../web/src/app/lesson/exercise/work';

/** Progress, answers and scores of two tabs of one browser: the modules are loaded twice, and share localStorage. */

async function tab() {
  vi.resetModules();
  return {
    ...(await import('../../../web/src/app/lesson/progress')),
    ...(await import('../../../web/src/app/lesson/exercise/work')),
    ...(await import('../../../web/src/app/lesson/spot/bugs')),
  };
}

beforeEach(() => localStorage.clear());

test('a step in one tab keeps the lessons that another tab finished', async () => {
  const [a, b] = [await tab(), await tab()];
  a.persistDone('padding');
  a.persistStep('strides', 2);
  b.persistStep('depth', 1);
  expect((await tab()).progress.value).toEqual({ done: ['padding'], at: { strides: 2, depth: 1 } });
});

test('an answer in one tab keeps the sets that another tab answered', async () => {
  const [a, b] = [await tab(), await tab()];
  a.persistWork('forward-sums', { ...NO_WORK, answers: '1_2', student: 'A&da' });
  b.persistWork('geometry', { ...NO_WORK, answers: '7' });
  b.persistWork('gradients', { ...NO_WORK, answers: '3' });
  a.persistWork('gradients', NO_WORK);
  expect((await tab()).persistedWork.value).toEqual({ 'forward-sums': '1_2&name=A%26da', geometry: '7' });
});

test('guesses in two tabs are added up', async () => {
  const [a, b] = [await tab(), await tab()];
  a.persistGuess(7, 0, true);
  b.persistGuess(7, 1, false);
  b.persistGuess(8, 1, true);
  a.persistGuess(7, 2, true);
  const after = await tab();
  expect(after.scoreOf(7)).toEqual({ seed: 7, found: [0, 2], guesses: 3 });
  expect(after.scoreOf(8)).toEqual({ seed: 8, found: [1], guesses: 1 });
});

test('a tab shows what another tab stored', async () => {
  const [a, b] = [await tab(), await tab()];
  a.persistDone('padding');
  window.dispatchEvent(new StorageEvent('storage', { key: null, storageArea: localStorage }));
  expect(b.progress.value.done).toEqual(['padding']);
});

test('without storage, the page remembers until it is closed', async () => {
  const a = await tab();
  const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('QuotaExceededError');
  });
  a.persistDone('padding');
  a.persistStep('strides', 2);
  refuse.mockRestore();
  expect(a.progress.value).toEqual({ done: ['padding'], at: { strides: 2 } });
});
