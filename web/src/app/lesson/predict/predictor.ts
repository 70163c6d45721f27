import { batch, computed, signal } from '@preact/signals';
import { questionsOf } from '../../../compute/questions';
import { cellAt, gridOf, positionOf } from '../../../geometry/grid';
import { cellText } from '../../../link/text';
import { numberOf } from '../../../protocol/layers';
import type { Content } from '../../../protocol/messages';
import { type Cell, type Geometry, type Hidden, isResult, isTensor, PASS_OF } from '../../../protocol/problem';
import type { Diagnosis, MistakeEntry, QuestionOf } from '../../../protocol/questions';
import type { Problem } from '../../../state/problem';
import { plainText, refusal } from '../../../ui/numbers';
import { type Page, perPage } from '../../page/page';

/** The verdict of the library on a prediction; failed: no verdict. */
type PredictionVerdict = Diagnosis | { readonly verdict: 'failed'; readonly message: string };

/** The state of a prediction of a hidden cell. */
interface Attempt {
  /** 1: which cells belong to the sum; 2: the products as well. */
  readonly hints: number;
  /** Of the last prediction, for the library. */
  readonly written: string | null;
  /** The same as it was typed: "4/9". */
  readonly typed: string;
  /** Of the last prediction; null while it is being checked. */
  readonly verdict: PredictionVerdict | null;
  readonly misses: number;
  /** The value was revealed without a correct prediction. */
  readonly revealed: boolean;
}

/** Number of hints that show everything but the value. */
export const ALL_HINTS = 2;

const UNTOUCHED: Attempt = { hints: 0, written: null, typed: '', verdict: null, misses: 0, revealed: false };

/** How much is hidden or revealed at once. */
export type Extent = 'cell' | 'row' | 'tensor';

/** A cell that can be hidden, also one of a network. */
export type AskedCell = Pick<Hidden, 'tensor'> & { readonly index: number };

/** Users hide cells of tensors only. Cells of intermediate matrices are hidden if they depend on hidden values. */
export const canHide = ({ tensor }: AskedCell): boolean => isTensor(tensor);

/** Not where tensors have numbers: other layers show the value, too. */
export const canHideIn = ({ layers, index }: Pick<Content, 'layers' | 'index'>): boolean =>
  numberOf(layers, index) === '';

export const isHiddenCell = (hiddenCells: readonly Hidden[], { tensor, index }: AskedCell): boolean =>
  hiddenCells.some((entry) => entry.tensor === tensor && (entry.index === null || entry.index === index));

/** Cells. In a larger tensor, revealing one cell reveals all: a link names each hidden cell. */
const MAX_NAMED = 512;

function cellsOf(g: Geometry, cell: Cell, extent: Extent): readonly number[] {
  const { cells, size } = gridOf(g, cell.tensor);
  if (extent === 'cell') return [cell.index];
  if (extent === 'tensor') return Array.from({ length: cells }, (_, index) => index);
  const { slice, row, channel } = positionOf(g, cell);
  return Array.from(
    { length: size.col },
    (_, col) => cellAt(g, cell.tensor, { slice, row, col, channel })?.index ?? cell.index,
  );
}

function withHidden(g: Geometry, hiddenCells: readonly Hidden[], cell: Cell, extent: Extent): readonly Hidden[] {
  const { tensor } = cell;
  if (extent === 'tensor') return [...hiddenCells.filter((entry) => entry.tensor !== tensor), { tensor, index: null }];
  const more = cellsOf(g, cell, extent).filter((index) => !isHiddenCell(hiddenCells, { tensor, index }));
  return [...hiddenCells, ...more.map((index) => ({ tensor, index }))];
}

