import { describe, expect, it, vi } from 'vitest';
import { showOpening } from '../../../web/src/app/deferred/opening';
import { all, cellAt, one, says, texts } from '../support/page/find';
import { NO_LINK, NOTEBOOK_4, open, usePage, wait } from '../support/page/open';
import { headline, marks, openMode, reached, sentence, slider } from '../support/page/stage';
import { click, hover, press } from '../support/page/user';

usePage();

/** The elements with an animation. */
function useAnimations(isReduced = false): readonly Element[] {
  const { matchMedia } = window;
  vi.stubGlobal('matchMedia', (query: string) =>
    query.includes('reduced-motion') ? { matches: isReduced } : matchMedia(query),
  );
  return vi.spyOn(Element.prototype, 'animate').mock.contexts as Element[];
}

const player = (name: string) => one('button', name, one('main'));
const copies = () => texts('.travel');
/** The gradients that are covered. */
const empty = () => ['dx', 'dw', 'db'].filter((tensor) => marks(tensor, 'pending').length > 0);

describe('Explain', () => {
  it('keeps still while the player plays, shows a cell that the user points at, and in the end the last step', async () => {
    useAnimations();
    await open(NO_LINK);
    expect(headline()).toBe('y[1,1] = 3');
    await click(player('Play'));
    for (let i = 0; i < 3; i += 1) {
      const before = reached();
      await wait(700);
      expect(reached()).not.toBe(before);
      expect(headline()).toBe('y[1,1] = 3');
    }
    await hover(cellAt('x', 0, 0));
    expect(headline()).toMatch(/^x\[0,0\]/);
    await hover(null);
    await wait(5000);
    expect(reached()).toBe('9 of 9');
    expect(headline()).toMatch(/^y\[2,2\]/);
  });
});

describe('the opening', () => {
  const show = async () => {
    useAnimations();
    const page = await open(NO_LINK);
    // The event of the new address comes by the real clock, and would end the opening.
    window.addEventListener('hashchange', (event) => event.stopImmediatePropagation(), { capture: true, once: true });
    void showOpening(page);
  };

  it('fills y, then dx, dw and db, which are empty until then, in less than 5 s', async () => {
    await show();
    const seen: string[] = [];
    const explained: string[] = [];
    for (let time = 0; time < 5000; time += 16) {
      await vi.advanceTimersByTimeAsync(16);
      const now = `${reached()?.[0]} ${empty()}`;
      if (seen.at(-1) !== now) seen.push(now);
      if (now !== '0 ') expect(all('button', 'Pause')).toHaveLength(1);
      if (explained.at(-1) !== headline()) explained.push(headline());
    }
    const steps = Array.from({ length: 9 }, (_, i) => `${i + 1} dx,dw,db`);
    expect(seen).toEqual(['0 dx,dw,db', ...steps, '0 dx,dw,db', '0 dw,db', '0 db', '0 ']);
    // Explain keeps still in each half: in the second one it says what the 1 of dy is used by.
    expect(explained).toEqual(['y[1,1] = 3', 'dy[1,1] = 1', 'y[1,1] = 3']);
    expect(all('button', 'Play')).toHaveLength(1);
    expect(sentence()).toMatch(/^Press Play/);
    expect(copies()).toEqual([]);
  });

  it('pauses at its step, and plays on from there', async () => {
    await show();
    await vi.advanceTimersByTimeAsync(1000);
    expect(reached()).toBe('3 of 9');
    await click(player('Pause'));
    await wait(3000);
    expect(reached()).toBe('3 of 9');
    expect(empty()).toEqual([]);
    await click(player('Play'));
    await wait(700);
    expect(reached()).toBe('4 of 9');
  });

  it('ends in its second half with all gradients', async () => {
    await show();
    await vi.advanceTimersByTimeAsync(3200);
    expect(empty()).toEqual(['dx', 'dw', 'db']);
    await click(player('Pause'));
    expect([empty(), copies(), headline()]).toEqual([[], [], 'y[1,1] = 3']);
  });

  it('ends with a press anywhere else', async () => {
    await show();
    await vi.advanceTimersByTimeAsync(1000);
    await click(one('heading', /^y\[1,1\]/));
    await wait(1000);
    expect([reached(), empty()]).toEqual(['0 of 9', []]);
  });

  it('is not shown where less motion is asked', async () => {
    useAnimations(true);
    await showOpening(await open(NO_LINK));
    await wait(1000);
    expect([reached(), empty()]).toEqual(['0 of 9', []]);
    expect(all('button', 'Play')).toHaveLength(1);
  });
});

describe('values', () => {
  /** Steps to y[1,1], which has two products, two frames before. */
  const step = async () => {
    await press('Home', slider());
    for (let i = 0; i < 4; i += 1) await press('ArrowRight');
    await wait(1000);
    slider().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    await vi.advanceTimersByTimeAsync(32);
  };

  it('travel from the window to the line, to their sum, and to the cell of a step', async () => {
    const begun = useAnimations();
    await open(NO_LINK);
    await step();
    const products = texts('.products__one--counts');
    const terms = texts('.sum__term');
    expect(terms.length).toBeGreaterThan(1);
    expect(copies().toSorted()).toEqual([...products, ...terms, ...texts('.sum__result')].toSorted());
    expect(begun).toContain(cellAt('y', 1, 1));
    await vi.advanceTimersByTimeAsync(3 * 160);
    expect(copies()).toEqual([]);
  });

  it('stay where less motion is asked', async () => {
    const begun = useAnimations(true);
    await open(NO_LINK);
    await step();
    expect(reached()).toBe('5 of 9');
    expect([begun, copies()]).toEqual([[], []]);
  });

  it('stay while the player is fast', async () => {
    const begun = useAnimations();
    await open(NO_LINK);
    await click(player('Faster'));
    await click(player('Play'));
    await wait(1000);
    expect([begun, copies()]).toEqual([[], []]);
  });
});

it('a cell that no window has reached shows its value while the user points at it, and the player names only that cell', async () => {
  await open(NOTEBOOK_4);
  await press('Home', slider());
  for (let i = 0; i < 6; i += 1) await press('ArrowRight');
  await hover(cellAt('y', 2, 1));
  // The last area is a hole in the one before it.
  expect(marks('y', 'pending')).toEqual([
    { row: 1, col: 2, rows: 1, cols: 2 },
    { row: 2, col: 0, rows: 2, cols: 4 },
    { row: 2, col: 1, rows: 1, cols: 1 },
  ]);
  expect(texts('main .scrubber__sentence:not(.visually-hidden)')).toEqual(['Selected: y[2,1].']);
  await hover(cellAt('y', 1, 1));
  expect(marks('y', 'pending')).toHaveLength(2);
  await hover(null);
  expect(texts('main .scrubber__sentence:not(.visually-hidden)')).toEqual([sentence()]);
  expect(says('Step 6 of 16: y[1,1] reads rows 1 to 3, columns 1 to 3 of x.')).toBe(true);
});

it('a player of more than 256 windows goes row by row, through all of them in 8 s at most', async () => {
  await open('#h=40&kh=3&x=ramp');
  expect(texts('.scrubber__speed span')).toEqual(['8 rows / s']);
  await click(player('Play'));
  await wait(1000);
  expect(Number(reached()?.split(' ')[0]) % 38).toBe(0);
  await wait(7000);
  expect(reached()).toBe('1444 of 1444');
  await openMode('dx');
  expect(texts('.scrubber__speed span')[0]).toMatch(/rows/);
});
