import { expect, test } from 'vitest';
import { EXPERIMENTS } from '../../../web/src/app/lesson/spot/experiments';
import { bugPlaceOf, bugPlaceText, letterName } from '../../../web/src/app/lesson/spot/place';
import { readShelves } from '../../../web/src/app/lesson/spot/score';
import { LESSONS } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { checkDesc } from '../../../web/src/protocol/shapes';

test('a bug is named in a link by shelf, pass and letter', () => {
  const place = { seed: 7, pass: 'backward_data', letter: 2 } as const;
  expect(bugPlaceText(place)).toBe('bug-7-dx.3');
  expect(bugPlaceOf('bug-7-dx.3')).toEqual(place);
  expect(bugPlaceOf('bug-999999-y.14')).toEqual({ seed: 999_999, pass: 'forward', letter: 13 });
  expect(letterName(2)).toBe('C');
  // The link takes it for what it is, and no lesson is called so.
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
])('what names no bug is none: %s', (text) => expect(bugPlaceOf(text)).toBeNull());

test('what was found is read as it was written, and what cannot be is left out', () => {
  const shelf = { seed: 7, found: [1, 2], guesses: 5 };
  expect(readShelves(JSON.stringify({ shelves: [shelf] }))).toEqual([shelf]);
  for (const text of [null, '{', '7', '{"shelves":7}', '{"shelves":[null,3,{"seed":"7"},{"seed":1,"found":[]}]}']) {
    expect(readShelves(text), String(text)).toEqual([]);
  }
  expect(readShelves('{"shelves":[{"seed":7,"found":[1,"2",-1,0.5],"guesses":0}]}')).toEqual([
    { seed: 7, found: [1], guesses: 0 },
  ]);
});

test('every experiment can be made with the opening problem, is then on, and is taken back', () => {
  const { desc } = parseLink('h=5&kh=3').problem;
  for (const { label, isOn, on, off } of EXPERIMENTS) {
    expect(isOn(desc), label).toBe(false);
    const changed = { ...desc, ...on };
    expect(checkDesc(changed), label).toBeNull();
    expect(isOn(changed), label).toBe(true);
    expect(isOn({ ...changed, ...off }), label).toBe(false);
  }
});
