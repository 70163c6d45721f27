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
  const player = <Scrubber label="steps" value={1} total={9} row={3} sentence="" speeds={[100]} onChange={onChange} />;
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

test('while it plays, only its first and its last step are said', () => {
  const live = () => document.querySelector('.scrubber__sentence')?.getAttribute('aria-live');
  const show = (value: number) =>
    act(() =>
      render(
        <Scrubber label="steps" value={value} total={4} row={2} sentence={`Step ${value}.`} onChange={vi.fn()} />,
        document.body,
      ),
    );
  const steps = [0, 1, 2, 3, 4];
  show(0);
  act(() => button('Play').click());
  const heard = steps.filter((value) => {
    show(value);
    return live() === 'polite';
  });
  expect(heard).toEqual([0, 1, 4]);
  act(() => button('Pause').click());
  const all = steps.filter((value) => {
    show(value);
    return live() === 'polite';
  });
  expect(all).toEqual(steps);
});
