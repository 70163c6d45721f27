import { PLAN } from '../report/summary';
import type { BenchResult, Race } from '../result';
import type { Observation } from './solve';

/** The estimated cost of an algorithm: a line of the output of conv2d_costs (cpp/bench/costs). */
export interface CostLine {
  readonly shape: string;
  readonly pass: string;
  readonly algorithm: string;
  readonly cost: number;
  readonly slopes: readonly number[];
}

/** A timed algorithm. `race` is the shape and the pass. */
export interface TimedAlgorithm extends Observation {
  readonly race: string;
  readonly algorithm: string;
  /** Index of its line in the output of conv2d_costs. */
  readonly line: number;
}

/**
 * The algorithms of a party that were timed by name. Weights are inversely proportional to the time: slow algorithms do
 * not need accurate estimates.
 */
export function timedOf({ races }: BenchResult, party: string, lines: readonly CostLine[]): TimedAlgorithm[] {
  return races.flatMap((race) => {
    const entries = race.entries.filter((entry) => entry.party === party && entry.form !== PLAN);
    const best = Math.min(...entries.map(({ kernel }) => kernel.median));
    return entries.flatMap(({ form, kernel }) => {
      const line = lines.findIndex((each) => belongsTo(each, race) && each.algorithm === form);
      const timed = { race: `${race.shape} ${race.pass}`, algorithm: form, time: kernel.median, line };
      return line < 0 ? [] : [{ ...timed, weight: best / kernel.median }];
    });
  });
}

const belongsTo = ({ shape, pass }: CostLine, race: Race) => shape === race.shape && pass === race.pass;

/** The algorithm with the lowest estimate in a race, and the ratio of its time to the shortest time. */
export interface EstimatedChoice {
  readonly race: string;
  readonly algorithm: string;
  readonly ratio: number;
}

/** The choices of a plan with these costs: the lowest cost, or the first of equal ones. */
export function choicesBy(timed: readonly TimedAlgorithm[], costs: readonly number[]): EstimatedChoice[] {
  return [...new Set(timed.map(({ race }) => race))].map((race) => {
    const entrants = timed
      .map((entry, i) => ({ ...entry, cost: costs[i] ?? 0 }))
      .filter((entry) => entry.race === race);
    const cheapest = entrants.toSorted((a, b) => a.cost - b.cost || a.line - b.line)[0];
    const best = Math.min(...entrants.map(({ time }) => time));
    return { race, algorithm: cheapest?.algorithm ?? '', ratio: (cheapest?.time ?? Number.NaN) / best };
  });
}

/** A smaller increase of the time of a choice is within the scatter of the measurements. */
const WORSE = 1.02;

/** Choices that are slower than before by more than the scatter of the measurements. */
export const worsened = (before: readonly EstimatedChoice[], after: readonly EstimatedChoice[]): EstimatedChoice[] =>
  after.filter(({ ratio }, i) => ratio > WORSE * (before[i]?.ratio ?? Number.POSITIVE_INFINITY));
