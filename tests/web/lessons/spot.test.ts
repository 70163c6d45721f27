import { expect, test } from 'vitest';
import { bugRefOf, bugRefText, EXPERIMENTS, letterName, readScores } from '../../../web/src/app/lesson/spot/bugs';
import { LESSONS } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { checkDesc } from '../../../web/src/protocol/shapes';

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

test('every experiment can be turned on and off with the opening problem', () => {
  const { desc } = parseLink('h=5&kh=3').problem;
  for (const { label, isOn, on, off } of EXPERIMENTS) {
    expect(isOn(desc), label).toBe(false);
    const changed = { ...desc, ...on };
    expect(checkDesc(changed), label).toBeNull();
    expect(isOn(changed), label).toBe(true);
    expect(isOn({ ...changed, ...off }), label).toBe(false);
  }
});
