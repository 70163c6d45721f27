import type { BenchResult, Choice, ChoiceSummary, Entry, Race } from '../result';
import { meanRatio } from './statistics';
import { fastest, isOurs, PLAN, threadsOf } from './summary';

/** Largest ratio to the best that is within the scatter of the measurements. */
const CLOSE = 1.02;

/** The plan's choice of each party of this library, if the chosen algorithm and another one were timed by name. */
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

/** Undefined if the party has no choices. */
export function summaryOf(choices: readonly Choice[], party: string): ChoiceSummary | undefined {
  const own = choices.filter((choice) => choice.party === party);
  const [worst] = own.toSorted((a, b) => b.ratio - a.ratio);
  if (!worst) return undefined;
  const passes = [...new Set(own.map(({ pass }) => pass))];
  return {
    party,
    races: own.length,
    best: own.filter(({ chosen, best }) => chosen === best).length,
    close: own.filter(({ ratio }) => ratio <= CLOSE).length,
    mean: meanRatio(own),
    meanByPass: Object.fromEntries(passes.map((pass) => [pass, meanRatio(own.filter((c) => c.pass === pass))])),
    worst,
  };
}

/** The result with the plan's choices, as written to JSON. */
export function withChoices(result: BenchResult): BenchResult {
  const choices = result.races.flatMap(choicesOf);
  const parties = [...new Set(choices.map(({ party }) => party))];
  const choiceSummaries = parties.flatMap((party) => summaryOf(choices, party) ?? []);
  return choices.length > 0 ? { ...result, choices, choiceSummaries } : result;
}

export const choiceIn = (race: Race, party: string): Choice | undefined =>
  choicesOf(race).find((choice) => choice.party === party);
