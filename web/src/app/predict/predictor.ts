import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { questionsOf } from '../../compute/questions';
import { cellText } from '../../link/cell-text';
import type { Cell } from '../../protocol/cell';
import type { Geometry, Pass } from '../../protocol/problem';
import type { Diagnosis, QuestionOf } from '../../protocol/questions';
import type { Problem } from '../../state/problem';
import { MINUS } from '../../ui/numbers';
import type { Page } from '../page';
import { canHide, type Extent, isMasked, withHidden, withRevealed } from './masking';

/** What the library says of a number; failed: it could not say. */
export type Verdict = Diagnosis | { readonly verdict: 'failed'; readonly message: string };

/** What has been done about a hidden cell. */
export interface Attempt {
  readonly hinted: boolean;
  /** The number that was written down last. */
  readonly written: string | null;
  /** Of that number; null while it is judged. */
  readonly verdict: Verdict | null;
  /** How many numbers were judged to be wrong. */
  readonly misses: number;
  /** It was shown to who had not found it. */
  readonly revealed: boolean;
}

const UNTOUCHED: Attempt = { hinted: false, written: null, verdict: null, misses: 0, revealed: false };

/** Predictions of hidden numbers: what is hidden, and what was tried. */
export interface Predictor {
  /** What has been done about a cell of the problem in force. */
  readonly attempt: (cell: Cell) => Attempt;
  readonly hide: (g: Geometry, cell: Cell, extent: Extent) => void;
  readonly reveal: (g: Geometry, cell: Cell, extent: Extent) => void;
  readonly hint: (cell: Cell) => void;
  /** Of the problem in force: what stands in the box of a cell, by its name, and was not judged yet. Who points at other cells meanwhile finds it again. */
  readonly drafts: Map<string, string>;
  /** Has the library judge what somebody wrote for a hidden cell; a right number is shown. */
  readonly check: (g: Geometry, cell: Cell, text: string) => void;
}

/** What makes the cells of a tensor. */
const PASSES: Readonly<Record<string, Pass>> = {
  y: 'forward',
  dx: 'backward_data',
  dw: 'backward_weights',
  db: 'backward_bias',
};

/** It is a sum, of which a hint can tell the terms. */
export const isMade = ({ tensor }: Cell): boolean => Object.hasOwn(PASSES, tensor);

type Judged = QuestionOf<'diagnose'>['pass'];
const judgedAs = ({ tensor }: Cell): Judged => PASSES[tensor] ?? (tensor as Judged);

/** As the judge reads it: with a hyphen and a point. */
export const plainNumber = (text: string): string => text.trim().replaceAll(MINUS, '-').replace(',', '.');

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

function createPredictor({ store, look, client, scene }: Page): Predictor {
  const tried = signal<Tried | null>(null);
  const drafts = new WeakMap<Problem, Map<string, string>>();
  const questions = questionsOf(client);
  /** Of another problem nothing was tried yet. */
  const attempts: ReadonlySignal<ReadonlyMap<string, Attempt>> = computed(() =>
    tried.value?.problem === store.problem.value ? tried.value.attempts : NOTHING,
  );
  const attemptAt = (cell: Cell) => attempts.peek().get(cellText(cell)) ?? UNTOUCHED;
  const note = (cell: Cell, change: Partial<Attempt>) => {
    const next = new Map(attempts.peek()).set(cellText(cell), { ...attemptAt(cell), ...change });
    tried.value = { problem: store.problem.peek(), attempts: next };
  };
  const judged = (g: Geometry, cell: Cell, written: string, verdict: Verdict) =>
    batch(() => {
      // Another number was written meanwhile.
      if (attemptAt(cell).written !== written) return;
      const wrong = verdict.verdict === 'known' || verdict.verdict === 'unknown';
      note(cell, { verdict, misses: attemptAt(cell).misses + Number(wrong) });
      if (verdict.verdict === 'right') look.masked.value = withRevealed(g, look.masked.peek(), cell, 'cell');
    });
  return {
    attempt: (cell) => attempts.value.get(cellText(cell)) ?? UNTOUCHED,
    hide: (g, cell, extent) =>
      batch(() => {
        look.masked.value = withHidden(g, look.masked.peek(), cell, extent);
        note(cell, UNTOUCHED);
      }),
    reveal: (g, cell, extent) =>
      batch(() => {
        look.masked.value = withRevealed(g, look.masked.peek(), cell, extent);
        note(cell, { revealed: true });
      }),
    hint: (cell) => note(cell, { hinted: true }),
    get drafts() {
      const problem = store.problem.peek();
      const known = drafts.get(problem) ?? new Map<string, string>();
      drafts.set(problem, known);
      return known;
    },
    check(g, cell, text) {
      const revision = scene.peek()?.revision;
      if (!canHide(cell) || revision === undefined) return;
      const written = plainNumber(text);
      const problem = store.problem.peek();
      const question = { kind: 'diagnose', pass: judgedAs(cell), index: cell.index, written } as const;
      note(cell, { written, verdict: null });
      const owner = {};
      questions.retry(revision, [question]);
      questions.want(owner, revision, [question], true);
      const state = questions.state(revision, question);
      const stop = effect(() => {
        const now = state.value;
        const gone = store.problem.value !== problem;
        if (now.status === 'asking' && !gone) return;
        queueMicrotask(() => {
          stop();
          questions.release(owner);
          if (gone) return;
          if (now.status === 'answered') judged(g, cell, written, now.answer);
          else if (now.status === 'failed') judged(g, cell, written, { verdict: 'failed', message: now.error.message });
          else judged(g, cell, written, { verdict: 'failed', message: 'it was cancelled' });
        });
      });
    },
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
