import { meanRatio } from '../report/statistics';
import type { BenchResult } from '../result';
import { type CostLine, choicesBy, type EstimatedChoice, type TimedAlgorithm, timedOf, worsened } from './choice';
import { fitCoefficients, type Model } from './solve';
import { rounded } from './table';

/** Runs conv2d_costs with these coefficients. */
export type EstimateCosts = (coefficients: readonly number[]) => readonly CostLine[];

/** Regularization strengths, strongest first. Only a few coefficients are determined by many measurements. */
const STIFFNESS = [10, 3, 1, 0.3, 0.1, 0.03, 0.01];

/** Root mean square of the errors, as a logarithm: a factor of 1.6. The choices of a less accurate model are random. */
const LARGEST_RESIDUAL = Math.log(1.6);

/** Fitted coefficients and the resulting choices in all runs: the first, which they were fitted to, and the others. */
export interface Candidate {
  readonly coefficients: readonly number[];
  readonly residual: number;
  /** Geometric mean of the ratios of each run. */
  readonly means: readonly number[];
  readonly worse: readonly EstimatedChoice[];
  /** Choices of the first run that changed. */
  readonly changed: readonly EstimatedChoice[];
}

export interface FamilyFit {
  /** Root mean square of the errors of the current coefficients. */
  readonly residual: number;
  /** Choices of the current coefficients. */
  readonly choices: readonly EstimatedChoice[];
  readonly means: readonly number[];
  /** In the order of decreasing stiffness. */
  readonly candidates: readonly Candidate[];
  /** Errors of the last candidate by algorithm, largest first. */
  readonly errors: readonly { readonly algorithm: string; readonly residual: number }[];
  /** The candidate with the lowest mean in the first run that worsens no choice and the mean of no run. */
  readonly accepted?: Candidate;
}

/** Fits the coefficients of a family to the times of a party in the first run, and validates them with all runs. */
export function fitFamily(
  runs: readonly BenchResult[],
  party: string,
  start: readonly number[],
  estimateCosts: EstimateCosts,
): FamilyFit {
  const lines = estimateCosts(start);
  const timedByRun = runs.map((run) => timedOf(run, party, lines));
  const choicesAt = (answer: readonly CostLine[]) =>
    timedByRun.map((timed) =>
      choicesBy(
        timed,
        timed.map(({ line }) => answer[line]?.cost ?? Number.NaN),
      ),
    );
  const [timed = []] = timedByRun;
  const model: Model = (coefficients) => {
    const answer = estimateCosts(coefficients);
    const used = timed.flatMap(({ line }) => answer[line] ?? []);
    return { costs: used.map(({ cost }) => cost), slopes: used.map(({ slopes }) => slopes) };
  };
  const before = choicesAt(lines);
  const means = before.map(meanRatio);
  // A very stiff fit gives the error of the current coefficients.
  const { residual } = fitCoefficients(model, start, timed, 1e12);
  const fits = STIFFNESS.map((stiffness) => fitCoefficients(model, start, timed, stiffness));
  const candidates = fits.map((fit): Candidate => {
    const coefficients = fit.coefficients.map(rounded);
    const after = choicesAt(estimateCosts(coefficients));
    const changed = (after[0] ?? []).filter(({ algorithm }, i) => algorithm !== before[0]?.[i]?.algorithm);
    const worse = after.flatMap((choices, run) => worsened(before[run] ?? [], choices));
    return { coefficients, residual: fit.residual, means: after.map(meanRatio), worse, changed };
  });
  const isBetter = ({ means: after, worse }: Candidate) =>
    worse.length === 0 && first(after) < first(means) && after.every((mean, run) => mean <= (means[run] ?? 0));
  const accepted = candidates.filter(isBetter).toSorted((a, b) => first(a.means) - first(b.means))[0];
  const errors = errorsByAlgorithm(timed, fits.at(-1)?.errors ?? []);
  return { residual, choices: before[0] ?? [], means, candidates, errors, ...(accepted ? { accepted } : {}) };
}

const first = (means: readonly number[]) => means[0] ?? Number.NaN;

/** Whether the error of the least stiff fit is small enough. */
export const explains = ({ candidates }: FamilyFit): boolean =>
  (candidates.at(-1)?.residual ?? Number.NaN) <= LARGEST_RESIDUAL;

function errorsByAlgorithm(timed: readonly TimedAlgorithm[], errors: readonly number[]): FamilyFit['errors'] {
  const names = [...new Set(timed.map(({ race, algorithm }) => `${race.split(' ')[1]} ${algorithm}`))];
  return names
    .map((algorithm) => {
      const own = timed.flatMap((each, i) =>
        `${each.race.split(' ')[1]} ${each.algorithm}` === algorithm ? [{ ...each, error: errors[i] ?? 0 }] : [],
      );
      const weight = own.reduce((sum, each) => sum + each.weight, 0);
      const squares = own.reduce((sum, each) => sum + each.weight * each.error ** 2, 0);
      return { algorithm, residual: Math.sqrt(squares / weight) };
    })
    .toSorted((a, b) => b.residual - a.residual);
}
