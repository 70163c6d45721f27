import { ConvFailure } from '../engine/failure';
import { checkFields } from '../engine/validate';
import type { AnswerOf, Question, QuestionKind } from '../protocol/questions';
import type { Answerer, OnProgress, QuestionContext } from './answerer';

/** All modules in questions/, by question kind: gradient-check.ts answers gradient_check. */
const ANSWERERS: ReadonlyMap<string, Answerer<QuestionKind>> = new Map(
  Object.entries(import.meta.glob<Answerer<QuestionKind>>('./questions/*.ts', { eager: true, import: 'answerer' })).map(
    ([path, answerer]) => [path.replace(/^.*\/|\.ts$/g, '').replaceAll('-', '_'), answerer],
  ),
);

const answererOf = (question: unknown): Answerer<QuestionKind> | undefined => {
  const kind = typeof question === 'object' && question !== null && 'kind' in question ? question.kind : undefined;
  return typeof kind === 'string' ? ANSWERERS.get(kind) : undefined;
};

/** Await this before answerQuestion. */
export async function prepareAnswer(question: unknown): Promise<void> {
  await answererOf(question)?.prepare?.();
}

export function answerQuestion<Q extends Question>(
  context: QuestionContext,
  question: Q,
  onProgress: OnProgress,
): AnswerOf<Q> {
  const answerer = answererOf(question);
  if (!answerer) {
    const message = `question.kind must be one of ${[...ANSWERERS.keys()].join(', ')}`;
    throw new ConvFailure('invalid_argument', 'kind', message);
  }
  const { fields, optional = [], hide } = answerer;
  const given = optional.filter((name) => Object.hasOwn(question, name));
  checkFields(question, ['kind', ...fields, ...given], 'the question');
  const { masks } = context;
  if (masks && !hide) {
    throw new ConvFailure('unsupported', 'hidden', 'not available while values are hidden. Reveal them first');
  }
  const answer = answerer.answer(context, question, onProgress);
  return (masks && hide ? hide(context, question, answer, masks) : answer) as AnswerOf<Q>;
}
