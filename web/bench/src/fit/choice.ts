import { geometricMean } from '../report/statistics';
import { PLAN } from '../report/summary';
import type { BenchResult, Race } from '../result';
import type { Measured } from './solve';

/** What the library estimates of one algorithm (cpp/bench/costs): a line of its program's answer. */
export interface Line {
  readonly shape: string;
  readonly pass: string;
  readonly algorithm: string;
  readonly cost: number;
  readonly slopes: readonly number[];
}

/** An algorithm of a race that was timed; `race` is the shape and the pass. */
export interface Timed extends Measured {
  readonly race: string;
  readonly algorithm: string;
  /** Where its line is in the program's answer. */
  readonly line: number;
}

/**
 * Those algorithms of a party that were timed by name. What is far from the best needs no good estimate: errors count in inverse
 * proportion to the time.
 */
export function timedOf({ races }: BenchResult, party: string, lines: readonly Line[]): Timed[] {
  return races.flatMap((race) => {
    const entries = race.entries.filter((entry) => entry.party === party && entry.form !== PLAN);
    const best = Math.min(...entries.map(({ kernel }) => kernel.median));
    return entries.flatMap(({ form, kernel }) => {
      const line = lines.findIndex((each) => isOf(each, race) && each.algorithm === form);
      const timed = { race: `${race.shape} ${race.pass}`, algorithm: form, time: kernel.median, line };
      return line < 0 ? [] : [{ ...timed, weight: best / kernel.median }];
    });
  });
}

const isOf = ({ shape, pass }: Line, race: Race) => shape === race.shape && pass === race.pass;

/** A race's choice by estimates, and its time over the best. */
export interface Chosen {
  readonly race: string;
  readonly algorithm: string;
  readonly ratio: number;
}

/** What a plan would choose: the cheapest, the first of equals. */
export function choicesBy(timed: readonly Timed[], costs: readonly number[]): Chosen[] {
  return [...new Set(timed.map(({ race }) => race))].map((race) => {
    const entrants = timed
      .map((entry, i) => ({ ...entry, cost: costs[i] ?? 0 }))
      .filter((entry) => entry.race === race);
    const cheapest = entrants.toSorted((a, b) => a.cost - b.cost || a.line - b.line)[0];
    const best = Math.min(...entrants.map(({ time }) => time));
    return { race, algorithm: cheapest?.algorithm ?? '', ratio: (cheapest?.time ?? Number.NaN) / best };
  });
}

export const meanRatio = (choices: readonly Chosen[]): number => geometricMean(choices.map(({ ratio }) => ratio));

/** A choice that takes this much longer than before is a worse one, and no accident of the measurement. */
export const WORSE = 1.02;

/** Races whose choice takes longer than it did by more than a measurement's accident. */
export const worsened = (before: readonly Chosen[], after: readonly Chosen[]): Chosen[] =>
  after.filter(({ ratio }, i) => ratio > WORSE * (before[i]?.ratio ?? Number.POSITIVE_INFINITY));
