import { checkCount, checkFields, refuse } from '../engine/validate';
import type { AnswerOf, Question, QuestionKind } from '../protocol/questions';
import { type Answerer, type Host, type OnProgress, problemIn, type QuestionContext } from './answerer';
import { algorithms, compare } from './questions/algorithms';
import { bug, nameBug } from './questions/bugs';
import { ambiguous, compareResult, diagnose, difference, rounding } from './questions/checks';
import { gradientCheck } from './questions/gradient-check';
import { learn } from './questions/learn';
import { coverage, fold, partial, stage } from './questions/stages';
import { adjoint, lossCell, products } from './questions/sums';

/** In the order in which a refused question lists them. */
const ANSWERERS: { readonly [K in QuestionKind]: Answerer<K> } = {
  adjoint,
  algorithms,
  ambiguous,
  bug,
  compare,
  compare_result: compareResult,
  coverage,
  diagnose,
  difference,
  fold,
  gradient_check: gradientCheck,
  learn,
  loss_cell: lossCell,
  name_bug: nameBug,
  partial,
  products,
  rounding,
  stage,
};

const answererOf = (question: unknown): Answerer<QuestionKind> | undefined => {
  const kind = typeof question === 'object' && question !== null && 'kind' in question ? question.kind : undefined;
  if (typeof kind !== 'string' || !Object.hasOwn(ANSWERERS, kind)) return undefined;
  return ANSWERERS[kind as QuestionKind] as unknown as Answerer<QuestionKind>;
};

/** Await this before answerQuestion. */
export async function prepareAnswer(question: unknown, host?: Host): Promise<void> {
  await answererOf(question)?.prepare?.(host);
}

export function answerQuestion<Q extends Question>(
  context: QuestionContext,
  question: Q,
  onProgress: OnProgress,
): AnswerOf<Q> {
  const answerer = answererOf(question);
  if (!answerer) refuse('kind', `question.kind must be one of ${Object.keys(ANSWERERS).join(', ')}`);
  const { fields, optional = [], hide } = answerer;
  const given = optional.filter((name) => Object.hasOwn(question, name));
  const { layer, ...own } = question;
  checkFields(own, ['kind', ...fields, ...given], 'the question');
  const at = contextAt(context, layer);
  const { masks } = at;
  if (masks && !hide) refuse('hidden', 'not available while values are hidden. Reveal them first', 'unsupported');
  const answer = answerer.answer(at, question, onProgress);
  return (masks && hide ? hide(at, question, answer, masks) : answer) as AnswerOf<Q>;
}

function contextAt(context: QuestionContext, layer = 0): QuestionContext {
  if (!context.chain.layers[checkCount(layer, 'layer')]) refuse('layer', `there is no layer ${layer}`);
  const heap = context.heap.at(layer);
  return { ...context, heap, problem: problemIn(heap), masks: context.masks?.at(layer) ?? null };
}
