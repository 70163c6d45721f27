import { gridOf } from '../../geometry/grid';
import type { Geometry } from '../../protocol/problem';
import type { QuestionOf } from '../../protocol/questions';
import type { Precision } from '../kit/confirmed';
import { type CheckChoice, canCheckAll, epsilonsOf, PRECISIONS, productsOf } from './choice';

/**
 * The check in pieces, so that a large layer shows progress and an edit need not wait for all of it. A piece costs two
 * passes of the reference, then one sum over y for each cell and step.
 */

type Check = QuestionOf<'gradient_check'>;

/** Products of two reference passes up to which a whole sweep is one question, a few milliseconds long. */
const FEW_PRODUCTS = 1e5;
/** Cells of y that are summed in one piece at least: about 50 ms. */
const LEAST_SUMMED = 1e7;
/** The sums of a piece cost at least this many times its passes. */
const SUMS_PER_PRODUCT = 4;

function checkOf(
  { parameter, loss }: CheckChoice,
  precision: Precision,
  epsilons: readonly number[],
  indices: Check['indices'],
): Check {
  const target = loss === 'linear' ? null : 'near_y';
  return { kind: 'gradient_check', parameter, loss, target, precision, epsilons, indices };
}

/** One cell at every step, in one precision; the chosen step first where each step is a question. */
export function sweepQuestions(g: Geometry, choice: CheckChoice, precision: Precision): readonly Check[] {
  const steps = epsilonsOf(g);
  const cell = Int32Array.of(choice.index);
  if (productsOf(g) <= FEW_PRODUCTS) return [checkOf(choice, precision, steps, cell)];
  const others = steps.filter((step) => step !== choice.epsilon).reverse();
  return [choice.epsilon, ...others].map((epsilon) => checkOf(choice, precision, [epsilon], cell));
}

/** All cells at the chosen step; empty where that would take too long. */
export function mapQuestions(g: Geometry, choice: CheckChoice): readonly Check[] {
  if (!canCheckAll(g, choice.parameter)) return [];
  const { cells } = gridOf(g, choice.parameter);
  const room = Math.max(LEAST_SUMMED, SUMS_PER_PRODUCT * productsOf(g));
  const piece = Math.max(1, Math.floor(room / Math.max(1, gridOf(g, 'y').cells)));
  if (piece >= cells) return [checkOf(choice, choice.precision, [choice.epsilon], 'all')];
  return Array.from({ length: Math.ceil(cells / piece) }, (_, i) => {
    const first = i * piece;
    const indices = Int32Array.from({ length: Math.min(piece, cells - first) }, (_cell, at) => first + at);
    return checkOf(choice, choice.precision, [choice.epsilon], indices);
  });
}

/** All questions by priority: the chosen step, the map, the other steps. */
export function checkQuestions(g: Geometry, choice: CheckChoice): readonly Check[] {
  const sweeps = PRECISIONS.map((precision) => sweepQuestions(g, choice, precision));
  return [
    ...sweeps.flatMap(([first]) => first ?? []),
    ...mapQuestions(g, choice),
    ...(sweeps[0] ?? []).flatMap((_, i) => (i === 0 ? [] : sweeps.flatMap((sweep) => sweep[i] ?? []))),
  ];
}
