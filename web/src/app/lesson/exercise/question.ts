import { isTransposed } from '../../../layers/list';
import { type ExerciseRef, exerciseRefText, OWN_SET } from '../../../lessons/exercises';
import { parseLink } from '../../../link/parse-link';
import { cellText } from '../../../link/text';
import type { TeacherQuestion } from '../../../look/look';
import { type Cell, type ConvDesc, isResult, KIND_OF, type ResultName } from '../../../protocol/problem';
import { randomFrom } from '../../../protocol/random';
import { shapeOf, shapeSize, yShape } from '../../../protocol/shapes';
import { logicalOf, positionAt } from '../../../sources/logical';
import { type Problem, shownLayer } from '../../../state/problem';
import { MINUS } from '../../../ui/numbers';
import {
  axesOf,
  COUNTS,
  type CountTask,
  productsAlong,
  READS_RESULT,
  type Reads,
  type ReadsName,
  readsCells,
  readsOf,
  sizeCount,
} from './counts';
import { drawnCell, type NetworkCell, reachCount, transposedCount } from './networks';
import type { Draw, ExerciseSubject } from './work';

/** A question about a hidden value. Set, draw and index determine it completely. */
export interface CellQuestion {
  readonly kind: 'cell';
  readonly problem: Problem;
  readonly cell: Cell;
  /** Of a teacher; '' for the usual one. */
  readonly sentence: string;
  /** Opens the problem with the cell hidden; null: the problem is on the page. */
  readonly link: string | null;
}

export interface NetworkQuestion extends NetworkCell {
  readonly kind: 'network';
  readonly problem: Problem;
  /** Opens the problem in the view Network with the cell hidden. */
  readonly link: string;
}

/** A question about sizes. Its problem is not on the page. */
export interface CountQuestion extends CountTask {
  readonly kind: 'count';
  readonly desc: ConvDesc;
  /** Its sizes in link format. */
  readonly link: string;
}

/** One of some texts. */
export interface ChoiceQuestion extends Pick<CountTask, 'title' | 'hints' | 'mistakes' | 'ambiguous'> {
  readonly kind: 'choice';
  readonly options: readonly string[];
  /** Index of the right option, as in an answer. */
  readonly right: string;
  readonly link: string;
}

export interface ReadsQuestion extends Reads {
  readonly kind: 'reads';
  readonly problem: Problem;
  readonly cell: Cell;
  /** Opens the problem with that cell hidden. */
  readonly link: string;
}

/** Questions about a hidden value, which only the library knows. */
export type ValueQuestion = CellQuestion | NetworkQuestion;

/** Questions that the page itself can judge. */
export type PlainQuestion = CountQuestion | ReadsQuestion | ChoiceQuestion;

export type ExerciseQuestion = ValueQuestion | PlainQuestion;

export const isValue = (question: ExerciseQuestion): question is ValueQuestion =>
  question.kind === 'cell' || question.kind === 'network';

/** Whether an answer is right; null: only the library knows. */
export function isRightAnswer(question: ExerciseQuestion, written: string): boolean | null {
  if (isValue(question)) return null;
  return question.kind === 'count' ? Number(written) === question.right : written === question.right;
}

/** An answer in words: a number, an option, or the cells that were chosen. */
export function answerWords(question: ExerciseQuestion | null | undefined, written: string): string {
  if (question?.kind === 'choice') return `“${question.options[Number(written)]}”`;
  if (question?.kind !== 'reads') return written.replace('-', MINUS);
  const { from, cols } = question;
  return readsCells(written)
    .map((index) => `${from}[${Math.floor(index / cols)},${index % cols}]`)
    .join(', ');
}

/** Terms of the sums to work out on paper, and how many at least are outside the padding: a sum without any is 0. */
const MOST_TERMS = 8;
const FEWEST_TERMS = 2;

/** Terms of a cell's sum, including padding. */
function termsOf({ kh, kw, c, k, groups, ...desc }: ConvDesc, tensor: ResultName): number {
  if (tensor === 'y') return (kh * kw * c) / groups;
  if (tensor === 'dx') return (kh * kw * k) / groups;
  return shapeSize(yShape({ ...desc, kh, kw, c, groups, k: 1 }));
}