function withRevealed(g: Geometry, hiddenCells: readonly Hidden[], cell: Cell, extent: Extent): readonly Hidden[] {
  const { tensor } = cell;
  const others = hiddenCells.filter((entry) => entry.tensor !== tensor);
  if (extent === 'tensor' || gridOf(g, tensor).cells > MAX_NAMED) return others;
  const shown = new Set(cellsOf(g, cell, extent));
  const left = cellsOf(g, cell, 'tensor').filter(
    (index) => !shown.has(index) && isHiddenCell(hiddenCells, { tensor, index }),
  );
  return [...others, ...left.map((index) => ({ tensor, index }))];
}

/** Characters. More than any float32 needs, and few enough for a link with the answers of a whole set. */
const MAX_LENGTH = 40;

/** Two numbers and a slash or a fraction slash. */
const FRACTION = /^([+-]?[\d.]+)\s*[/⁄]\s*([\d.]+)$/;

/** Significant digits of a fraction: as many as float32 has. */
const FRACTION_DIGITS = 9;

/** The number of an answer, a fraction as a decimal: "4/9" is "0.444444444". */
export function answerText(text: string): string {
  const plain = plainText(text);
  const [, over, under] = FRACTION.exec(plain) ?? [];
  const value = Number(over) / Number(under);
  return Number.isFinite(value) ? String(Number(value.toPrecision(FRACTION_DIGITS))) : plain;
}

/** Why a text cannot be an answer; null if it can. */
export function predictionRefusal(text: string): string | null {
  if (text.trim() === '') return 'Type a number first.';
  if (text.trim().length > MAX_LENGTH) return `An answer has at most ${MAX_LENGTH} characters. Type fewer digits.`;
  const [why] = refusal(answerText(text))?.split('. ') ?? [];
  return why ? `${why}. Write it as 12, 0.5 or 1/2.` : null;
}

/** Whether the cell is a sum, so that a hint can show its terms. */
export const isComputed = ({ tensor }: AskedCell): boolean => isResult(tensor);

type Judged = QuestionOf<'diagnose'>['pass'];
export const judgedAs = (tensor: string): Judged => (isResult(tensor) ? PASS_OF[tensor] : (tensor as Judged));

/** Hides and reveals values, and checks predictions. */
export const predictorOf = perPage(createPredictor);

const NOTHING: ReadonlyMap<string, Attempt> = new Map();

