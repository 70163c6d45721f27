import type { BenchResult } from '../result';
import { type Chosen, choicesBy, type Line, meanRatio, type Timed, timedOf, worsened } from './choice';
import { fitPrices, type Model } from './solve';
import { rounded } from './table';

/** The program's answer for these prices. */
export type Ask = (prices: readonly number[]) => readonly Line[];

/** How strongly prices are held where they were, the strongest first: few prices are told by many times. */
const STIFFNESS = [10, 3, 1, 0.3, 0.1, 0.03, 0.01];

/** Errors of a factor of 1.6 in the root mean square: a model that says no more chooses by luck. */
export const LARGEST_RESIDUAL = Math.log(1.6);

/** New prices, and what a plan would choose by them: in the run that they were fitted to, and in others that judge them. */
export interface Offer {
  readonly prices: readonly number[];
  readonly residual: number;
  /** By run. */
  readonly means: readonly number[];
  readonly worse: readonly Chosen[];
  /** Choices that are others than before. */
  readonly changed: readonly Chosen[];
}

export interface FamilyFit {
  /** With the prices in force: the root mean square of the errors, and what is chosen. */
  readonly residual: number;
  readonly choices: readonly Chosen[];
  readonly means: readonly number[];
  /** From the stiffest to the freest. */
  readonly offers: readonly Offer[];
  /** Of the algorithms, by the prices of the freest offer: the largest errors first. */
  readonly errors: readonly { readonly algorithm: string; readonly residual: number }[];
  /** The offer to be taken: the best of those that are better, in no run the worse on the whole, and make no race worse. */
  readonly taken?: Offer;
}

/** Fits the prices of a family to what the first of these runs of the benchmark has timed of one party; all of them judge. */
export function fitFamily(runs: readonly BenchResult[], party: string, start: readonly number[], ask: Ask): FamilyFit {
  const lines = ask(start);
  const timedByRun = runs.map((run) => timedOf(run, party, lines));
  const choicesAt = (answer: readonly Line[]) =>
    timedByRun.map((timed) =>
      choicesBy(
        timed,
        timed.map(({ line }) => answer[line]?.cost ?? Number.NaN),
      ),
    );
  const [timed = []] = timedByRun;
  const model: Model = (prices) => {
    const answer = ask(prices);
    const told = timed.flatMap(({ line }) => answer[line] ?? []);
    return { costs: told.map(({ cost }) => cost), slopes: told.map(({ slopes }) => slopes) };
  };
  const before = choicesAt(lines);
  const means = before.map(meanRatio);
  // Held where it is, the fit says how well the prices in force explain the times.
  const { residual } = fitPrices(model, start, timed, 1e12);
  const fits = STIFFNESS.map((stiffness) => fitPrices(model, start, timed, stiffness));
  const offers = fits.map((fit): Offer => {
    const prices = fit.prices.map(rounded);
    const after = choicesAt(ask(prices));
    const changed = (after[0] ?? []).filter(({ algorithm }, i) => algorithm !== before[0]?.[i]?.algorithm);
    const worse = after.flatMap((choices, run) => worsened(before[run] ?? [], choices));
    return { prices, residual: fit.residual, means: after.map(meanRatio), worse, changed };
  });
  const isBetter = ({ means: after, worse }: Offer) =>
    worse.length === 0 && first(after) < first(means) && after.every((mean, run) => mean <= (means[run] ?? 0));
  const taken = offers.filter(isBetter).toSorted((a, b) => first(a.means) - first(b.means))[0];
  const errors = errorsByAlgorithm(timed, fits.at(-1)?.errors ?? []);
  return { residual, choices: before[0] ?? [], means, offers, errors, ...(taken ? { taken } : {}) };
}

const first = (means: readonly number[]) => means[0] ?? Number.NaN;

/** A model that cannot say how long things take is told by what is left. */
export const explains = ({ offers }: FamilyFit): boolean => (offers.at(-1)?.residual ?? Number.NaN) <= LARGEST_RESIDUAL;

function errorsByAlgorithm(timed: readonly Timed[], errors: readonly number[]): FamilyFit['errors'] {
  const names = [...new Set(timed.map(({ race, algorithm }) => `${race.split(' ')[1]} ${algorithm}`))];
  return names
    .map((algorithm) => {
      const its = timed.flatMap((each, i) =>
        `${each.race.split(' ')[1]} ${each.algorithm}` === algorithm ? [{ ...each, error: errors[i] ?? 0 }] : [],
      );
      const weight = its.reduce((sum, each) => sum + each.weight, 0);
      const squares = its.reduce((sum, each) => sum + each.weight * each.error ** 2, 0);
      return { algorithm, residual: Math.sqrt(squares / weight) };
    })
    .toSorted((a, b) => b.residual - a.residual);
}
