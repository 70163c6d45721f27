import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answersText,
  drawOf,
  type ExerciseAnswers,
  NO_WORK,
  readAnswers,
} from '../../../web/src/app/lesson/exercise/work';
import { predictionRefusal } from '../../../web/src/app/lesson/predict/predictor';
import { EXERCISES, exerciseRefOf, exerciseRefText } from '../../../web/src/lessons/exercises';
import { LESSONS, stepLink, stepRefOf } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { plainText } from '../../../web/src/ui/numbers';
import { Decider } from './draws';

// The questions and answers that a link means.

const decider = await Decider.load();

// Answers in a link are about these questions: a change of their numbers would make right answers wrong.
test.each([
  [
    'forward-sums',
    0,
    'h=4&w=4&kh=2&kw=2&c=1&k=1&padding=1&x=random:489&weights=random:5397&bias=random:1987&hidden=y.3&',
  ],
  [
    'gradients',
    7,
    'h=3&w=4&kh=2&kw=3&n=2&stride=2&padding=0&x=random:8136&weights=random:2551&dy=random:2809&hidden=db.0&',
  ],
  [
    'two-layers',
    3,
    'h=4&w=5&kh=2&kw=2&x=random:5285&weights=random:2837&layer.2=conv;kh:2;kw:2;stride:2;weights:random:975&dy=random:9852&hidden=dx.5&',
  ],
  ['receptive-fields', 1, 'h=40&w=40&kh=5&kw=5&stride=2&layer.2=conv;kh:3;kw:3;stride:2'],
])('the numbers of a question of %s stay the same', async (id, index, inputs) => {
  const set = EXERCISES.find((candidate) => candidate.id === id) ?? expect.fail(`there is no ${id}`);
  const { link } = await decider.question({ set, index }, drawOf(NO_WORK));
  expect(link?.slice(0, inputs.length)).toBe(inputs);
});

test('seeds and names change the numbers', async () => {
  for (const set of EXERCISES) {
    const linkOf = (seed: string | null, student: string | null) =>
      decider.question({ set, index: 0 }, drawOf({ ...NO_WORK, seed, student }));
    const drawn = [
      await linkOf(null, null),
      await linkOf('1', null),
      await linkOf('2', null),
      await linkOf('1.each', 'Ada'),
      await linkOf('1.each', 'Bo'),
    ];
    expect(new Set(drawn.map((question) => JSON.stringify(question))).size).toBe(5);
    expect(await linkOf('1', 'Ada')).toEqual(await linkOf('1', 'Bo'));
    expect(await linkOf(null, 'Ada')).toEqual(await linkOf(null, null));
    expect(await linkOf('1.each', '  ada ')).toEqual(await linkOf('1.each', 'ADA'));
  }
});

test('a link with only a question opens the exercises', () => {
  expect(stepLink('lesson=forward-sums.2')).toBe('side=lesson&lesson=forward-sums.2');
  expect(stepLink('controls=folded&lesson=gradients.1')).toBe('controls=folded&side=lesson&lesson=gradients.1');
  expect(stepLink('lesson=nothing.1')).toBe('lesson=nothing.1');
});

test('there are at least three sets, with names that differ from all lessons', () => {
  expect(EXERCISES.length).toBeGreaterThanOrEqual(3);
  expect(EXERCISES.filter(({ id }) => LESSONS.some((lesson) => lesson.id === id))).toEqual([]);
});

test('names of questions survive a round trip, and unknown names are rejected', () => {
  for (const set of EXERCISES) {
    for (let index = 0; index <= set.questions; index += 1) {
      const text = exerciseRefText({ set, index });
      expect(exerciseRefOf(text)).toEqual({ set, index });
      expect(stepRefOf(text)).toBeNull();
    }
    expect(exerciseRefOf(`${set.id}.${set.questions + 2}`)).toBeNull();
    expect(exerciseRefOf(`${set.id}.0`)).toBeNull();
  }
  expect(exerciseRefOf('padding.2')).toBeNull();
  expect(exerciseRefOf(null)).toBeNull();
});

test('answers survive a round trip, and a link without answers omits the field', () => {
  const answers: ExerciseAnswers = {
    round: 3,
    list: [
      { written: '41', hints: 0, revealed: false, misses: 0 },
      { written: '', hints: 0, revealed: false, misses: 0 },
      { written: '-2.5e-7', hints: 2, revealed: false, misses: 12 },
      { written: '', hints: 0, revealed: true, misses: 1 },
    ],
  };
  expect(answersText(answers)).toBe('3:41__-2.5e-7hhm12_rm1');
  expect(readAnswers('3:41__-2.5e-7hhm12_rm1')).toEqual(answers);
  expect(readAnswers(null)).toEqual({ round: 1, list: [] });
  expect(answersText(readAnswers('2:'))).toBe('2:');
  expect(answersText(readAnswers(null))).toBeNull();
  const { look, complaints } = parseLink('h=5&lesson=forward-sums.2&answers=3:41__-2.5e-7hhm12_rm1');
  expect([look.answers, complaints]).toEqual(['3:41__-2.5e-7hhm12_rm1', []]);
  expect(parseLink('h=5&answers=<b>').complaints).toHaveLength(1);
});

describe('accepted answer', () => {
  const digits = fc.stringMatching(/^[+\u2212-]?(\d{1,20}([.,]\d{0,20})?|[.,]\d{1,20})([eE][+-]?\d{1,2})?$/);
  const typed = fc
    .oneof(
      fc.constantFrom('+7', '1E3', '1e+3', '.5', '5.', '0,5', '\u22122', ' 3 ', '1E-7', `0.${'3'.repeat(60)}`),
      digits,
      fc.string({ unit: fc.constantFrom(...'0123456789+-.,eE ') }),
      fc.double({ noNaN: true }).map(String),
    )
    .filter((text) => predictionRefusal(text) === null);

  test('survives a link together with any other answers', () => {
    let accepted = 0;
    const answer = fc.record({
      written: typed,
      hints: fc.nat({ max: 2 }),
      revealed: fc.boolean(),
      misses: fc.nat(99999),
    });
    fc.assert(
      fc.property(
        fc.array(answer, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 999999 }),
        (list, round) => {
          const answers = { round, list: list.map((one) => ({ ...one, written: plainText(one.written) })) };
          const text = answersText(answers) ?? '';
          const { look, complaints } = parseLink(`h=5&lesson=forward-sums.2&answers=${text}`);
          expect(complaints).toEqual([]);
          expect(readAnswers(look.answers)).toEqual(answers);
          accepted += list.length;
        },
      ),
      { seed: 15, numRuns: 500, examples: [[[{ written: '+7', hints: 0, revealed: false, misses: 0 }], 1]] },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  test('fits in a link', () => {
    expect(predictionRefusal('1'.repeat(40))).toMatch(/too large/);
    expect(predictionRefusal(`0.${'3'.repeat(38)}`)).toBeNull();
    expect(predictionRefusal(`0.${'3'.repeat(39)}`)).toBe('An answer has at most 40 characters. Type fewer digits.');
    expect(predictionRefusal('')).toBe('Type a number first.');
  });
});