function createPredictor({ store, look, client, currentContent }: Page) {
  const tried = signal<{ readonly problem: Problem; readonly attempts: typeof NOTHING } | null>(null);
  const drafts = new WeakMap<Problem, Map<string, string>>();
  const questions = questionsOf(client);
  /** Empty after the problem changed. */
  const attempts = computed(() => (tried.value?.problem === store.problem.value ? tried.value.attempts : NOTHING));
  const attemptAt = (cell: AskedCell) => attempts.peek().get(cellText(cell)) ?? UNTOUCHED;
  const note = (cell: AskedCell, change: Partial<Attempt>) => {
    const next = new Map(attempts.peek()).set(cellText(cell), { ...attemptAt(cell), ...change });
    tried.value = { problem: store.problem.peek(), attempts: next };
  };
  const mask = (cell: AskedCell, hiddenCells: readonly Hidden[], noted: Partial<Attempt>) =>
    batch(() => {
      look.hiddenCells.value = hiddenCells;
      note(cell, noted);
    });
  /** Reveals a cell: `hiddenCells` stay hidden. */
  const uncover = (cell: AskedCell, hiddenCells: readonly Hidden[]) => mask(cell, hiddenCells, { revealed: true });
  return {
    /** The attempt at a cell of the current problem. */
    attempt: (cell: AskedCell) => attempts.value.get(cellText(cell)) ?? UNTOUCHED,
    hide(g: Geometry, cell: Cell, extent: Extent): void {
      const shown = currentContent.peek();
      if (shown && canHideIn(shown)) mask(cell, withHidden(g, look.hiddenCells.peek(), cell, extent), UNTOUCHED);
    },
    reveal: (g: Geometry, cell: Cell, extent: Extent) =>
      uncover(cell, withRevealed(g, look.hiddenCells.peek(), cell, extent)),
    uncover,
    hint: (cell: AskedCell, hints = ALL_HINTS) => note(cell, { hints }),
    /** Typed but unchecked texts of the current problem, by cell name. They survive hovering other cells. */
    get drafts() {
      const problem = store.problem.peek();
      const known = drafts.get(problem) ?? new Map<string, string>();
      drafts.set(problem, known);
      return known;
    },
    /** Checks a prediction; a correct one reveals the cell. */
    check(g: Geometry, cell: Cell, text: string) {
      if (!canHide(cell)) return;
      judge(cell, text, { pass: judgedAs(cell.tensor) }, () => withRevealed(g, look.hiddenCells.peek(), cell, 'cell'));
    },
    judge,
  };

  /** Checks a prediction with the question `asked`; a correct one leaves `revealed()` hidden. */
  function judge(
    cell: AskedCell,
    text: string,
    asked: Pick<QuestionOf<'diagnose'>, 'pass' | 'layer'>,
    revealed: () => readonly Hidden[],
  ): void {
    const shown = currentContent.peek();
    if (!shown) return;
    const written = answerText(text);
    const problem = store.problem.peek();
    const question = { kind: 'diagnose', layer: shown.index, ...asked, index: cell.index, written } as const;
    note(cell, { written, typed: text.trim(), verdict: null });
    void questions.once(shown.revision, question).then((now) => {
      // A newer prediction may have replaced it.
      if (store.problem.peek() !== problem || attemptAt(cell).written !== written) return;
      const message = now.status === 'failed' ? now.error.message : 'it was canceled';
      const verdict: PredictionVerdict = now.status === 'answered' ? now.answer : { verdict: 'failed', message };
      const isWrong = verdict.verdict === 'known' || verdict.verdict === 'unknown';
      batch(() => {
        note(cell, { verdict, misses: attemptAt(cell).misses + Number(isWrong) });
        if (verdict.verdict === 'right') look.hiddenCells.value = revealed();
      });
    });
  }
}

/**
 * Whether there is a cell to explain below a question about `hidden`. The hidden cell is explained only after a hint or when it is
 * revealed.
 */
export function isExplained(page: Page, hidden: Cell | undefined): boolean {
  const cell = page.look.current.value;
  if (!cell || cell.tensor !== hidden?.tensor || cell.index !== hidden.index) return cell !== null;
  return predictorOf(page).attempt(hidden).hints === ALL_HINTS || !isHiddenCell(page.look.hiddenCells.value, hidden);
}

/** Hides the value of the current cell, or reveals it. */
export function toggleHidden(page: Page): void {
  const { look, currentContent } = page;
  const cell = look.current.peek();
  const geometry = currentContent.peek()?.geometry;
  if (!cell || !geometry || !canHide(cell)) return;
  const predictor = predictorOf(page);
  const change = isHiddenCell(look.hiddenCells.peek(), cell) ? predictor.reveal : predictor.hide;
  change(geometry, cell, 'cell');
}

/** Mistakes that are explained at once. A number that several mistakes give does not tell which of them was made. */
export const MOST_EXPLAINED = 2;

/** Before an explanation of several. */
export const COULD_BE = 'It could be one of these mistakes:';

/**
 * The mistakes to explain: first those that the open question is about (`about`, by name), then those that the open step of a lesson
 * explains, then those of its lesson. `study`: the name of the step, as in links. The lessons themselves are loaded later.
 */
export function likeliest(
  mistakes: readonly MistakeEntry[],
  study: string | null,
  about: readonly string[] = [],
): readonly MistakeEntry[] {
  const lessonOf = (step: string) => step.split('.')[0];
  const rank = ({ id, step }: MistakeEntry): number => {
    if (about.includes(id)) return about.indexOf(id);
    if (study === null || lessonOf(step) !== lessonOf(study)) return about.length + 2;
    return about.length + Number(step !== study);
  };
  // Sorting keeps the order of equal ranks.
  return [...mistakes].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_EXPLAINED);
}
