import { gridOf } from '../../geometry/grid';
import type { GradientCheck, GradientCheckCells, QuestionOf } from '../../protocol/questions';
import type { Answers } from '../kit/answers';
import { isConfirmed, type Precision, VERDICT } from '../kit/confirmed';
import {
  type CheckChoice,
  type CheckedLayer,
  canCheckAll,
  epsilonsOf,
  PRECISIONS,
  productsOf,
  workOfCell,
} from './choice';

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
function sweepQuestions(of: CheckedLayer, choice: CheckChoice, precision: Precision): readonly Check[] {
  const steps = epsilonsOf(of);
  const cell = Int32Array.of(choice.index);
  if (productsOf(of) <= FEW_PRODUCTS) return [checkOf(choice, precision, steps, cell)];
  const others = steps.filter((step) => step !== choice.epsilon).reverse();
  return [choice.epsilon, ...others].map((epsilon) => checkOf(choice, precision, [epsilon], cell));
}

/** All cells at the chosen step; empty where that would take too long. */
function mapQuestions(of: CheckedLayer, choice: CheckChoice): readonly Check[] {
  if (!canCheckAll(of, choice.parameter)) return [];
  const { cells } = gridOf(of.geometry, choice.parameter);
  const room = Math.max(LEAST_SUMMED, SUMS_PER_PRODUCT * productsOf(of));
  const piece = Math.max(1, Math.floor(room / Math.max(1, workOfCell(of))));
  if (piece >= cells) return [checkOf(choice, choice.precision, [choice.epsilon], 'all')];
  return Array.from({ length: Math.ceil(cells / piece) }, (_, i) => {
    const first = i * piece;
    const indices = Int32Array.from({ length: Math.min(piece, cells - first) }, (_cell, at) => first + at);
    return checkOf(choice, choice.precision, [choice.epsilon], indices);
  });
}

/** All questions by priority: the chosen step, the map, the other steps. */
export function checkQuestions(of: CheckedLayer, choice: CheckChoice): readonly Check[] {
  const sweeps = PRECISIONS.map((precision) => sweepQuestions(of, choice, precision));
  return [
    ...sweeps.flatMap(([first]) => first ?? []),
    ...mapQuestions(of, choice),
    ...(sweeps[0] ?? []).flatMap((_, i) => (i === 0 ? [] : sweeps.flatMap((sweep) => sweep[i] ?? []))),
  ];
}

/** The library's answers as the view needs them. No tensor arithmetic here: values are only selected and compared. */

/** One cell changed by one step. */
export interface Reading {
  readonly epsilon: number;
  readonly lossPlus: number;
  readonly lossMinus: number;
  readonly numeric: number;
  readonly analytic: number;
  readonly absolute: number;
  readonly relative: number;
  readonly verdict: number;
  /** In a network where the loss bends: the slopes upwards and downwards. */
  readonly slopes: Slopes | null;
}

interface Slopes {
  readonly above: number;
  readonly below: number;
}

export interface Sweep {
  readonly precision: Precision;
  readonly readings: readonly Reading[];
}

/** The answers so far for the chosen cell, by ascending step. */
export function sweepsOf(answers: Answers, of: CheckedLayer, choice: CheckChoice): readonly Sweep[] {
  const steps = epsilonsOf(of);
  return PRECISIONS.map((precision) => {
    const readings = sweepQuestions(of, choice, precision).flatMap((question) => {
      const check = answers.get(question);
      return check ? readingsOf(check) : [];
    });
    const ascending = steps.flatMap((step) => readings.find(({ epsilon }) => epsilon === step) ?? []);
    return { precision, readings: ascending };
  });
}

/** The answers so far for all cells at the chosen step. */
export interface CheckedCells {
  /** By cell; NaN where not checked yet, 0 where only the absolute error counts. */
  readonly relative: Float64Array;
  readonly verdict: Float64Array;
  readonly checked: number;
  readonly maxRelative: number;
  readonly worstVerdict: number;
  /** By cell, whether its error is mostly the curvature of the loss within the step. */
  readonly curved: readonly boolean[];
  /** By cell, what bends the loss within the step. */
  readonly bends: ReadonlyMap<number, Bend>;
}

/** A layer of a network, counted from 0, and its cells (GradientCheckCells). */
export interface Bend {
  readonly layer: number;
  readonly cell: number;
  /** No step avoids it. */
  readonly isAtValue: boolean;
  readonly winners: readonly [above: number, below: number];
  readonly slopes: Slopes;
}

