import type {
  AnswerOf,
  PartialAsk,
  Partway,
  Question,
  QuestionKind,
  QuestionMap,
  QuestionOf,
  StageAsk,
} from '../../protocol/questions';

/** What a view wants the library to answer about the problem on the screen, the first first. Data only: the app asks. */
export type Needs = readonly Question[];

export interface Answered<K extends QuestionKind> {
  readonly question: QuestionOf<K>;
  readonly answer: QuestionMap[K]['answer'];
}

/** The library's answers to the questions of a view; what is not there (yet) is missing. */
export interface Answers {
  readonly get: <Q extends Question>(question: Q) => AnswerOf<Q> | null;
  /** All of one kind, in the order of the questions. */
  readonly of: <K extends QuestionKind>(kind: K) => readonly Answered<K>[];
}

/** A matrix as it is multiplied: not turned. */
export const plainStage = (stage: StageAsk['stage'], transposed = false) =>
  ({ kind: 'stage', stage, order: 'kh_kw_c', transposed }) as const;

/** A stage of the answers by its name. */
export const stageIn = (answers: Answers, name: string, transposed?: boolean) =>
  answers
    .of('stage')
    .find(({ question }) => question.stage === name && (transposed ?? question.transposed) === question.transposed)
    ?.answer;

/** A process stopped on its way, and where. */
export interface Frame extends PartialAsk, Partway {}

/** The frames of the answers, in the order of the questions. */
export const framesIn = (answers: Answers): readonly Frame[] =>
  answers.of('partial').map(({ question: { process, steps }, answer }) => ({ process, steps, ...answer }));