/** The position of a cell: image, row, column and channel; of dw row, column, channel and filter. */
const positionOf = (desc: ConvDesc, tensor: ResultName, index: number) =>
  positionAt(index, logicalOf(KIND_OF[tensor], desc.layout, shapeOf(tensor, desc))) ?? ([0, 0, 0, 0] as const);

function rowAndColumn(desc: ConvDesc, tensor: ResultName, index: number): readonly [row: number, col: number] {
  const [first, second, third] = positionOf(desc, tensor, index);
  return tensor === 'dw' ? [first, second] : [second, third];
}

/** Terms of the sum of a cell that are not in the padding. */
function termsInside(desc: ConvDesc, tensor: ResultName, index: number): number {
  if (tensor === 'db') return termsOf(desc, tensor);
  const [row, col] = rowAndColumn(desc, tensor, index);
  const { rows, cols } = axesOf(desc);
  const times = tensor === 'dw' ? desc.n : (tensor === 'dx' ? desc.k : desc.c) / desc.groups;
  return productsAlong(tensor, rows, row).length * productsAlong(tensor, cols, col).length * times;
}

/** Attempts to draw valid sizes with a short sum, and how many of those a mistake may answer. */
const MOST_DRAWS = 4000;
export const MOST_AMBIGUOUS = 64;

const isReads = (name: string): name is ReadsName => Object.hasOwn(READS_RESULT, name);

/** A question about sizes: of a transposed convolution behind others, of a network, or of one layer. */
function counting(named: string, entry: (typeof COUNTS)[string], problem: Problem, desc: ConvDesc): CountTask {
  const [last] = problem.layers.slice(-1);
  if (last && isTransposed(last.kind)) return transposedCount(named, entry, problem);
  return problem.layers.length > 1 ? reachCount(named, entry, problem) : sizeCount(named, entry, desc);
}

/** The questions that a draw can become, in order. The page asks the first one with an answer that no mistake gives. */
export function* drawnQuestions(exerciseRef: ExerciseRef, draws: Draw): Generator<ExerciseQuestion, void> {
  const { set, index } = exerciseRef;
  const { round, seeds } = draws;
  for (let draw = 0; draw < MOST_DRAWS; draw += 1) {
    const dice = diceOf([set.seed, round, index, draw, ...seeds]);
    const parts = Object.entries(set.varies).flatMap(([key, values]) => {
      const text = String(values[dice(values.length)] ?? '');
      const seeded = text.replace(/\brandom\b/g, () => `random:${1 + dice(9999)}`);
      return seeded === '' ? [] : [`${key}=${seeded}`];
    });
    const inputs = parts.join('&');
    const { problem, look: opened, fault, complaints } = parseLink(inputs);
    const { desc } = shownLayer(problem, opened.layer);
    if (fault || complaints.length > 0) continue;
    const named = set.asks[index % set.asks.length] ?? 'y';
    const counted = COUNTS[named];
    if (counted) {
      yield { kind: 'count', desc, link: inputs, ...counting(named, counted, problem, desc) };
      continue;
    }
    const lesson = `side=lesson&lesson=${exerciseRefText(exerciseRef)}`;
    const isOfLayer = isReads(named) || isResult(named);
    if (problem.layers.length > 1 || !isOfLayer) {
      const drawn = drawnCell(named, problem, dice, [FEWEST_TERMS, MOST_TERMS]);
      if (!drawn) continue;
      const name = cellText(drawn.cell);
      const link = `${inputs}&hidden=${name}&mode=network&network.cell=${name}&${lesson}`;
      yield { kind: 'network', problem, link, ...drawn };
      continue;
    }
    const asked = isReads(named) ? READS_RESULT[named] : named;
    if (termsOf(desc, asked) > MOST_TERMS) continue;
    const cell: Cell = { tensor: asked, index: dice(shapeSize(shapeOf(asked, desc))) };
    if (termsInside(desc, asked, cell.index) < FEWEST_TERMS) continue;
    const name = cellText(cell);
    if (isReads(named)) {
      const reads = readsOf(named, desc, ...rowAndColumn(desc, asked, cell.index));
      const link = `${inputs}&hidden=${name}&${lesson}`;
      yield { kind: 'reads', problem, cell, link, ...reads };
      continue;
    }
    const look = `cell=${name}${sliceOf(desc, asked, cell.index)}&${lesson}`;
    yield { kind: 'cell', problem, cell, sentence: '', link: `${inputs}&hidden=${name}&${look}` };
  }
}