/** From best to worst, as the library has them. */
const { confirmed, withinRounding, atKink, atTie, notAtThisStep, undecided, wrong } = VERDICT;
const RANKS: readonly number[] = [confirmed, withinRounding, atKink, atTie, notAtThisStep, undecided, wrong];

/** NaN, the verdict on hidden values, is the worst. */
const rankOf = (verdict: number): number => (Number.isNaN(verdict) ? Number.NaN : RANKS.indexOf(verdict));

export function checkedCells(answers: Answers, of: CheckedLayer, choice: CheckChoice): CheckedCells | null {
  const runs = mapQuestions(of, choice).flatMap((question) => answers.get(question)?.runs ?? []);
  if (runs.length === 0) return null;
  const relative = new Float64Array(gridOf(of.geometry, choice.parameter).cells).fill(Number.NaN);
  const bends = new Map<number, Bend>();
  const curved = Array.from(relative, () => false);
  const verdict = new Float64Array(relative.length).fill(Number.NaN);
  for (const { cells: some } of runs) {
    some.index.forEach((index, i) => {
      verdict[index] = some.verdict[i] ?? Number.NaN;
      relative[index] = verdict[index] === VERDICT.withinRounding ? 0 : (some.relative_error[i] ?? Number.NaN);
      curved[index] = (some.truncation[i] ?? 0) > (some.rounding[i] ?? 0);
      const bend = bendOf(some, i);
      if (bend) bends.set(index, bend);
    });
  }
  const checked = runs.reduce((count, run) => count + run.cells.index.length, 0);
  const largest = Float64Array.from(runs, (run) => run.max_relative_error);
  const verdicts = Float64Array.from(runs, (run) => run.verdict);
  const worstVerdict = verdicts[worstOf(verdicts.map(rankOf))] ?? Number.NaN;
  const maxRelative = largest[worstOf(largest)] ?? Number.NaN;
  return { relative, verdict, checked, maxRelative, worstVerdict, curved, bends };
}

/** What bends the loss at entry i of a run. */
function bendOf({ bends }: GradientCheckCells, i: number): Bend | null {
  const at = (column: Int32Array | Float64Array | undefined) => column?.[i] ?? -1;
  if (!bends || at(bends.layer) < 0) return null;
  return {
    layer: at(bends.layer),
    cell: at(bends.cell),
    isAtValue: at(bends.at_value) === 1,
    winners: [at(bends.winner_above), at(bends.winner_below)],
    slopes: { above: at(bends.slope_above), below: at(bends.slope_below) },
  };
}

function readingsOf({ runs }: GradientCheck): readonly Reading[] {
  return runs.map(({ epsilon, cells }) => ({
    epsilon,
    lossPlus: cells.loss_plus[0] ?? Number.NaN,
    lossMinus: cells.loss_minus[0] ?? Number.NaN,
    numeric: cells.numeric[0] ?? Number.NaN,
    analytic: cells.analytic[0] ?? Number.NaN,
    absolute: cells.absolute_error[0] ?? Number.NaN,
    relative: cells.relative_error[0] ?? Number.NaN,
    verdict: cells.verdict[0] ?? Number.NaN,
    slopes: bendOf(cells, 0)?.slopes ?? null,
  }));
}

export function readingAt({ readings }: Sweep, epsilon: number): Reading | null {
  return readings.find((reading) => reading.epsilon === epsilon) ?? null;
}

/** The confirming step with the smallest error; the largest such step on a tie. */
export function bestOf({ readings }: Sweep): Reading | null {
  return readings.reduce<Reading | null>(
    (best, reading) =>
      isConfirmed(reading.verdict) && (best === null || reading.relative <= best.relative) ? reading : best,
    null,
  );
}

/** Why the finite difference at a step is not the slope. */
export const stepReason = (isCurved: boolean): string =>
  isCurved ? 'the curvature of the loss within ±ε' : 'rounding in the two losses';

/** Index of the largest value; NaN counts as larger than any number. */
export function worstOf(errors: Float64Array): number {
  let worst = 0;
  errors.forEach((error, i) => {
    const most = errors[worst] ?? 0;
    if (!Number.isNaN(most) && (error > most || Number.isNaN(error))) worst = i;
  });
  return worst;
}
