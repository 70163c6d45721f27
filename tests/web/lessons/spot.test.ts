import { beforeAll, describe, expect, test } from 'vitest';
import { bugRefOf, bugRefText, letterName, readScores } from '../../../web/src/app/lesson/spot/bugs';
import { experiments, isOn, openings, passToShow, turn } from '../../../web/src/app/lesson/spot/experiments';
import { LESSONS } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { PASSES, type Pass } from '../../../web/src/protocol/problem';
import { checkDesc } from '../../../web/src/protocol/shapes';
import { requestOf } from '../../../web/src/state/exchange';
import { openOf, type Problem } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { bugAt, mistakes } from '../../../web/src/worker/mistakes';
import { load } from '../contract/support';

test('a link names a bug by seed, pass and letter', () => {
  const place = { seed: 7, pass: 'backward_data', letter: 2 } as const;
  expect(bugRefText(place)).toBe('bug-7-dx.3');
  expect(bugRefOf('bug-7-dx.3')).toEqual(place);
  expect(bugRefOf('bug-999999-y.14')).toEqual({ seed: 999_999, pass: 'forward', letter: 13 });
  expect(letterName(2)).toBe('C');
  // The link accepts the name, and no lesson has such a name.
  expect(parseLink('h=5&lesson=bug-7-dx.3').look.lesson).toBe('bug-7-dx.3');
  expect(LESSONS.filter(({ id }) => id.startsWith('bug-'))).toEqual([]);
});

test.each([
  null,
  '',
  'gather.3',
  'bug-7-dx',
  'bug-7-dx.0',
  'bug-x-dx.1',
  'bug-7-x.1',
  'bug-1234567-dx.1',
  'abug-7-dx.1',
])('rejects a name of no bug: %s', (text) => expect(bugRefOf(text)).toBeNull());

test('scores survive a round trip, and invalid entries are dropped', () => {
  const score = { seed: 7, found: [1, 2], guesses: 5 };
  // words-ok: member of the stored JSON
  const stored = (scores: string): string => `{"shelves":${scores}}`;
  expect(readScores(stored(JSON.stringify([score])))).toEqual([score]);
  for (const text of [null, '{', '7', stored('7'), stored('[null,3,{"seed":"7"},{"seed":1,"found":[]}]')]) {
    expect(readScores(text), String(text)).toEqual([]);
  }
  expect(readScores(stored('[{"seed":7,"found":[1,"2",-1,0.5],"guesses":0}]'))).toEqual([
    { seed: 7, found: [1], guesses: 0 },
  ]);
});

describe('experiments and openings', () => {
  const SEED = 7;
  let engine: ConvEngine;
  let revision = 0;
  beforeAll(async () => {
    engine = (await load('simd')).engine;
    await prepareAnswer({ kind: 'bug' });
  });

  /** The results in which each bug gives a wrong value. */
  function exposed(problem: Problem): ReadonlyMap<string, readonly Pass[]> {
    revision += 1;
    engine.compute(requestOf(problem), revision);
    const ids = mistakes().bugs.map(({ id }) => id);
    return new Map(
      ids.map((_, letter) => [
        ids[bugAt(SEED, letter, ids.length)] ?? '',
        PASSES.filter(
          (pass) => engine.ask(revision, { kind: 'bug', seed: SEED, letter, pass }).difference.stats.max_abs !== 0,
        ),
      ]),
    );
  }

  test.each(experiments)('$label can be turned on and off with the opening problem', (experiment) => {
    const store = createStore(parseLink('h=5&kh=3').problem);
    const now = () => isOn(experiment, store.problem.value);
    expect(now()).toBe(false);
    turn(experiment, store, true);
    expect(checkDesc(openOf(store.problem.value).desc)).toBeNull();
    expect(now()).toBe(true);
    turn(experiment, store, false);
    expect(now()).toBe(false);
  });

  test('every bug appears with the first opening, or with one experiment', () => {
    const [plain = ''] = openings;
    const seen = new Set<string>();
    const add = (problem: Problem) => {
      for (const [id, passes] of exposed(problem)) if (passes.length > 0) seen.add(id);
    };
    add(parseLink(plain).problem);
    for (const experiment of experiments) {
      const store = createStore(parseLink(plain).problem);
      turn(experiment, store, true);
      add(store.problem.value);
    }
    expect(mistakes().bugs.filter(({ id }) => !seen.has(id))).toEqual([]);
  });

  test('the last opening shows every bug', () => {
    const { problem, complaints } = parseLink(openings.at(-1) ?? '');
    expect(complaints).toEqual([]);
    const hidden = [...exposed(problem)].filter(
      ([, passes]) => passToShow('backward_data', (pass) => passes.includes(pass)) === null,
    );
    expect(hidden).toEqual([]);
  });

  test('an opening keeps the result of the link if the bug shows there', () => {
    expect(passToShow('backward_bias', () => true)).toBe('backward_bias');
    expect(passToShow('backward_bias', (pass) => pass === 'forward')).toBe('forward');
    expect(passToShow('forward', () => false)).toBeNull();
  });
});
