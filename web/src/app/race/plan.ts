import type { ConvDesc } from '../../protocol/problem';
import type { RaceRequest, RaceTask } from '../../protocol/race';
import type { Setup } from './setup';
import { NAMED_SHAPES } from './shapes';
import { sweepOf } from './sweep';

/** The races of a setup, in order; `current` is the problem on the page. */
export function tasksOf(setup: Setup, current: ConvDesc): readonly RaceTask[] {
  return problemsOf(setup, current).flatMap(({ name, desc }) => setup.passes.map((pass) => ({ name, desc, pass })));
}

function problemsOf({ what, names, parameter, base }: Setup, current: ConvDesc) {
  if (what === 'this') return [{ name: 'this problem', desc: current }];
  if (what === 'named') return NAMED_SHAPES.filter(({ name }) => names.includes(name));
  const of = NAMED_SHAPES.find(({ name }) => name === base)?.desc ?? current;
  return sweepOf(of, parameter).map(({ value, desc }) => ({ name: String(value), desc }));
}

const ROUNDS = { quick: 7, careful: 21 };
const BUDGET_MS = { quick: 600, careful: 2500 };

export function requestOf(setup: Setup, current: ConvDesc): RaceRequest {
  const pace = setup.careful ? 'careful' : 'quick';
  const rounds = ROUNDS[pace];
  return { type: 'race', tasks: tasksOf(setup, current), every: setup.every, rounds, budget: BUDGET_MS[pace] };
}

/** Estimate in seconds: mostly warm-up and the shortest time that the clock measures well. */
export function secondsOf({ tasks, every, rounds }: RaceRequest): number {
  const perTask = tasks.map(({ pass }) => {
    const entrants = pass === 'backward_bias' ? 4 : every ? 16 : 10;
    return entrants * (0.18 + rounds * 0.006);
  });
  return 2 + perTask.reduce((sum, seconds) => sum + seconds, 0);
}
