import { effect } from '@preact/signals';
import { cellName } from '../../geometry/labels';
import { type Cell, type Hidden, isTensor } from '../../protocol/problem';
import { singleOf } from '../../sources/loss';
import type { Shown } from '../../state/exchange';
import { counted } from '../../ui/quantities';
import { predictorOf } from '../lesson/predict/predictor';
import type { Page } from '../page/page';
import { cellSentence } from './cell-sentence';
import { addedLayer, changeSentence } from './change-sentence';

/** In ms: a slider that moves, or digits that follow each other, are one sentence. */
const PAUSE = 300;

/**
 * Says in a live region in `place` what changed: the problem, the cell that is chosen, what is hidden, the open layer. It is in the page at
 * every width, while the explanation of a cell may be closed. Moves the focus to a layer that was added.
 */
export function speakChanges(page: Page, place: Element): void {
  const { store, look } = page;
  const region = place.appendChild(document.createElement('p'));
  region.className = 'visually-hidden spoken';
  region.setAttribute('role', 'status');
  const seen = () => ({
    shown: store.shown.value,
    lesson: look.lesson.value,
    pinned: look.pinned.value,
    hidden: look.hiddenCells.value,
    isNetwork: look.mode.value === 'network',
  });
  let last = seen();
  let current = last;
  /** A lesson was left, and the problem from before it comes back. */
  let isBack = false;
  let timer = 0;
  const speak = (now: typeof last) => {
    const before = last;
    // A later result has the problem that the page has now.
    if (!now.shown || now.shown.problem !== store.problem.peek()) return;
    last = now;
    const isOwn = isBack && now.lesson === null;
    isBack = false;
    region.textContent = before.shown ? (isOwn ? BACK : sentence(before as Seen, now as Seen, page)) : '';
    const added = before.shown ? addedLayer(before.shown, now.shown) : -1;
    if (added >= 0 && document.activeElement?.closest('.net-added'))
      document.querySelector<HTMLElement>(`[data-flip="${added + 1} 0"] button`)?.focus();
  };
  effect(() => {
    const now = seen();
    const isLeft = current.lesson !== null && now.lesson === null;
    isBack ||= isLeft && now.shown?.problem !== store.problem.peek();
    current = now;
    clearTimeout(timer);
    timer = window.setTimeout(speak, PAUSE, now);
  });
}

const BACK = 'Your own work is back.';

interface Seen {
  readonly shown: Shown;
  readonly lesson: string | null;
  readonly pinned: Cell | null;
  readonly hidden: readonly Hidden[];
  readonly isNetwork: boolean;
}

function sentence(before: Seen, now: Seen, page: Page): string {
  const { shown, pinned, hidden, isNetwork } = now;
  // A step of a lesson and a question say themselves what they open.
  if (before.lesson !== now.lesson) return '';
  const changed =
    before.shown !== shown && !page.look.exercise.peek()
      ? changeSentence(before.shown, shown, { isNetwork, cell: tellingCell(shown, pinned) })
      : '';
  if (changed) return changed;
  if (before.hidden !== hidden) return hiddenSentence(before.hidden, now, page);
  if (before.isNetwork && !isNetwork && shown.layers.length > 1) return `Layer ${shown.index + 1}, ${shown.title}.`;
  if (before.pinned?.tensor === pinned?.tensor && before.pinned?.index === pinned?.index) return '';
  return pinned ? cellSentence(shown, pinned) : 'No cell is pinned.';
}

/** "dx[0,0] is hidden.", "dx: 25 cells are hidden.", and "4 is correct. dx[0,0] is 4: the sum of 9 products." */
function hiddenSentence(before: readonly Hidden[], { shown, hidden, lesson }: Seen, page: Page): string {
  const not = (list: readonly Hidden[]) => (one: Hidden) =>
    !list.some(({ tensor, index }) => tensor === one.tensor && index === one.index);
  const [more, less] = [hidden.filter(not(before)), before.filter(not(hidden))];
  const [one] = more.length > 0 ? more : less;
  // A question hides what it asks for.
  if (!one || !isTensor(one.tensor) || (more.length > 0 && lesson !== null)) return '';
  const isOne = more.length + less.length === 1 && one.index !== null;
  if (!isOne) return more.length > 0 ? `${one.tensor}: ${hiddenWords(more)}.` : '';
  const cell = { tensor: one.tensor, index: one.index as number };
  if (more.length > 0) return `${cellName(shown.geometry, cell)} is hidden.`;
  const { typed, verdict } = predictorOf(page).attempt(cell);
  return `${verdict?.verdict === 'right' ? `${typed} is correct. ` : ''}${cellSentence(shown, cell)}`;
}

const hiddenWords = (cells: readonly Hidden[]): string =>
  cells.some(({ index }) => index === null) ? 'all cells are hidden' : `${counted(cells.length, 'cell')} are hidden`;

/** The pinned cell of y, or that of the 1 in dy: the page is about it. */
function tellingCell({ problem }: Shown, pinned: Cell | null): Cell | null {
  const single = singleOf(problem.loss);
  return pinned?.tensor !== 'y' && single ? { tensor: 'y', index: single.index } : pinned;
}
