import type { BenchResult, Choice, ChoiceSummary, Entry, Race } from '../result';
import { geometricMean } from './statistics';
import { fastest, isOurs, PLAN, threadsOf } from './summary';

/** A choice that is this close to the best could be the best of another run. */
const CLOSE = 1.02;

/** What the plan chose for each of our parties, where it and another algorithm were timed by name. */
export function choicesOf(race: Race): Choice[] {
  const plans = race.entries
    .filter((entry) => isOurs(entry) && entry.form === PLAN)
    .toSorted((a, b) => threadsOf(a.party) - threadsOf(b.party));
  return plans.flatMap(({ party, algorithm }) => {
    const named = race.entries.filter((entry) => entry.party === party && entry.form !== PLAN);
    const [chosen, best] = [named.find(({ form }) => form === algorithm), fastest(named)];
    return chosen && best && named.length > 1 ? [choiceOf(race, party, chosen, best)] : [];
  });
}

function choiceOf({ shape, pass }: Race, party: string, chosen: Entry, best: Entry): Choice {
  const [time, bestTime] = [chosen.kernel.median, best.kernel.median];
  return { shape, pass, party, chosen: chosen.form, time, best: best.form, bestTime, ratio: time / bestTime };
}

/** How far a party's choices are from the best; undefined where it had none. */
export function summaryOf(choices: readonly Choice[], party: string): ChoiceSummary | undefined {
  const its = choices.filter((choice) => choice.party === party);
  const [worst] = its.toSorted((a, b) => b.ratio - a.ratio);
  if (!worst) return undefined;
  const passes = [...new Set(its.map(({ pass }) => pass))];
  return {
    party,
    races: its.length,
    best: its.filter(({ chosen, best }) => chosen === best).length,
    close: its.filter(({ ratio }) => ratio <= CLOSE).length,
    mean: meanRatio(its),
    meanByPass: Object.fromEntries(passes.map((pass) => [pass, meanRatio(its.filter((c) => c.pass === pass))])),
    worst,
  };
}

const meanRatio = (choices: readonly Choice[]) => geometricMean(choices.map(({ ratio }) => ratio));

/** The result with what its races say about the plan's choices: what is written as JSON. */
export function withChoices(result: BenchResult): BenchResult {
  const choices = result.races.flatMap(choicesOf);
  const parties = [...new Set(choices.map(({ party }) => party))];
  const choiceSummaries = parties.flatMap((party) => summaryOf(choices, party) ?? []);
  return choices.length > 0 ? { ...result, choices, choiceSummaries } : result;
}

/** One choice of a race's. */
export const choiceIn = (race: Race, party: string): Choice | undefined =>
  choicesOf(race).find((choice) => choice.party === party);
