import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { contentOf, explain } from './explain-cell';
import { SlowClient } from './fake-questions';

// The sum in one line has a file of its own. Without it Explain still has the factors.

vi.mock('../../../web/src/app/lesson/SumFormula', () => {
  throw new Error('404');
});
afterEach(() => document.body.replaceChildren());

test('where the sum failed to load, Explain says so between the title and the factors', async () => {
  const root = document.createElement('div');
  document.body.append(root);
  act(() => explain(root, new SlowClient(), { tensor: 'y', index: 0 }, contentOf(2), 2));
  await vi.waitFor(() => expect(root.querySelector('.notice')).not.toBeNull());
  const notice = root.querySelector('.notice');
  expect(notice?.getAttribute('role')).toBe('alert');
  expect(notice?.querySelector('p')?.textContent).toMatch(/^The sum failed to load\. Try again, or reload the page/);
  expect([...(notice?.querySelectorAll('button') ?? [])].map((button) => button.textContent)).toEqual([
    'Try again',
    'Reload the page',
  ]);
  const parts = ['.explain__title', '.notice', '.pair__cells', '.totals'].map((name) => root.querySelector(name));
  expect(parts).not.toContain(null);
  for (const [i, part] of parts.slice(1).entries())
    expect(parts[i]?.compareDocumentPosition(part as Element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