/** The same, as many as are tried. */
function* triedQuestions(exerciseRef: ExerciseRef, draw: Draw): Generator<ExerciseQuestion, never> {
  let attempts = 0;
  for (const question of drawnQuestions(exerciseRef, draw)) {
    yield question;
    attempts += 1;
    if (attempts === MOST_AMBIGUOUS) break;
  }
  throw new Error(`${exerciseRefText(exerciseRef)}: no question in its draws`);
}

/**
 * A question of any set. `own`: those of a link, and its problem. Null after the last question; undefined: the library decides which
 * one is asked.
 */
export function questionOf(
  exerciseRef: ExerciseRef,
  draw: Draw,
  own: ExerciseSubject,
): ExerciseQuestion | null | undefined {
  const { set, index } = exerciseRef;
  if (index >= set.questions) return null;
  if (set.id === OWN_SET) {
    const asked = own.questions[index];
    return asked ? ownQuestion(asked, own.problem) : null;
  }
  for (const question of triedQuestions(exerciseRef, draw)) {
    if (isValue(question)) return undefined;
    if (!question.ambiguous) return question;
  }
  return undefined;
}

/** The same, decided by the library: `isAmbiguous` says whether a mistake gives the right value. */
export async function settledQuestion(
  exerciseRef: ExerciseRef,
  draw: Draw,
  own: ExerciseSubject,
  isAmbiguous: (question: ValueQuestion) => Promise<boolean>,
): Promise<ExerciseQuestion | null> {
  const known = questionOf(exerciseRef, draw, own);
  if (known !== undefined) return known;
  for (const question of triedQuestions(exerciseRef, draw))
    if (!isValue(question) || !(await isAmbiguous(question))) return question;
  return null;
}

const NO_HELP = { hints: [], mistakes: [], ambiguous: false };

/** A question of a teacher; its problem is on the page. */
function ownQuestion({ cell, sentence, asks = [] }: TeacherQuestion, problem: Problem): ExerciseQuestion {
  if (cell) return { kind: 'cell', problem, cell, sentence, link: null };
  const [name = '', ...options] = asks;
  const [title, link] = [sentence || 'Which answer is right?', ''];
  if (options.length > 0) {
    const right = options.findIndex((option) => option.startsWith('*'));
    const texts = options.map((option) => option.replace('*', ''));
    return { kind: 'choice', title, link, right: String(right), options: texts, ...NO_HELP };
  }
  const entry = COUNTS[name];
  const { desc } = shownLayer(problem, null);
  const task = entry ? sizeCount(name, entry, desc) : { right: Number(name), layer: [], ...NO_HELP };
  return { kind: 'count', desc, link, title, ...task, ...(sentence && { title }) };
}

/** The slice of a cell, for a link; channel and filter are in the same group. */
function sliceOf(desc: ConvDesc, tensor: ResultName, index: number): string {
  if (tensor === 'db') return '';
  const [first, , third, last] = positionOf(desc, tensor, index);
  const [channels, filters] = [desc.c / desc.groups, desc.k / desc.groups];
  if (tensor === 'dw') return `&slice=c${Math.floor(last / filters) * channels + third}.k${last}`;
  if (tensor === 'y') return `&slice=n${first}.c${Math.floor(last / filters) * channels}.k${last}`;
  return `&slice=n${first}.c${last}.k${Math.floor(last / channels) * filters}`;
}

/** Deterministic random integers below a limit, from a mix of `seeds`. */
function diceOf(seeds: readonly number[]): (below: number) => number {
  const next = randomFrom(
    seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 15), 0x243f6a88),
  );
  return (below) => next() % below;
}
