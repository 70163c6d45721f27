import type { AnswerOf, Question, QuestionKind } from '../protocol/questions';
import type { Answerer, Asked } from './answerer';
import { ConvFailure } from './failure';
import type { OnProgress } from './progress';
import { checkFields } from './validate';

/** THE LIST of what answers questions is the folder questions/: gradient-check.ts answers the kind gradient_check. */
const ANSWERERS: ReadonlyMap<string, Answerer<QuestionKind>> = new Map(
  Object.entries(import.meta.glob<Answerer<QuestionKind>>('./questions/*.ts', { eager: true, import: 'answerer' })).map(
    ([path, answerer]) => [path.replace(/^.*\/|\.ts$/g, '').replaceAll('-', '_'), answerer],
  ),
);

export function answerQuestion<Q extends Question>(asked: Asked, question: Q, onProgress: OnProgress): AnswerOf<Q> {
  const kind: unknown = typeof question === 'object' && question !== null ? question.kind : undefined;
  const answerer = typeof kind === 'string' ? ANSWERERS.get(kind) : undefined;
  if (!answerer) {
    const message = `question.kind must be one of ${[...ANSWERERS.keys()].join(', ')}`;
    throw new ConvFailure('invalid_argument', 'kind', message);
  }
  checkFields(question, ['kind', ...answerer.fields], 'the question');
  return answerer.answer(asked, question, onProgress) as AnswerOf<Q>;
}
