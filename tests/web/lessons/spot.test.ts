import { beforeAll, describe, expect, test } from 'vitest';
import { bugRefOf, bugRefText, letterName, readScores } from '../../../web/src/app/lesson/spot/bugs';
import {
  experiments,
  isOn,
  isSimple,
  nextOf,
  openings,
  passToShow,
  turn,
  turnOnly,
} from '../../../web/src/app/lesson/spot/experiments';
import { LESSONS } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { PASSES, type Pass } from '../../../web/src/protocol/problem';
import { checkDesc, resolvePadding } from '../../../web/src/protocol/shapes';
import { requestOf } from '../../../web/src/state/exchange';
import type { Problem } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { bugAt, mistakes } from '../../../web/src/worker/mistakes';
import { load } from '../contract/support';
import { layerOf } from '../support/problems';

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
    const now = () => isOn(experiment, store.layer.value);
    expect(now()).toBe(false);
    turn(experiment, store, true);
    expect(checkDesc(layerOf(store.problem.value).desc)).toBeNull();
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

  test('every bug opens with at most one setting on', () => {
    const settings = ({ desc, b }: ReturnType<typeof layerOf>) => [
      Object.values(resolvePadding(desc)).some((cells) => cells > 0),
      desc.stride_h > 1 || desc.stride_w > 1,
      desc.dilation_h > 1 || desc.dilation_w > 1,
      desc.n > 1,
      desc.groups > 1 || desc.c > 1 || desc.k > 1,
      b !== null,
    ];
    const seen = new Set<string>();
    for (const opening of openings) {
      const { problem, complaints } = parseLink(opening);
      expect(complaints).toEqual([]);
      expect(settings(layerOf(problem)).filter(Boolean).length, opening).toBeLessThanOrEqual(1);
      expect(isSimple(layerOf(problem)), opening).toBe(true);
      for (const [id, passes] of exposed(problem))
        if (passToShow('backward_data', (pass) => passes.includes(pass))) seen.add(id);
    }
    expect(mistakes().bugs.filter(({ id }) => !seen.has(id))).toEqual([]);
    expect(isSimple(layerOf(parseLink('n=2&h=6&kh=3&padding=1').problem))).toBe(false);
  });

  test('the button goes through the settings, with one on at a time', () => {
    const store = createStore(parseLink('h=5&kh=3&padding=1&n=2').problem);
    const on = () => experiments.filter((each) => isOn(each, store.layer.value)).map(({ label }) => label);
    const passed = experiments.map(() => {
      turnOnly(nextOf(store.layer.value), store);
      expect(checkDesc(layerOf(store.problem.value).desc)).toBeNull();
      return on();
    });
    expect(passed).toEqual([
      ['two groups'],
      ['bias'],
      ['padding 1'],
      ['stride 2'],
      ['stride 2 down, 1 across'],
      ['stride 2', 'stride 2 with a remainder'],
      ['dilation 2'],
      ['two images'],
    ]);
  });

  test('an opening keeps the result of the link if the bug shows there', () => {
    expect(passToShow('backward_bias', () => true)).toBe('backward_bias');
    expect(passToShow('backward_bias', (pass) => pass === 'forward')).toBe('forward');
    expect(passToShow('forward', () => false)).toBeNull();
  });
});
