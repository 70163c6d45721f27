import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { questionsOf } from '../../../compute/questions';
import { cellText } from '../../../link/text';
import type { Cell } from '../../../protocol/cell';
import type { Geometry } from '../../../protocol/problem';
import type { Diagnosis, QuestionOf } from '../../../protocol/questions';
import { isResult, PASS_OF } from '../../../protocol/tensors';
import type { Problem } from '../../../state/problem';
import { plainText } from '../../../ui/numbers';
import { type Page, perPage } from '../../page/page';
import { canHide, type Extent, isMasked, withHidden, withRevealed } from './masking';

/** The verdict of the library on a prediction; failed: no verdict. */
export type PredictionVerdict = Diagnosis | { readonly verdict: 'failed'; readonly message: string };

/** The state of a prediction of a hidden cell. */
export interface Attempt {
  readonly hinted: boolean;
  /** The last prediction, as text. */
  readonly written: string | null;
  /** Of the last prediction; null while it is being checked. */
  readonly verdict: PredictionVerdict | null;
  /** Number of wrong predictions. */
  readonly misses: number;
  /** The value was revealed without a correct prediction. */
  readonly revealed: boolean;
}

const UNTOUCHED: Attempt = { hinted: false, written: null, verdict: null, misses: 0, revealed: false };

/** Hides and reveals values, and checks predictions. */
export interface Predictor {
  /** The attempt at a cell of the current problem. */
  readonly attempt: (cell: Cell) => Attempt;
  readonly hide: (g: Geometry, cell: Cell, extent: Extent) => void;
  readonly reveal: (g: Geometry, cell: Cell, extent: Extent) => void;
  readonly hint: (cell: Cell) => void;
  /** Typed but unchecked texts of the current problem, by cell name. They survive hovering other cells. */
  readonly drafts: Map<string, string>;
  /** Checks a prediction; a correct one reveals the cell. */
  readonly check: (g: Geometry, cell: Cell, text: string) => void;
}

/** Whether the cell is a sum, so that a hint can show its terms. */
export const isComputed = ({ tensor }: Cell): boolean => isResult(tensor);

type Judged = QuestionOf<'diagnose'>['pass'];
const judgedAs = ({ tensor }: Cell): Judged => (isResult(tensor) ? PASS_OF[tensor] : (tensor as Judged));

export const predictorOf = perPage(createPredictor);

interface ProblemAttempts {
  readonly problem: Problem;
  readonly attempts: ReadonlyMap<string, Attempt>;
}

const NOTHING: ReadonlyMap<string, Attempt> = new Map();

function createPredictor({ store, look, client, scene }: Page): Predictor {
  const tried = signal<ProblemAttempts | null>(null);
  const drafts = new WeakMap<Problem, Map<string, string>>();
  const questions = questionsOf(client);
  /** Empty after the problem changed. */
  const attempts: ReadonlySignal<ReadonlyMap<string, Attempt>> = computed(() =>
    tried.value?.problem === store.problem.value ? tried.value.attempts : NOTHING,
  );
  const attemptAt = (cell: Cell) => attempts.peek().get(cellText(cell)) ?? UNTOUCHED;
  const note = (cell: Cell, change: Partial<Attempt>) => {
    const next = new Map(attempts.peek()).set(cellText(cell), { ...attemptAt(cell), ...change });
    tried.value = { problem: store.problem.peek(), attempts: next };
  };
  const judged = (g: Geometry, cell: Cell, written: string, verdict: PredictionVerdict) =>
    batch(() => {
      // A newer prediction replaced it.
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
      const written = plainText(text);
      const problem = store.problem.peek();
      const question = { kind: 'diagnose', pass: judgedAs(cell), index: cell.index, written } as const;
      note(cell, { written, verdict: null });
      void questions.once(revision, question).then((now) => {
        if (store.problem.peek() !== problem) return;
        if (now.status === 'answered') judged(g, cell, written, now.answer);
        else if (now.status === 'failed') judged(g, cell, written, { verdict: 'failed', message: now.error.message });
        else judged(g, cell, written, { verdict: 'failed', message: 'it was canceled' });
      });
    },
  };
}

/** Hides the value of the current cell, or reveals it. */
export function toggleHidden(page: Page): void {
  const { look, scene } = page;
  const cell = look.current.peek();
  const geometry = scene.peek()?.geometry;
  if (!cell || !geometry || !canHide(cell)) return;
  const predictor = predictorOf(page);
  if (isMasked(look.masked.peek(), cell)) predictor.reveal(geometry, cell, 'cell');
  else predictor.hide(geometry, cell, 'cell');
}
