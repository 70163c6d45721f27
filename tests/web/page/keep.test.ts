import { describe, expect, it, test } from 'vitest';
import { all, cellAt, exact, hasGrid, one, part, shown, texts } from '../support/page/find';
import { goTo, NOTEBOOK_4, open, usePage } from '../support/page/open';
import { choose, openMode } from '../support/page/stage';
import { click, press, typeInto } from '../support/page/user';

// A kept result, and what has changed since.

usePage();

/** y of 7 x 7 pixels with padding 1 and stride 2, by loops. */
function forward(x: (cell: number) => number, w: (tap: number) => number): number[] {
  return Array.from({ length: 16 }, (_, at) => {
    let sum = 0;
    for (let tap = 0; tap < 9; tap += 1) {
      const row = 2 * Math.floor(at / 4) + Math.floor(tap / 3) - 1;
      const col = 2 * (at % 4) + (tap % 3) - 1;
      if (row >= 0 && row < 7 && col >= 0 && col < 7) sum += x(7 * row + col) * w(tap);
    }
    return sum;
  });
}
const ramp = (cell: number) => cell;
const countdown = (tap: number) => 12 - tap;

const ONES = NOTEBOOK_4.replace('countdown:12', 'ones');
const UNPADDED = NOTEBOOK_4.replace('padding=1', 'padding=0');
const bar = () => part('.kept');
const changes = () => texts('.kept__change', part('.kept__changes'));
const words = () => texts('.kept__words > span', bar());
/** The name of a grid of differences. */
const minus = (tensor: string) => `${tensor}, now \u2212 kept`;

describe('a kept result', () => {
  it('says what it is and what has changed; the difference is on the Overview', async () => {
    await open();
    expect(all('heading', 'Kept')).toEqual([]);
    await press('k');
    expect(one('status', undefined, bar()).textContent).toBe(
      'x 7 \u00d7 7, w 3 \u00d7 3, y 4 \u00d7 4; stride 2, padding 1',
    );
    expect(bar().textContent).toContain('Nothing has changed since.');
    await goTo(ONES);
    expect(changes()).toEqual(['w countdown 12 \u2192 ones']);
    const [before, now] = [forward(ramp, countdown), forward(ramp, () => 1)];
    expect(shown('y')).toEqual(now);
    await choose('difference', bar());
    const off = now.map((value, at) => value - (before[at] ?? 0));
    expect(exact(minus('y'))).toEqual(off);
    expect(hasGrid('y')).toBe(false);
    // Neither x nor dy has changed.
    expect(shown(minus('dw'))).toEqual(Array(9).fill(0));
    const largest = Math.min(...off);
    const at = off.indexOf(largest);
    expect(words()).toContain(`y[${Math.floor(at / 4)},${at % 4}] \u2212${-largest}`);
    expect(words()).toContain('dw has not changed');
    await choose('values', bar());
    expect(shown('y')).toEqual(now);
    await choose('difference', bar());
    await click(one('button', 'Drop', bar()));
    expect(all('heading', 'Kept')).toEqual([]);
    expect(shown('y')).toEqual(now);
    expect(document.activeElement?.id).toBe('stage');
  });

  it('has a difference that follows each edit', async () => {
    await open();
    await press('k');
    await choose('difference', bar());
    expect(bar().textContent).toContain('Nothing has changed since.');
    await typeInto('x', 1, 1, '10');
    // x[0,0] was 0; only y[0,0] reads it, with w[1,1] = 8.
    expect(shown(minus('y'))).toEqual([80, ...Array(15).fill(0)]);
    await press('Control+Z');
    expect(shown(minus('y'))).toEqual(Array(16).fill(0));
    // Keeping again replaces it, and shows values.
    await typeInto('x', 1, 1, '10');
    await press('k');
    expect(bar().textContent).toContain('Nothing has changed since.');
    expect(shown('y')[0]).toBe((forward(ramp, countdown)[0] ?? 0) + 80);
  });

  it('says that results of other sizes have no difference', async () => {
    await open();
    await press('k');
    await choose('difference', bar());
    await goTo(UNPADDED);
    expect(changes()).toEqual(['padding 1 \u2192 0']);
    expect(words()[0]?.trim()).toBe('y has no difference to show: it was [1, 4, 4, 1] and is [1, 3, 3, 1].');
    expect(hasGrid('y')).toBe(true);
    expect(hasGrid(minus('dw'))).toBe(true);
    await goTo(`${NOTEBOOK_4}&layout=nchw`);
    expect(words().map((each) => each.trim())).toEqual(['There is no difference to show: the kept result is in NHWC.']);
    expect(hasGrid('y')).toBe(true);
  });

  it('reveals no hidden value, and is not one with hidden values', async () => {
    await open();
    await press('k');
    await choose('difference', bar());
    await goTo(`${ONES}&hidden=y.5`);
    expect(words().map((each) => each.trim())).toEqual(['There is no difference to show while values are hidden.']);
    expect(cellAt('y', 1, 1).textContent).toBe('?');
    await press('k');
    expect(changes()).toEqual(['w countdown 12 \u2192 ones']);
  });

  it('of another layer has no difference', async () => {
    await open(`${NOTEBOOK_4}&layer.2=conv;kh:4;kw:4;weights:ones`);
    await openMode('Overview');
    await press('k');
    await goTo(`${NOTEBOOK_4}&layer.1=conv;kh:1;kw:1;weights:ones`);
    await choose('difference', bar());
    expect(words()[0]).toContain('There is no difference to show: the kept result is that of another layer.');
    expect(changes().some((change) => change.startsWith('layer 2 conv'))).toBe(true);
  });
});

test('the difference is chosen in another view, too', async () => {
  const page = await open(`${NOTEBOOK_4}&mode=matrix`);
  await press('k');
  await goTo(`${ONES}&mode=matrix`);
  await choose('difference', bar());
  expect(page.look.mode.value).toBe('board');
  expect(hasGrid(minus('y'))).toBe(true);
  await openMode('Matrix');
  expect(one('radio', 'values', bar())).toMatchObject({ checked: true });
});
