/** What a model says at given prices: the cost of each observation, and how it changes with each price. */
export interface Estimate {
  readonly costs: readonly number[];
  readonly slopes: readonly (readonly number[])[];
}

export type Model = (prices: readonly number[]) => Estimate;

export interface Measured {
  readonly time: number;
  /** How much its error counts. */
  readonly weight: number;
}

export interface Fit {
  readonly prices: readonly number[];
  /** log(scale * cost / time) of each observation, `scale` being that of the prices to begin with. */
  readonly errors: readonly number[];
  /** Weighted root mean square of the errors. */
  readonly residual: number;
}

/** Steps that change no price by more than this are the last. */
const SETTLED = 1e-9;
const MOST_STEPS = 60;
/** A factor of 1.6: further away the model's slopes say nothing. */
const LONGEST_STEP = 0.5;

/**
 * Least squares on the logarithms of times, over the logarithms of prices: Gauss and Newton's steps, damped after Levenberg and
 * Marquardt. A price that no observation tells stays where it began: `stiffness` is what a change of each price by a factor of e
 * costs, in squared errors. What prices have in common is told by nobody (a faster clock), so the scale is found before they move.
 */
export function fitPrices(
  model: Model,
  start: readonly number[],
  measured: readonly Measured[],
  stiffness: number,
): Fit {
  const total = measured.reduce((sum, { weight }) => sum + weight, 0);
  const scale = scaleOf(model(start).costs, measured, total);
  const errorsOf = ({ costs }: Estimate) => measured.map(({ time }, i) => Math.log((scale * (costs[i] ?? 0)) / time));
  const moved = (at: readonly number[]) => start.map((price, j) => price * Math.exp(at[j] ?? 0));
  const squares = (errors: readonly number[]) =>
    errors.reduce((sum, error, i) => sum + (measured[i]?.weight ?? 0) * error ** 2, 0);
  const lossOf = (errors: readonly number[], at: readonly number[]) =>
    squares(errors) + stiffness * at.reduce((sum, change) => sum + change ** 2, 0);

  let at = start.map(() => 0);
  let estimate = model(start);
  let errors = errorsOf(estimate);
  let damping = 1e-3;
  for (let step = 0; step < MOST_STEPS && damping < 1e9; step += 1) {
    const change = stepFrom(estimate, moved(at), errors, measured, at, stiffness, damping);
    const next = at.map((value, j) => value + (change[j] ?? 0));
    const estimateThere = model(moved(next));
    const errorsThere = errorsOf(estimateThere);
    if (lossOf(errorsThere, next) <= lossOf(errors, at)) {
      [at, estimate, errors] = [next, estimateThere, errorsThere];
      damping = Math.max(damping / 8, 1e-12);
      if (Math.max(...change.map(Math.abs)) < SETTLED) break;
    } else {
      damping *= 4;
    }
  }
  return { prices: moved(at), errors, residual: Math.sqrt(squares(errors) / total) };
}

function scaleOf(costs: readonly number[], measured: readonly Measured[], total: number): number {
  const sum = measured.reduce((all, { time, weight }, i) => all + weight * Math.log(time / (costs[i] ?? 0)), 0);
  return Math.exp(sum / total);
}

function stepFrom(
  { costs, slopes }: Estimate,
  prices: readonly number[],
  errors: readonly number[],
  measured: readonly Measured[],
  at: readonly number[],
  stiffness: number,
  damping: number,
): number[] {
  const count = prices.length;
  const matrix = Array.from({ length: count }, () => new Float64Array(count));
  const right = new Float64Array(count);
  measured.forEach(({ weight }, i) => {
    // d log(cost) / d log(price)
    const row = prices.map((price, j) => ((slopes[i]?.[j] ?? 0) * price) / (costs[i] ?? 1));
    const told = row.flatMap((value, j) => (value === 0 ? [] : [j]));
    for (const j of told) {
      right[j] = (right[j] ?? 0) - weight * (row[j] ?? 0) * (errors[i] ?? 0);
      const line = matrix[j];
      if (line) for (const k of told) line[k] = (line[k] ?? 0) + weight * (row[j] ?? 0) * (row[k] ?? 0);
    }
  });
  for (let j = 0; j < count; j += 1) {
    const line = matrix[j];
    if (line) line[j] = ((line[j] ?? 0) + stiffness) * (1 + damping) + 1e-12;
    right[j] = (right[j] ?? 0) - stiffness * (at[j] ?? 0);
  }
  const change = solve(matrix, right);
  const longest = Math.max(...change.map(Math.abs));
  return longest > LONGEST_STEP ? change.map((value) => (value * LONGEST_STEP) / longest) : change;
}

/** Of a symmetric, positive definite system: Cholesky's factors in place of `matrix`. */
function solve(matrix: readonly Float64Array[], right: Float64Array): number[] {
  const at = (i: number, j: number) => matrix[i]?.[j] ?? 0;
  const count = right.length;
  for (let j = 0; j < count; j += 1) {
    for (let i = j; i < count; i += 1) {
      let sum = at(i, j);
      for (let k = 0; k < j; k += 1) sum -= at(i, k) * at(j, k);
      const line = matrix[i];
      if (line) line[j] = i === j ? Math.sqrt(sum) : sum / at(j, j);
    }
  }
  const x = Array.from(right);
  for (let i = 0; i < count; i += 1) {
    for (let k = 0; k < i; k += 1) x[i] = (x[i] ?? 0) - at(i, k) * (x[k] ?? 0);
    x[i] = (x[i] ?? 0) / at(i, i);
  }
  for (let i = count - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < count; k += 1) x[i] = (x[i] ?? 0) - at(k, i) * (x[k] ?? 0);
    x[i] = (x[i] ?? 0) / at(i, i);
  }
  return x;
}
