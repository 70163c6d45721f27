import { describe, expect, it, test } from 'vitest';
import { all, cellAt, one, part, says, texts } from '../support/page/find';
import { DESKTOP, NO_LINK, open, PHONE, usePage, wait } from '../support/page/open';
import { choose, frames, headline, isChecked, marks, openMode, reached, sentence, slider } from '../support/page/stage';
import { click, press } from '../support/page/user';

usePage();

/** Every player: its view, the choice in it, and how the name of its slider begins, where the choice changes it. */
const PLAYERS: [mode: string, chosen?: string, name?: RegExp][] = [
  ['Overview'],
  ['dx', 'scatter'],
  ['dx', 'gather'],
  ['dx', 'full convolution'],
  ['dw & db', 'x convolved with dy'],
  ['dw & db', 'window by window'],
  ['dw & db', 'db'],
  ['im2col', '1 im2col'],
  ['im2col', '3 col2im', /^rows of dx_col/],
];

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
] as const)('on %s, on a fresh page', (_, device) => {
  test('a step of each player moves the marks, and so does Play', async () => {
    await open(NO_LINK, device);
    for (const [mode, chosen, name = /^(windows|steps|positions|rows)/] of PLAYERS) {
      if (mode !== 'Overview') await openMode(mode);
      if (chosen) await choose(chosen, one('main'));
      const player = `${mode} ${chosen}`;
      await press('Home', slider(name));
      expect(reached(name), player).toMatch(/^0 of /);
      const forward = one('button', 'One step forward', one('main'));
      let seen = '';
      for (const step of [1, 2]) {
        await click(forward);
        expect(reached(name), player).toMatch(new RegExp(`^${step} of `));
        expect(frames(), `step ${step} of ${player} moves no mark`).not.toBe(seen);
        seen = frames();
      }
      await click(one('button', 'Play', one('main')));
      // At first two steps a second, or four where there are more than 16.
      await wait(400);
      expect(reached(name), player).toMatch(/^[34] of /);
      expect(frames(), `Play moves no mark of ${player}`).not.toBe(seen);
      await click(one('button', 'Pause', one('main')));
    }
  });
});

test.each([
  ['a fresh page', false],
  ['a click on y[0,0]', true],
])(
  'the player of Overview names the same cell in caption, marks and Explain at each step, after %s',
  async (_, isClicked) => {
    await open(NO_LINK);
    if (isClicked) await click(cellAt('y', 0, 0));
    for (let step = 1; step <= 9; step += 1) {
      await click(one('button', 'One step forward', one('main')));
      expect(reached()).toBe(`${step} of 9`);
      const [row, col] = [Math.floor((step - 1) / 3), (step - 1) % 3];
      expect(sentence()).toContain(`y[${row},${col}] reads`);
      expect(headline()).toMatch(new RegExp(`^y\\[${row},${col}\\] =`));
      expect(marks('y', 'focus')).toEqual([{ row, col, rows: 1, cols: 1 }]);
    }
  },
);

describe('a view', () => {
  it('dw & db opens on the sum over windows; a link to it keeps its meaning', async () => {
    await open(NO_LINK);
    await openMode('dw & db');
    expect(isChecked(one('radio', 'x convolved with dy'))).toBe(true);
    await open('#mode=dw');
    expect(isChecked(one('radio', 'matrix product'))).toBe(true);
  });

  it('Sizes and coverage has a remark on the corners of the opening problem, not an alarm', async () => {
    await open(NO_LINK);
    const view = await openMode('Sizes and coverage');
    expect(says('A corner of x is in only 1 window', view)).toBe(true);
    expect(texts('.verdict--poor', view)).toEqual([]);
    await click(one('button', 'Try: padding → same', view));
    expect(says('Even coverage', view)).toBe(true);
  });

  it('says which channel of 3 × 3 × 2 a panel shows', async () => {
    await open('#h=4&kh=3&c=2&k=2&slice=c1');
    for (const name of ['w, channel 1 of 3 × 3 × 2', 'x, channel 1 of 4 × 4 × 2', 'y, filter 0 of 2 × 2 × 2']) {
      expect(all('group', name), name).toHaveLength(1);
    }
    expect(texts('.figure__head span', part('main .panel--w'))).toEqual(['w', 'channel 1 of', '3 × 3 × 2']);
  });
});
