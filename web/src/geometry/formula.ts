import type { Cell, Geometry, GridName } from '../protocol/problem';
import type { AxisName } from './grid';
import { cellLabel, withIndices, withMinus } from './labels';
import { type Factor, type RuleAxis, ruleOf, type SumRule } from './rules';

/** A summation index: first + step * t at step t of its axis; step is 1 or -1. */
interface Variable {
  readonly name: string;
  readonly first: number;
  readonly step: 1 | -1;
  readonly count: number;
}

const isWeight = (tensor: GridName) => tensor.startsWith('w');

/** Names of the indices of w, and of dy, y and x, as in the definition of a convolution. */
const WEIGHT_NAMES: Readonly<Record<AxisName, string>> = { row: 'p', col: 'q', channel: 'c', slice: 'k' };
const OUTPUT_NAMES: Readonly<Record<AxisName, string>> = { row: 'i', col: 'j', channel: 'k', slice: 'n' };
/** For axes on which no factor moves by steps of 1 (a stride with another dilation): names of the step count. */
const STEP_NAMES: Readonly<Record<AxisName, string>> = { row: 't', col: 'u', channel: 'c', slice: 'n' };

/** The summation index of an axis: the tap of w, else the position in dy. */
function variableOf(rule: SumRule, axis: RuleAxis): Variable | null {
  if (axis.count === 1) return null;
  const { count } = axis;
  const a = { factor: rule.a, walk: axis.a };
  const b = { factor: rule.b, walk: axis.b };
  // The first factor of a rule is x or w, or dy alone.
  for (const { factor, walk } of isWeight(rule.a.tensor) ? [a, b] : [b, a]) {
    if (!factor || !walk || Math.abs(walk.step) !== 1) continue;
    const names = isWeight(factor.tensor) ? WEIGHT_NAMES : OUTPUT_NAMES;
    return { name: names[walk.axis], first: factor.origin[walk.axis], step: walk.step < 0 ? -1 : 1, count };
  }
  return { name: STEP_NAMES[axis.a.axis], first: 0, step: 1, count };
}

/** base + slope * name: "1+p", "p−1", "2−p", "4+2i". */
export function linear(base: number, slope: number, name: string): string {
  const product = Math.abs(slope) === 1 ? name : `${Math.abs(slope)}${name}`;
  if (slope < 0) return base === 0 ? `−${product}` : `${withMinus(base)}−${product}`;
  if (base === 0) return product;
  return base < 0 ? `${product}−${-base}` : `${base}+${product}`;
}

function factorText(
  g: Geometry,
  factor: Factor,
  side: 'a' | 'b',
  rule: SumRule,
  variables: readonly (Variable | null)[],
) {
  return withIndices(g, factor.tensor, (name) => {
    const origin = factor.origin[name];
    const at = rule.axes.findIndex((axis) => axis[side]?.axis === name);
    const variable = variables[at];
    const step = rule.axes[at]?.[side]?.step ?? 0;
    if (!variable) return withMinus(origin);
    const slope = step * variable.step;
    return linear(origin - slope * variable.first, slope, variable.name);
  });
}

function range({ name, first, step, count }: Variable) {
  const last = first + step * (count - 1);
  return `${name} = ${Math.min(first, last)} … ${Math.max(first, last)}`;
}

/**
 * "y[1,2] = Σ{p,q} x[1+p,2+q] · w[p,q] + b[0]", with the summation indices in braces, and `where` they run. Null for inputs.
 * `bias`: the problem has a bias.
 */
export function sumFormula(g: Geometry, cell: Cell, bias: boolean) {
  const rule = ruleOf(g, cell);
  if (!rule) return null;
  const target = cellLabel(g, cell);
  if (rule.axes.some(({ count }) => count === 0)) return { text: `${target} = 0`, where: [] };
  const variables = rule.axes.map((axis) => variableOf(rule, axis));
  const moving = variables.filter((variable) => variable !== null);
  const factors = [
    factorText(g, rule.a, 'a', rule, variables),
    ...(rule.b ? [factorText(g, rule.b, 'b', rule, variables)] : []),
  ];
  // x before w, as in the definition; dy before the flipped w.
  if (isWeight(rule.a.tensor)) factors.reverse();
  const sum = moving.length > 0 ? `Σ{${moving.map(({ name }) => name).join(',')}} ` : '';
  const added = bias && rule.bias ? ` + ${cellLabel(g, rule.bias)}` : '';
  return { text: `${target} = ${sum}${factors.join(' · ')}${added}`, where: moving.map(range) };
}

/** An index as a sum, "2i+p−1"; steps are [factor, name]. */
function stepped(constant: number, ...steps: readonly (readonly [number, string])[]) {
  const named = steps.map(([step, name]) => (step === 1 ? name : `${step}${name}`)).join('+');
  if (constant === 0) return named;
  return `${named}${constant < 0 ? `−${-constant}` : `+${constant}`}`;
}

/**
 * The sum of every cell of a tensor, in letters and with the stride, padding and dilation of this geometry; null for
 * inputs.
 */
export function generalFormula(g: Geometry, tensor: GridName, bias: boolean): string | null {
  const { padding: pad, stride_h, stride_w, dilation_h, dilation_w } = g;
  const indices = (name: GridName, texts: Readonly<Record<AxisName, string>>) =>
    withIndices(g, name, (axis) => texts[axis]);
  const x = (row: string, col: string) => ({ slice: 'n', row, col, channel: 'c' });
  const y = (row: string, col: string) => ({ slice: 'n', row, col, channel: 'k' });
  const read = x(
    stepped(-pad.top, [stride_h, 'i'], [dilation_h, 'p']),
    stepped(-pad.left, [stride_w, 'j'], [dilation_w, 'q']),
  );
  const w = { slice: 'k', row: 'p', col: 'q', channel: 'c' };
  const several = (count: number, name: string) => (count > 1 ? [name] : []);
  const sum = (names: readonly string[]) => `Σ{${names.join(',')}}`;
  /** Row or column of the output that reads a row or column of x with a tap. */
  const met = (name: string, tap: string, before: number, dilation: number, stride: number) => {
    const top = `${before === 0 ? name : `${name}+${before}`}−${dilation === 1 ? tap : `${dilation}${tap}`}`;
    return stride === 1 ? top : `(${top})/${stride}`;
  };
  switch (tensor) {
    case 'y':
      return `${indices('y', y('i', 'j'))} = ${sum([...several(g.group_c, 'c'), 'p', 'q'])} ${indices('x', read)} · ${indices('w', w)}${bias ? ' + b[k]' : ''}`;
    case 'dx': {
      // s is the stride, and n an image if there are several.
      const [row, col] = g.n > 1 ? (['u', 'v'] as const) : (['m', 'n'] as const);
      const from = y(met(row, 'p', pad.top, dilation_h, stride_h), met(col, 'q', pad.left, dilation_w, stride_w));
      return `${indices('dx', x(row, col))} = ${sum([...several(g.group_k, 'k'), 'p', 'q'])} ${indices('dy', from)} · ${indices('w', w)}`;
    }
    case 'dw':
      return `${indices('dw', w)} = ${sum([...several(g.n, 'n'), 'i', 'j'])} ${indices('x', read)} · ${indices('dy', y('i', 'j'))}`;
    case 'db':
      return `db[k] = ${sum([...several(g.n, 'n'), 'i', 'j'])} ${indices('dy', y('i', 'j'))}`;
    default:
      return null;
  }
}
