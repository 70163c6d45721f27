// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { syncLocation } from '../../../web/src/state/location';
import { createStore } from '../../../web/src/state/store';

beforeEach(() => {
  vi.useFakeTimers();
  window.location.hash = '';
});
afterEach(() => vi.useRealTimers());

test('edits reach the address once they pause', () => {
  const store = createStore();
  const stop = syncLocation(store, window);
  store.setDesc({ h: 8 });
  store.setDesc({ h: 9 });
  expect(window.location.hash).toBe('');
  vi.advanceTimersByTime(500);
  expect(window.location.hash).toContain('h=9&w=7');
  stop();
  store.setDesc({ h: 5 });
  vi.advanceTimersByTime(500);
  expect(window.location.hash).toContain('h=9');
});

test('an address that the user opens replaces the problem, as one edit', async () => {
  const store = createStore();
  const stop = syncLocation(store, window);
  vi.advanceTimersByTime(500);
  window.location.hash = 'h=5&kh=2&nonsense';
  window.dispatchEvent(new HashChangeEvent('hashchange'));
  await vi.waitFor(() => expect(store.problem.value.desc).toMatchObject({ h: 5, kh: 2 }));
  expect(store.complaints.value).toHaveLength(1);
  store.undo();
  expect(store.problem.value.desc.h).toBe(7);
  stop();
});
