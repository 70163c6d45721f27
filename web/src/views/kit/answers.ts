import type { Tensor } from '../../protocol/problem';
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
