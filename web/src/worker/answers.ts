import { ConvFailure } from '../engine/failure';
import { checkFields } from '../engine/validate';
import type { AnswerOf, Question, QuestionKind } from '../protocol/questions';
import type { Answerer, Asked } from './answerer';
import type { OnProgress } from './progress';

/** THE LIST of what answers questions is the folder questions/: gradient-check.ts answers the kind gradient_check. */
const ANSWERERS: ReadonlyMap<string, Answerer<QuestionKind>> = new Map(
  Object.entries(import.meta.glob<Answerer<QuestionKind>>('./questions/*.ts', { eager: true, import: 'answerer' })).map(
    ([path, answerer]) => [path.replace(/^.*\/|\.ts$/g, '').replaceAll('-', '_'), answerer],
  ),
);

const answererOf = (question: unknown): Answerer<QuestionKind> | undefined => {
  const kind = typeof question === 'object' && question !== null && 'kind' in question ? question.kind : undefined;
  return typeof kind === 'string' ? ANSWERERS.get(kind) : undefined;
};

/** To be awaited before a question is answered. */
export async function prepareAnswer(question: unknown): Promise<void> {
  await answererOf(question)?.prepare?.();
}

export function answerQuestion<Q extends Question>(asked: Asked, question: Q, onProgress: OnProgress): AnswerOf<Q> {
  const answerer = answererOf(question);
  if (!answerer) {
    const message = `question.kind must be one of ${[...ANSWERERS.keys()].join(', ')}`;
    throw new ConvFailure('invalid_argument', 'kind', message);
  }
  const { fields, optional = [], hide } = answerer;
  const given = optional.filter((name) => Object.hasOwn(question, name));
  checkFields(question, ['kind', ...fields, ...given], 'the question');
  const { masks } = asked;
  if (masks && !hide) {
    throw new ConvFailure('unsupported', 'hidden', 'this is not told while numbers are hidden: reveal them first');
  }
  const answer = answerer.answer(asked, question, onProgress);
  return (masks && hide ? hide(asked, question, answer, masks) : answer) as AnswerOf<Q>;
}
