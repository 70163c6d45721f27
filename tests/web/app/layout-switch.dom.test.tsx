import { render } from 'preact';
import { expect, test, vi } from 'vitest';
import { LayoutSwitch } from '../../../web/src/app/page/LayoutSwitch';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { createStore } from '../../../web/src/state/store';
import { layerOf } from '../support/problems';

test('the layout moves the values in memory and is kept in the link; undo restores both', async () => {
  // x[row][col][channel] is 0 to 7, and one weight for each channel.
  const link = parseLink('h=2&c=2&kh=1&x=ramp&weights=constant:0~i8.AQI');
  const store = createStore(link.problem);
  render(<LayoutSwitch page={{ store }} />, document.body);
  const option = (name: string) => document.body.querySelector<HTMLInputElement>(`input[value="${name}"]`);
  const seen = () => {
    const problem = store.problem.peek();
    const { hash } = writeLink({ problem, look: link.look });
    return { x: [...problem.x.data], w: [...layerOf(problem).w.data], link: /layout=\w+/.exec(hash)?.[0] };
  };
  const before = { x: [0, 1, 2, 3, 4, 5, 6, 7], w: [1, 2], link: undefined };
  expect(seen()).toEqual(before);
  expect(option('nhwc')?.checked).toBe(true);
  option('nchw')?.click();
  expect(seen()).toEqual({ x: [0, 2, 4, 6, 1, 3, 5, 7], w: [1, 2], link: 'layout=nchw' });
  await vi.waitFor(() => expect(option('nchw')?.checked).toBe(true));
  store.undo();
  expect(seen()).toEqual(before);
});
