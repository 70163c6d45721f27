import { computed } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lazy } from '../../../web/src/ui/lazy';
import { LoadingNotice } from '../../../web/src/ui/notices';

/** A download that the test ends. */
function download() {
  const ends: { readonly arrive: (loaded: string) => void; readonly fail: (cause?: Error) => void }[] = [];
  const load = () =>
    new Promise<string>((resolve, reject) => {
      ends.push({ arrive: resolve, fail: (cause = new Error('404')) => reject(cause) });
    });
  const settle = () => act(async () => void (await Promise.resolve()));
  return { part: lazy('The map', load), ends, settle };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  render(null, document.body);
  vi.useRealTimers();
});

describe('a lazy part', () => {
  test('is loaded once, and re-runs its computed signals', async () => {
    const { part, ends, settle } = download();
    const shown = computed(() => part() ?? 'nothing');
    expect([shown.value, part()]).toEqual(['nothing', null]);
    await settle();
    expect(ends).toHaveLength(1);
    ends[0]?.arrive('here');
    await settle();
    expect([shown.value, part.status.value]).toEqual(['here', 'ready']);
  });

  test('reports a failed download and loads on Try again', async () => {
    const { part, ends, settle } = download();
    part();
    await settle();
    await act(() => render(<LoadingNotice of={part} />, document.body));
    expect(document.body.textContent).toBe('');
    await act(() => void vi.advanceTimersByTime(500));
    expect(document.body.textContent).toContain('The map: loading…');
    ends[0]?.fail();
    await settle();
    await settle();
    expect(document.body.textContent).toContain('The map failed to load.');
    expect(part()).toBeNull();
    expect(ends).toHaveLength(1);
    const [again] = document.querySelectorAll('button');
    await act(() => again?.click());
    expect(ends).toHaveLength(2);
    ends[1]?.arrive('here');
    await settle();
    await settle();
    expect(document.body.textContent).toBe('');
    expect(part()).toBe('here');
  });

  test.each([new SyntaxError('Unexpected end of input'), new ReferenceError('part is not defined')])(
    'reports a damaged file and does not retry it, because the browser caches it: %s',
    async (cause) => {
      const { part, ends, settle } = download();
      part();
      await settle();
      await act(() => render(<LoadingNotice of={part} />, document.body));
      ends[0]?.fail(cause);
      await settle();
      await settle();
      expect(document.body.textContent).toContain('The map failed to load (damaged file).');
      part.retry();
      await settle();
      expect(ends).toHaveLength(1);
    },
  );
});
