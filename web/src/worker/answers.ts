import { refuse } from '../engine/validate';
import type { AnswerOf, Question, QuestionKind } from '../protocol/questions';
import { type Answerer, type Host, type OnProgress, problemIn, type QuestionContext } from './answerer';
import { algorithms, compare } from './questions/algorithms';
import { bug, nameBug } from './questions/bugs';
import { ambiguous, compareResult, diagnose, difference, rounding } from './questions/checks';
import { digits } from './questions/digits';
import { gradientCheck } from './questions/gradient-check';
import { learn } from './questions/learn';
import { coverage, fold, partial, stage } from './questions/stages';
import { adjoint, lossCell, products } from './questions/sums';

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
  digits,
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

const answererOf = ({ kind }: Pick<Question, 'kind'>) => ANSWERERS[kind] as unknown as Answerer<QuestionKind>;

/** Await this before answerQuestion. */
export async function prepareAnswer(question?: Pick<Question, 'kind'>, host?: Host): Promise<void> {
  if (question) await answererOf(question).prepare?.(host);
}

export function answerQuestion<Q extends Question>(
  context: QuestionContext,
  question: Q,
  onProgress: OnProgress,
): AnswerOf<Q> {
  const answerer = answererOf(question);
  const { hide } = answerer;
  const at = contextAt(context, question.layer);
  const { masks } = at;
  if (masks && !hide) refuse('hidden', 'not available while values are hidden. Reveal them first', 'unsupported');
  const answer = answerer.answer(at, question, onProgress);
  return (masks && hide ? hide(at, question, answer, masks) : answer) as AnswerOf<Q>;
}

function contextAt(context: QuestionContext, layer = 0): QuestionContext {
  if (!context.chain.layers[layer]) refuse('layer', `there is no layer ${layer}`);
  const heap = context.heap.at(layer);
  return { ...context, heap, problem: problemIn(heap), masks: context.masks?.at(layer) ?? null };
}
