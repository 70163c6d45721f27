import { batch } from '@preact/signals';
import { stepCount } from '../../geometry/steps';
import { DEFAULT_LOOK } from '../../look/look';
import { OPENING_CELL } from '../../state/problem';
import { readStored, writeStored } from '../../storage/storage';
import { openingCaption } from '../../views/board/opening-caption';
import type { Page } from '../page/page';

const STORAGE_KEY = 'opening';
const FORWARD = 'Forward: the window moves over x, and each position makes one cell of y.';
const BACKWARD = 'Backward: the 1 in dy comes back. dx is w where the window was, and dw is the window.';
/** In ms. A step is shorter than the pause before the address is written, so the address does not change. */
const TIMES = { before: 700, step: 380, after: 300, back: 3500 };
/** The first of them ends the motion. */
const ACTIONS = ['pointerdown', 'keydown', 'wheel', 'hashchange'] as const;

/**
 * Shows the opening problem in motion, once per browser: the window passes over x and y fills, then the gradient comes back. Not for
 * a link that contains more, and not with reduced motion.
 */
export function showOpening({ look, scene }: Page): void {
  const geometry = scene.peek()?.geometry;
  const cell = look.current.peek();
  const isSuggested = cell?.tensor === OPENING_CELL.tensor && cell.index === OPENING_CELL.index;
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (
    !geometry ||
    !isSuggested ||
    !isDefault(look.written.peek()) ||
    isReduced ||
    document.hidden ||
    readStored('localStorage', STORAGE_KEY) !== null
  )
    return;
  writeStored('localStorage', STORAGE_KEY, 'seen');
  const total = stepCount(geometry, 'forward');
  let timer = 0;
  const after = (time: number, act: () => void) => {
    timer = window.setTimeout(act, time);
  };
  const end = () => {
    clearTimeout(timer);
    for (const action of ACTIONS) window.removeEventListener(action, end, true);
    batch(() => {
      openingCaption.value = null;
      look.choose('board', { t: '' });
      look.hover(null);
      look.suggest(OPENING_CELL, geometry);
    });
  };
  const back = () => {
    batch(() => {
      openingCaption.value = BACKWARD;
      look.choose('board', { t: '' });
      look.hover({ tensor: 'dy', index: OPENING_CELL.index });
    });
    after(TIMES.back, end);
  };
  const step = (t: number) => {
    batch(() => {
      openingCaption.value = FORWARD;
      look.play();
      look.choose('board', { t });
    });
    if (t < total) after(TIMES.step, () => step(t + 1));
    else after(TIMES.after, isInView('dx') ? back : end);
  };
  for (const action of ACTIONS) window.addEventListener(action, end, { capture: true, passive: true });
  after(TIMES.before, () => step(1));
}

/** On a phone the gradients are further down. */
const isInView = (tensor: string): boolean =>
  (document.querySelector(`.panel--${tensor}`)?.getBoundingClientRect().top ?? innerHeight) < innerHeight;

const isDefault = (look: object): boolean =>
  Object.entries(DEFAULT_LOOK).every(
    ([name, value]) => JSON.stringify(Reflect.get(look, name)) === JSON.stringify(value),
  );
