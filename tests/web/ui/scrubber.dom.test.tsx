import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Scrubber } from '../../../web/src/ui/scrubber/Scrubber';

// What players do on the page: tests/web/page/players.test.ts.

beforeEach(() => {
  // Effects after painting do not run until the test lets them.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'requestAnimationFrame'] });
});
afterEach(() => {
  render(null, document.body);
  vi.useRealTimers();
});

const button = (name: string) =>
  document.querySelector<HTMLButtonElement>(`[aria-label^="${name}"]`) ?? expect.fail(`no button ${name}`);

test('a player that was paused makes no further step, also before the next frame', async () => {
  const onChange = vi.fn();
  const player = (
    <Scrubber label="steps" value={1} total={9} row={3} sentence="" speeds={[1, 4, 100]} onChange={onChange} />
  );
  act(() => render(player, document.body));
  act(() => button('Play').click());
  // Thirty times a second: one step now, the next within 2 ms.
  vi.advanceTimersByTime(65);
  expect(onChange).toHaveBeenCalledExactlyOnceWith(4);
  button('Pause').click();
  await Promise.resolve();
  expect(button('Play')).toBeDefined();
  vi.advanceTimersByTime(2);
  expect(onChange).toHaveBeenCalledTimes(1);
});
