import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { cellText } from '../../link/cell-text';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import type { Problem } from '../../state/problem';
import type { Page } from '../page';
import { canHide, type Extent, isMasked, withHidden, withRevealed } from './masking';

/** What has been done about a hidden cell. */
export interface Attempt {
  readonly hinted: boolean;
}

const UNTOUCHED: Attempt = { hinted: false };

/** Predictions of hidden numbers: what is hidden, and what was tried. */
export interface Predictor {
  /** What has been done about a cell of the problem in force. */
  readonly attempt: (cell: Cell) => Attempt;
  readonly hide: (g: Geometry, cell: Cell, extent: Extent) => void;
  readonly reveal: (g: Geometry, cell: Cell, extent: Extent) => void;
  readonly hint: (cell: Cell) => void;
}

const predictors = new WeakMap<Page, Predictor>();

/** The one of a page: what was tried stays while one looks elsewhere. */
export function predictorOf(page: Page): Predictor {
  const predictor = predictors.get(page) ?? createPredictor(page);
  predictors.set(page, predictor);
  return predictor;
}

interface Tried {
  readonly problem: Problem;
  readonly attempts: ReadonlyMap<string, Attempt>;
}

const NOTHING: ReadonlyMap<string, Attempt> = new Map();

function createPredictor({ store, look }: Page): Predictor {
  const tried = signal<Tried | null>(null);
  /** Of another problem nothing was tried yet. */
  const attempts: ReadonlySignal<ReadonlyMap<string, Attempt>> = computed(() =>
    tried.value?.problem === store.problem.value ? tried.value.attempts : NOTHING,
  );
  const note = (cell: Cell, change: Partial<Attempt>) => {
    const name = cellText(cell);
    const before = attempts.peek();
    const next = { ...(before.get(name) ?? UNTOUCHED), ...change };
    tried.value = { problem: store.problem.peek(), attempts: new Map(before).set(name, next) };
  };
  return {
    attempt: (cell) => attempts.value.get(cellText(cell)) ?? UNTOUCHED,
    hide: (g, cell, extent) =>
      batch(() => {
        look.masked.value = withHidden(g, look.masked.peek(), cell, extent);
        note(cell, UNTOUCHED);
      }),
    reveal(g, cell, extent) {
      look.masked.value = withRevealed(g, look.masked.peek(), cell, extent);
    },
    hint: (cell) => note(cell, { hinted: true }),
  };
}

/** Hides the number of the current cell, or reveals it where it is hidden. */
export function toggleHidden(page: Page): void {
  const { look, scene } = page;
  const cell = look.current.peek();
  const geometry = scene.peek()?.geometry;
  if (!cell || !geometry || !canHide(cell)) return;
  const predictor = predictorOf(page);
  if (isMasked(look.masked.peek(), cell)) predictor.reveal(geometry, cell, 'cell');
  else predictor.hide(geometry, cell, 'cell');
}
