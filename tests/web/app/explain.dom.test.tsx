import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bySize } from '../../../web/src/app/explain/Terms';
import { contentOf, explain } from './explain-cell';
import { SlowClient } from './fake-questions';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('a sum is never shown with the value of another problem', async () => {
  const client = new SlowClient();
  const root = document.createElement('div');
  document.body.append(root);
  const cell = { tensor: 'y', index: 0 } as const;
  const seen: { readonly sum: number | null; readonly value: number; readonly title: number }[] = [];
  const look = () => {
    const rows = new Map(
      [...root.querySelectorAll('.totals__row')].map((row) => [
        row.querySelector('dt')?.textContent ?? '',
        // Empty until the library has answered.
        row.querySelector('dd')?.textContent ? Number(row.querySelector('dd')?.textContent) : null,
      ]),
    );
    const value = rows.get('library');
    if (value === undefined || value === null) return;
    const title = Number(root.querySelector('.explain__title')?.textContent?.split('=')[1]);
    const sum = rows.get('sum') ?? null;
    seen.push({ sum, value, title });
    // The mark that both are equal.
    expect(root.querySelectorAll('.totals__row--right')).toHaveLength(sum === value ? 1 : 0);
  };
  new MutationObserver(look).observe(root, { subtree: true, childList: true, characterData: true });
  const show = (revision: number) => act(() => explain(root, client, cell, contentOf(revision), revision));
  const answer = () =>
    act(() =>
      client.answer(({ revision }) => ({
        products: new Float32Array(9).fill(revision),
        subtotals: Float32Array.of(9 * revision),
        sum: 9 * revision,
      })),
    );
  // The code that asks is loaded on demand.
  await show(1);
  await vi.waitFor(() => expect(client.asked).toHaveLength(1));
  await answer();
  look();
  for (let revision = 2; revision <= 20; revision += 1) {
    await show(revision);
    look();
    if (revision % 3 === 0) await act(() => void vi.advanceTimersByTime(revision % 2 ? 100 : 300));
    look();
    if (revision % 4 !== 0) await answer();
    look();
  }
  await answer();
  await answer();
  look();
  for (const { sum, value, title } of seen) {
    expect(title).toBe(value);
    if (sum !== null) expect(sum).toBe(value);
  }
  expect(seen.at(-1)).toEqual({ sum: 180, value: 180, title: 180 });
  expect(new Set(seen.map(({ value }) => value)).size).toBeGreaterThan(10);
  expect(seen.some(({ sum }) => sum === null)).toBe(true);
});

test('a cell of x lists the cells of y that use it, each with the weight between them', () => {
  const root = document.createElement('div');
  // x[1,1] is in all four windows of the 4 × 4 input.
  act(() => explain(root, new SlowClient(), { tensor: 'x', index: 5 }, contentOf(1), 1));
  const lines = [...root.querySelectorAll('.feeds__line')].map((line) => line.textContent);
  expect(lines).toEqual([
    'y[0,0] via w[1,1] = 1',
    'y[0,1] via w[1,0] = 1',
    'y[1,0] via w[0,1] = 1',
    'y[1,1] via w[0,0] = 1',
  ]);
});

test('the value of a matrix cell is removed when its problem changes', () => {
  const client = new SlowClient();
  const root = document.createElement('div');
  const cell = { tensor: 'dw_col', index: 4, value: 35, seenIn: 1 } as const;
  const titleIn = (revision: number) => {
    act(() => explain(root, client, cell, contentOf(revision), null));
    return root.querySelector('.explain__title')?.textContent;
  };
  expect(titleIn(1)).toBe('dw_col[4,0] = 35');
  expect(titleIn(2)).toBe('dw_col[4,0]');
});

test('terms are ordered by the absolute values of their products', () => {
  const all = Float32Array.of(9, 0.5, -3, 1e-40, -0, 2, -1e30, Number.NEGATIVE_INFINITY, 3);
  const products = all.subarray(1);
  expect(bySize([0, 1, 2, 3, 4, 5, 6, 7], products)).toEqual([6, 5, 1, 7, 4, 0, 2, 3]);
  // Only the listed terms; equal values keep their order.
  expect(bySize([7, 1, 4], products)).toEqual([7, 1, 4]);
});
