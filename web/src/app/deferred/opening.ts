import { batch } from '@preact/signals';
import { positionOf } from '../../geometry/grid';
import { stepCount } from '../../geometry/steps';
import { OPENING_CELL } from '../../state/problem';
import { writeStored } from '../../storage/storage';
import { playing } from '../../ui/scrubber/playing';
import { covered, openingCaption } from '../../views/overview/parts';
import { cellIn, fly, isMotionReduced, stopMotion } from '../../views/shared/travel';
import type { Page } from '../page/page';

const FORWARD = 'Forward: the window moves over x, and each position makes one cell of y.';
const BACKWARD = 'Backward: the 1 in dy comes back. dx is w where the window was, and dw is the window.';
/** The first of them ends the motion. Those on the player pause it. */
const ACTIONS = ['pointerdown', 'keydown', 'wheel', 'hashchange'] as const;

/** Shows the opening problem in motion: the window makes y, then dy makes dx, dw and db, which are empty until then. */
export async function showOpening({ look, currentContent }: Page): Promise<void> {
  const g = currentContent.peek()?.geometry;
  if (!g || isMotionReduced()) return;
  writeStored('localStorage', 'opening', 'seen');
  const { row, col } = positionOf(g, OPENING_CELL);
  const flyOne = (to: Element | null, time: number) => fly(cellIn('dy', row, col), to, time);
  /** Between the cells of w or dw and those of the window on x or dx, which has stride 1 and no padding. */
  const flyWindow = (from: string, to: string, time: number) => {
    const cellOf = (tensor: string, i: number, j: number) =>
      tensor.endsWith('w') ? cellIn(tensor, i, j) : cellIn(tensor, row + i, col + j);
    for (let i = 0; i < g.kh; i += 1) {
      for (let j = 0; j < g.kw; j += 1) fly(cellOf(from, i, j), cellOf(to, i, j), time);
    }
  };
  const step = (t: number) => {
    look.play();
    look.choose('board', { t });
  };
  const back = (time: number) => {
    openingCaption.value = BACKWARD;
    look.choose('board', { t: '' });
    look.suggest({ tensor: 'dy', index: OPENING_CELL.index }, g);
    flyOne(document.querySelector('main .panel--w .number-grid'), time);
  };
  const cover = (...names: typeof covered.value) => {
    covered.value = names;
  };
  /** Times in ms, less than 5 s in all. A step is shorter than the pause before the address is written, so the address does not change. */
  const scenes: readonly (readonly [time: number, ...acts: ((time: number) => void)[]])[] = [
    [400, () => cover('dx', 'dw', 'db')],
    ...Array.from({ length: stepCount(g, 'forward') }, (_, i) => [240, () => step(i + 1)] as const),
    [350, back],
    [550, (time) => flyWindow('w', 'dx', time)],
    [600, () => cover('dw', 'db'), (time) => flyWindow('x', 'dw', time)],
    [450, () => cover('db'), (time) => flyOne(cellIn('db', 0, 0), time)],
    [300, () => cover()],
  ];

  const end = () =>
    batch(() => {
      look.choose('board', { t: '' });
      look.suggest(OPENING_CELL, g);
      playing.value = null;
    });
  const listening = new AbortController();
  for (const action of ACTIONS) {
    const onAction = ({ target }: Event) => {
      if (!(target instanceof Element && target.closest('.scrubber'))) end();
    };
    window.addEventListener(action, onAction, { capture: true, passive: true, signal: listening.signal });
  }
  openingCaption.value = FORWARD;
  playing.value = 'opening';
  const forget = playing.subscribe((by) => {
    if (by === 'opening') return;
    forget();
    listening.abort();
    stopMotion();
    openingCaption.value = null;
    covered.value = [];
    // Paused in the second half, which is no step of the player.
    if (look.current.peek()?.tensor === 'dy') look.suggest(OPENING_CELL, g);
  });
  for (const [time, ...acts] of scenes) {
    batch(() => {
      for (const act of acts) act(time);
    });
    await new Promise((later) => setTimeout(later, time));
    if (playing.peek() !== 'opening') return;
  }
  end();
}
