import { gridOf } from '../../geometry/grid';
import type { Geometry, Tensor } from '../../protocol/problem';
import type {
  AnswerOf,
  PartialAsk,
  PartialResult,
  Question,
  QuestionKind,
  QuestionMap,
  QuestionOf,
  StageAsk,
} from '../../protocol/questions';
import { type Area, oneCell } from '../../ui/grid/marks';
import { marked } from './plane';

/** The questions of a view to the library about the current problem, by priority. Data only: the app sends them. */
export type Needs = readonly Question[];

export interface Answered<K extends QuestionKind> {
  readonly question: QuestionOf<K>;
  readonly answer: QuestionMap[K]['answer'];
}

/** The library's answers to the questions of a view; those that are not available (yet) are missing. */
export interface Answers {
  readonly get: <Q extends Question>(question: Q) => AnswerOf<Q> | null;
  /** All of one kind, in the order of the questions. */
  readonly of: <K extends QuestionKind>(kind: K) => readonly Answered<K>[];
}

/** The question for a matrix with columns in the order of the product. */
export const plainStage = (stage: StageAsk['stage']) =>
  ({ kind: 'stage', stage, order: 'kh_kw_c', transposed: false }) as const;

export const stageIn = (answers: Answers, name: string) =>
  answers.of('stage').find(({ question }) => question.stage === name)?.answer;

/** A partial sum can be larger than the final one: the color scale covers both. */
export const inColorsOf = (partial: Tensor, final: Tensor | undefined): Tensor =>
  !final || final.stats.max_abs < partial.stats.max_abs ? partial : { ...partial, stats: final.stats };

/** A process after some of its steps. */
export interface PartialFrame extends PartialAsk, PartialResult {}

export const framesIn = (answers: Answers): readonly PartialFrame[] =>
  answers.of('partial').map(({ question: { process, steps }, answer }) => ({ process, steps, ...answer }));

export type Precision = 'float32' | 'float64';

/** The library's verdicts on a gradient. At a kink ReLU changes its sign within the step, at a tie max pooling its winner. */
export const VERDICT = {
  confirmed: 0,
  withinRounding: 1,
  notAtThisStep: 2,
  wrong: 3,
  atKink: 4,
  atTie: 5,
  undecided: 6,
} as const;

/** False for NaN, the verdict on hidden values. */
export const isConfirmed = (verdict: number): boolean => verdict <= VERDICT.withinRounding;

/** More outlines would hide the values. */
const MOST_OUTLINES = 400;

/** The cells of one plane of dx that differ from the correct ones: `count` of them, and outlines. */
export function differingCells(g: Geometry, found: Tensor, right: Tensor | null, n: number, c: number) {
  const areas: Area[] = [];
  let count = 0;
  const { stride } = gridOf(g, 'dx');
  for (let row = 0; right && row < g.h; row += 1) {
    for (let col = 0; col < g.w; col += 1) {
      const index = n * stride.slice + c * stride.channel + row * stride.row + col * stride.col;
      if (Object.is(found.data[index], right.data[index])) continue;
      count += 1;
      if (areas.length < MOST_OUTLINES) areas.push(oneCell(row, col));
    }
  }
  return { count, of: g.h * g.w, marks: marked('wrong', areas) };
}
