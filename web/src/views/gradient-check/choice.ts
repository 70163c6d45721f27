import { gridOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import { LOSSES as LOSS_ENTRIES } from '../../losses/entries';
import { LOSS_KINDS, type LossName } from '../../losses/list';
import type { GradientCheck, GradientCheckCells } from '../../protocol/gradient-check';
import { numberOf } from '../../protocol/layers';
import type { Content } from '../../protocol/messages';
import type { Cell, Geometry, ParameterName } from '../../protocol/problem';
import type { QuestionOf } from '../../protocol/questions';
import type { Option } from '../../ui/controls/Choice';
import { type Answers, isConfirmed, type Precision, VERDICT } from '../shared/answers';
import { tellingIndex } from '../shared/telling';

export const PRECISIONS: readonly Precision[] = ['float32', 'float64'];

export const PARAMETERS: readonly ParameterName[] = ['x', 'w', 'b'];

/** The check that is shown. */
export interface CheckChoice {
  readonly parameter: ParameterName;
  /** Flat index into the parameter and into its gradient. */
  readonly index: number;
  readonly loss: LossName;
  readonly epsilon: number;
  /** Of the map of all cells. */
  readonly precision: Precision;
}

/** Coarse enough for float32; at smaller steps its check fails. */
const DEFAULT_EPSILON = 0.1;

/** The layer to check, and those after it. */
export type CheckedLayer = Pick<Content, 'geometry' | 'tensors' | 'index' | 'layers'>;

/** The choice, limited to the current problem. */
export function checkChoice(of: CheckedLayer, { parameter, index, loss, epsilon, precision }: ViewState): CheckChoice {
  const { geometry: g } = of;
  const tensor = PARAMETERS.find((name) => name === parameter) ?? 'w';
  const last = gridOf(g, tensor).cells - 1;
  const wanted = typeof epsilon === 'number' ? epsilon : DEFAULT_EPSILON;
  return {
    parameter: tensor,
    index: typeof index === 'number' ? Math.max(0, Math.min(last, index)) : tellingIndex(of, gradientOf(tensor)),
    loss: lossNamed(loss).value,
    epsilon: epsilonsOf(of).find((step) => step >= wanted) ?? DEFAULT_EPSILON,
    precision: PRECISIONS.find((name) => name === precision) ?? 'float32',
  };
}

/** Multiplications of a forward pass above which the sweep has fewer steps: each step runs the layer again. */
const MANY_PRODUCTS = 3e6;

const FINE = steps([3, 1]);
const COARSE = steps([1]);

/** 10⁻¹² to 1, ascending. */
function steps(mantissas: readonly number[]) {
  const values = [1];
  for (let exponent = -1; exponent >= -12; exponent -= 1) {
    // Parsed from text: 3e-5 is then the nearest double; a product of powers of ten may be off by one bit.
    for (const mantissa of mantissas) values.unshift(Number(`${mantissa}e${exponent}`));
  }
  return values;
}

export const epsilonsOf = (of: CheckedLayer): readonly number[] => (productsOf(of) > MANY_PRODUCTS ? COARSE : FINE);

const productsOfLayer = (g: Geometry) => gridOf(g, 'y').cells * g.kh * g.kw * g.group_c;

const productsFrom = ({ layers }: CheckedLayer, first: number): number =>
  layers.slice(first).reduce((products, layer) => products + productsOfLayer(layer.geometry), 0);

/** Multiplications of one pass, from the layer to the loss. */
const productsOf = (of: CheckedLayer) => productsFrom(of, of.index);

/** Work above which checking all cells takes too long. */
const MOST_WORK = 3e7;

/** Work for one changed cell: it changes sums of y, and the layers after it run again. */
export const workOfCell = (of: CheckedLayer): number => gridOf(of.geometry, 'y').cells + productsFrom(of, of.index + 1);

export function canCheckAll(of: CheckedLayer, parameter: ParameterName): boolean {
  return gridOf(of.geometry, parameter).cells * workOfCell(of) <= MOST_WORK;
}

export const gradientOf = (parameter: ParameterName): 'dx' | 'dw' | 'db' => `d${parameter}`;

/** The check of a pinned cell: of itself, or of the cell that it is the gradient of; null for other tensors. */
export function choiceOfCell({ tensor, index }: Cell): Pick<CheckChoice, 'parameter' | 'index'> | null {
  const parameter = PARAMETERS.find((name) => name === tensor || gradientOf(name) === tensor);
  return parameter ? { parameter, index } : null;
}

interface Loss extends Option<LossName> {
  readonly formula: string;
  /** Explains the plot. */
  readonly text: string;
}

/** THE LIST of losses, in the order of the menu. */
export const CHECK_LOSSES: readonly [Loss, ...Loss[]] = [
  {
    value: 'linear',
    label: 'linear',
    hint: 'the sum of y times dy: the loss of the Overview',
    formula: 'L = Σ y · dy',
    text: 'This loss is linear in each value, so the line through two points has the exact slope for any ε. Only rounding remains, and it grows as ε shrinks.',
  },
  ...LOSS_KINDS.map((value): Loss => {
    const { mean, formula, check } = LOSS_ENTRIES[value];
    return { value, ...check, hint: mean, formula: formula('N') };
  }),
];

export const lossNamed = (name: unknown): Loss => CHECK_LOSSES.find(({ value }) => value === name) ?? CHECK_LOSSES[0];

/** What tells a mistake from an error of the step. */
export const MISTAKE =
  'No single relative error means a mistake: the same gradient has a large error at a bad ε and a small one at a good ε. An error that the step causes changes with ε. A mistake in the gradient stays at every ε.';

/** With the names of the values at the loss, as in the view Network: "y" and "dy", or "y3" and "dy3". */
export const lossFormula = ({ layers }: CheckedLayer, loss: LossName): string =>
  lossNamed(loss).formula.replace(/d?y/g, (name) => name + numberOf(layers, layers.length - 1));

/** With layers after this one: where the loss is, and what bends it. */
export const bendNote = ({ fixed, index }: Pick<Content, 'fixed' | 'index'>): string | null =>
  fixed.dy
    ? `The loss is at the end of the network: each step runs all layers from layer ${index + 1} on. A layer with a kink, such as ReLU or max pooling, bends the loss where a sign or a winner changes. A step across the bend measures neither slope. Where the input of ReLU is 0, or two cells of a window are equal, the loss bends at the value itself: there the error stays at every ε and is no mistake.`
    : null;

/** Shown with every loss other than the linear one: its dy is its own. */
export const OTHER_LOSS =
  'The target is generated close to y, where the loss is curved; for cross-entropy it is your target, or a class for each position. This loss has its own dy, so this gradient is not the one in the Overview.';

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
const rankOf = (verdict: number) => (Number.isNaN(verdict) ? Number.NaN : RANKS.indexOf(verdict));

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
