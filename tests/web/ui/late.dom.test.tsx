import { computed } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LateNotice } from '../../../web/src/ui/LateNotice';
import { late } from '../../../web/src/ui/late';

/** A download that ends when the test says so. */
function download() {
  const ends: { readonly arrive: (loaded: string) => void; readonly fail: (cause?: Error) => void }[] = [];
  const load = () =>
    new Promise<string>((resolve, reject) => {
      ends.push({ arrive: resolve, fail: (cause = new Error('404')) => reject(cause) });
    });
  const settle = () => act(async () => void (await Promise.resolve()));
  return { part: late(load), ends, settle };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  render(null, document.body);
  vi.useRealTimers();
});

describe('a part that comes late', () => {
  test('is asked for once, and runs again who asked for it', async () => {
    const { part, ends, settle } = download();
    const shown = computed(() => part() ?? 'nothing');
    expect([shown.value, part()]).toEqual(['nothing', null]);
    await settle();
    expect(ends).toHaveLength(1);
    ends[0]?.arrive('here');
    await settle();
    expect([shown.value, part.status.value]).toEqual(['here', 'ready']);
  });

  test('that failed says so, and comes when it is tried again', async () => {
    const { part, ends, settle } = download();
    part();
    await settle();
    await act(() => render(<LateNotice what="The map" of={[part]} />, document.body));
    expect(document.body.textContent).toBe('');
    await act(() => void vi.advanceTimersByTime(500));
    expect(document.body.textContent).toContain('The map: being fetched');
    ends[0]?.fail();
    await settle();
    await settle();
    expect(document.body.textContent).toContain('The map could not be fetched');
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

  test('that is not whole says that, and is not asked for again: a browser keeps what it could not read', async () => {
    const { part, ends, settle } = download();
    part();
    await settle();
    await act(() => render(<LateNotice what="The map" of={[part]} />, document.body));
    ends[0]?.fail(new SyntaxError('Unexpected end of input'));
    await settle();
    await settle();
    expect(document.body.textContent).toContain('The map arrived damaged');
    part.retry();
    await settle();
    expect(ends).toHaveLength(1);
  });
});
