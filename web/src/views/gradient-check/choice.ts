import { gridOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import { LOSSES as LOSS_ENTRIES } from '../../losses/entries';
import { LOSS_KINDS, type LossName } from '../../losses/list';
import { numberOf } from '../../protocol/layers';
import type { Content } from '../../protocol/messages';
import type { Cell, Geometry, ParameterName } from '../../protocol/problem';
import type { Option } from '../../ui/controls/Choice';
import type { Precision } from '../kit/confirmed';

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
export type CheckedLayer = Pick<Content, 'geometry' | 'index' | 'layers'>;

/** The choice, limited to the current problem. */
export function checkChoice(of: CheckedLayer, { parameter, index, loss, epsilon, precision }: ViewState): CheckChoice {
  const { geometry: g } = of;
  const tensor = PARAMETERS.find((name) => name === parameter) ?? 'w';
  const last = gridOf(g, tensor).cells - 1;
  const wanted = typeof epsilon === 'number' ? epsilon : DEFAULT_EPSILON;
  return {
    parameter: tensor,
    index: typeof index === 'number' ? Math.max(0, Math.min(last, index)) : 0,
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
function steps(mantissas: readonly number[]): readonly number[] {
  const values = [1];
  for (let exponent = -1; exponent >= -12; exponent -= 1) {
    // Parsed from text: 3e-5 is then the nearest double; a product of powers of ten may be off by one bit.
    for (const mantissa of mantissas) values.unshift(Number(`${mantissa}e${exponent}`));
  }
  return values;
}

export const epsilonsOf = (of: CheckedLayer): readonly number[] => (productsOf(of) > MANY_PRODUCTS ? COARSE : FINE);

const productsOfLayer = (g: Geometry): number => gridOf(g, 'y').cells * g.kh * g.kw * g.group_c;

const productsFrom = ({ layers }: CheckedLayer, first: number): number =>
  layers.slice(first).reduce((products, layer) => products + productsOfLayer(layer.geometry), 0);

/** Multiplications of one pass, from the layer to the loss. */
export const productsOf = (of: CheckedLayer): number => productsFrom(of, of.index);

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
  'The target is generated close to y, where the loss is curved. This loss has its own dy, so this gradient is not the one in the Overview.';
