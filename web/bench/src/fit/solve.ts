/** The cost of each observation, and its derivatives with respect to the coefficients. */
export interface Estimate {
  readonly costs: readonly number[];
  readonly slopes: readonly (readonly number[])[];
}

export type Model = (coefficients: readonly number[]) => Estimate;

export interface Observation {
  readonly time: number;
  readonly weight: number;
}

export interface Fit {
  readonly coefficients: readonly number[];
  /** log(scale * cost / time) of each observation. `scale` is that of the initial coefficients. */
  readonly errors: readonly number[];
  /** Weighted root mean square of the errors. */
  readonly residual: number;
}

/** Relative change of the coefficients at which the iteration has converged. */
const CONVERGED_CHANGE = 1e-9;
const MAX_STEPS = 60;
/** A factor of 1.6. The slopes are not valid at larger distances. */
const MAX_STEP = 0.5;

/**
 * Least squares on the logarithms of times, over the logarithms of coefficients: Levenberg-Marquardt. `stiffness` is
 * the penalty of a change of a coefficient by a factor of e, in squared errors. A coefficient on which no observation
 * depends does not change. The common scale depends on the clock rate, so it is computed first, from the initial
 * coefficients.
 */
export function fitCoefficients(
  model: Model,
  start: readonly number[],
  observations: readonly Observation[],
  stiffness: number,
): Fit {
  const total = observations.reduce((sum, { weight }) => sum + weight, 0);
  const scale = scaleOf(model(start).costs, observations, total);
  const errorsOf = ({ costs }: Estimate) =>
    observations.map(({ time }, i) => Math.log((scale * (costs[i] ?? 0)) / time));
  const moved = (at: readonly number[]) => start.map((coefficient, j) => coefficient * Math.exp(at[j] ?? 0));
  const squares = (errors: readonly number[]) =>
    errors.reduce((sum, error, i) => sum + (observations[i]?.weight ?? 0) * error ** 2, 0);
  const lossOf = (errors: readonly number[], at: readonly number[]) =>
    squares(errors) + stiffness * at.reduce((sum, change) => sum + change ** 2, 0);

  let at = start.map(() => 0);
  let estimate = model(start);
  let errors = errorsOf(estimate);
  let damping = 1e-3;
  for (let step = 0; step < MAX_STEPS && damping < 1e9; step += 1) {
    const change = stepFrom(estimate, moved(at), errors, observations, at, stiffness, damping);
    const next = at.map((value, j) => value + (change[j] ?? 0));
    const nextEstimate = model(moved(next));
    const nextErrors = errorsOf(nextEstimate);
    if (lossOf(nextErrors, next) <= lossOf(errors, at)) {
      [at, estimate, errors] = [next, nextEstimate, nextErrors];
      damping = Math.max(damping / 8, 1e-12);
      if (Math.max(...change.map(Math.abs)) < CONVERGED_CHANGE) break;
    } else {
      damping *= 4;
    }
  }
  return { coefficients: moved(at), errors, residual: Math.sqrt(squares(errors) / total) };
}

function scaleOf(costs: readonly number[], observations: readonly Observation[], total: number): number {
  const sum = observations.reduce((all, { time, weight }, i) => all + weight * Math.log(time / (costs[i] ?? 0)), 0);
  return Math.exp(sum / total);
}

function stepFrom(
  { costs, slopes }: Estimate,
  coefficients: readonly number[],
  errors: readonly number[],
  observations: readonly Observation[],
  at: readonly number[],
  stiffness: number,
  damping: number,
): number[] {
  const count = coefficients.length;
  const matrix = Array.from({ length: count }, () => new Float64Array(count));
  const right = new Float64Array(count);
  observations.forEach(({ weight }, i) => {
    // d log(cost) / d log(coefficient)
    const row = coefficients.map((coefficient, j) => ((slopes[i]?.[j] ?? 0) * coefficient) / (costs[i] ?? 1));
    const used = row.flatMap((value, j) => (value === 0 ? [] : [j]));
    for (const j of used) {
      right[j] = (right[j] ?? 0) - weight * (row[j] ?? 0) * (errors[i] ?? 0);
      const line = matrix[j];
      if (line) for (const k of used) line[k] = (line[k] ?? 0) + weight * (row[j] ?? 0) * (row[k] ?? 0);
    }
  });
  for (let j = 0; j < count; j += 1) {
    const line = matrix[j];
    if (line) line[j] = ((line[j] ?? 0) + stiffness) * (1 + damping) + 1e-12;
    right[j] = (right[j] ?? 0) - stiffness * (at[j] ?? 0);
  }
  const change = solve(matrix, right);
  const longest = Math.max(...change.map(Math.abs));
  return longest > MAX_STEP ? change.map((value) => (value * MAX_STEP) / longest) : change;
}

/** Solves a symmetric, positive definite system. Overwrites `matrix` with its Cholesky factor. */
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
