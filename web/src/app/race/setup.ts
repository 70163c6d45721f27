import { type ConvDesc, PASSES, type Pass } from '../../protocol/problem';
import type { RaceRequest, RaceTask } from '../../protocol/race';
import { RESULT_OF } from '../../protocol/tensors';

/** The passes of the problem on the page that race. In a link: "this.y-dx.every". */
export interface Setup {
  readonly passes: readonly Pass[];
  /** Every algorithm of the library. */
  readonly every: boolean;
  /** More rounds. */
  readonly careful: boolean;
}

export const setupText = ({ passes, every, careful }: Setup): string =>
  [
    'this',
    passes.map((pass) => RESULT_OF[pass]).join('-'),
    ...(every ? ['every'] : []),
    ...(careful ? ['careful'] : []),
  ].join('.');

/** Parses a setup; unknown parts, such as "open", become defaults. */
export function parseSetup(text: string): Setup {
  const [, letters = '', ...flags] = text.split('.');
  const wanted = letters.split('-');
  const passes = PASSES.filter((pass) => wanted.includes(RESULT_OF[pass]));
  return {
    passes: passes.length > 0 ? passes : PASSES,
    every: flags.includes('every'),
    careful: flags.includes('careful'),
  };
}

/** Earlier versions of the page also raced layers of known networks, "S1-R4.y", and "sweep-channels-R5". */
export const isOfOtherProblems = (text: string): boolean => /^[A-Z]\d|^sweep-/.test(text);

/** The races of a setup, in order. */
export const tasksOf = ({ passes }: Setup, desc: ConvDesc): readonly RaceTask[] =>
  passes.map((pass) => ({ desc, pass }));

export function requestOf(setup: Setup, desc: ConvDesc): RaceRequest {
  const [rounds, budget] = setup.careful ? [21, 2500] : [7, 600];
  return { type: 'race', tasks: tasksOf(setup, desc), every: setup.every, rounds, budget };
}

/** Estimate in seconds: mostly warm-up and the shortest time that the clock measures well. */
export function secondsOf({ tasks, every, rounds }: RaceRequest): number {
  const entrants = tasks.map(({ pass }) => (pass === 'backward_bias' ? 4 : every ? 16 : 10));
  return 2 + entrants.reduce((sum, count) => sum + count * (0.18 + rounds * 0.006), 0);
}
