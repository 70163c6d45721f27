import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { Toast, useToast } from '../../../web/src/app/Toast';

afterEach(() => {
  act(() => render(null, document.body));
  vi.useRealTimers();
});

let say: (text: string) => void = () => undefined;
function Page() {
  const [message, tell] = useToast();
  say = tell;
  return <Toast message={message} />;
}

const toast = () => document.querySelector('[role=status] .toast');

test('an equal text is shown for its whole time, and is a new element for screen readers', () => {
  vi.useFakeTimers();
  act(() => render(<Page />, document.body));
  act(() => say('Link copied.'));
  const first = toast();
  act(() => void vi.advanceTimersByTime(3000));
  act(() => say('Link copied.'));
  expect(toast()?.textContent).toBe('Link copied.');
  expect(toast()).not.toBe(first);
  act(() => void vi.advanceTimersByTime(3000));
  expect(toast()?.textContent).toBe('Link copied.');
  act(() => void vi.advanceTimersByTime(1000));
  expect(toast()).toBeNull();
  act(() => say('Other'));
  act(() => say(''));
  expect(toast()).toBeNull();
});
