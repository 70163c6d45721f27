import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answers, answersText, readAnswers } from '../../../web/src/app/lesson/exercise/answers';
import { drawOf, NO_WORK } from '../../../web/src/app/lesson/exercise/hand-in';
import {
  type CellQuestion,
  type CountQuestion,
  drawnQuestion,
  isRightAnswer,
  type ReadsQuestion,
} from '../../../web/src/app/lesson/exercise/question';
import { readsCells, readsText } from '../../../web/src/app/lesson/exercise/reads';
import { predictionRefusal } from '../../../web/src/app/lesson/predict/predictor';
import { validFocus } from '../../../web/src/geometry/focus';
import { positionOf } from '../../../web/src/geometry/grid';
import {
  COUNTS,
  EXERCISES,
  type ExerciseSet,
  exerciseRefOf,
  exerciseRefText,
  READS,
} from '../../../web/src/lessons/exercises';
import { LESSONS, stepLink, stepRefOf } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import type { Pass, TensorName } from '../../../web/src/protocol/problem';
import { requestOf } from '../../../web/src/state/problem';
import { plainText } from '../../../web/src/ui/numbers';
import { planeOf, spotOf } from '../../../web/src/views/kit/plane';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { type Loaded, load } from '../contract/support';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { cellsOf, outputsOf } from './loop-counts';
import { passesOf, valueAt } from './loops';

// Every question of every set, in several rounds: it opens, hides one visible cell, and accepts the value that plain loops
// compute.

const ROUNDS = [1, 2, 3, 17];
/** Enough rounds to cover all kinds of sizes. */
const MANY = Array.from({ length: 40 }, (_, i) => i + 1);

let loaded: Loaded;
beforeAll(async () => {
  loaded = await load('simd');
});

const PASSES: Readonly<Record<string, Pass>> = {
  y: 'forward',
  dx: 'backward_data',
  dw: 'backward_weights',
  db: 'backward_bias',
};

const drawOfRound = (round: number) => drawOf({ ...NO_WORK, answers: `${round}:` }, 'open');

const all = (set: ExerciseSet, rounds: readonly number[]) =>
  rounds.flatMap((round) =>
    Array.from({ length: set.questions }, (_, index) => drawnQuestion({ set, index }, drawOfRound(round))),
  );

type Shown = CellQuestion & { readonly link: string };
const questionsOf = (set: ExerciseSet, rounds = ROUNDS): readonly Shown[] => all(set, rounds) as readonly Shown[];

/** Sets about hidden values, and sets about sizes. */
const VALUES = EXERCISES.filter(({ asks }) => asks.every((asked) => asked in PASSES));
const SIZES = EXERCISES.filter(({ asks }) => asks.every((asked) => COUNTS.some((count) => count === asked)));
const CHOSEN = EXERCISES.filter(({ asks }) => asks.every((asked) => READS.some((reads) => reads === asked)));

test('every set is about values, sizes, or cells to choose', () => {
  expect([...VALUES, ...SIZES, ...CHOSEN]).toHaveLength(EXERCISES.length);
});

/** The answer by plain loops, from x, w, b and the dy that the library generated. */
function right({ problem, cell: { tensor, index } }: Shown): number {
  const engine = new ConvEngine(loaded.module);
  const { tensors } = engine.compute(requestOf(problem), 1);
  engine.dispose();
  const { dy } = tensors;
  if (!dy) throw new Error('there is no dy');
  const passes = passesOf({ ...problem, dy: { kind: 'values', shape: dy.shape, data: dy.data } });
  return valueAt(passes, tensor, index, tensors[tensor as 'y']?.shape ?? []);
}

describe.each(VALUES.map((set) => [set.id, set] as const))('%s', (_, set) => {
  test('each question opens with its cell hidden and in the visible slice', () => {
    for (const { problem, cell, link } of questionsOf(set, MANY)) {
      const opened = parseLink(link);
      expect([opened.complaints, opened.fault], link).toEqual([[], null]);
      expect(opened.problem, link).toEqual(problem);
      expect(opened.look.masked).toEqual([cell]);
      expect(opened.look.pinned).toEqual(cell);
      const g = geometryOf(descOf(opened.problem.desc));
      expect(validFocus(g, opened.look.focus), link).toEqual(opened.look.focus);
      const plane = planeOf(g, cell.tensor as TensorName, opened.look.focus);
      expect(spotOf(plane, positionOf(g, cell)), link).not.toBeNull();
    }
  });

  test('accepts only the value of the loops, and the result does not contain it', async () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    for (const [i, question] of questionsOf(set).entries()) {
      const { problem, cell, link } = question;
      const result = engine.compute({ ...requestOf(problem), hidden: [cell] }, i);
      expect(result.tensors[cell.tensor as 'y']?.data[cell.index], link).toBeNaN();
      const judge = async (written: string) => {
        const asked = { kind: 'diagnose', pass: PASSES[cell.tensor] ?? 'forward', index: cell.index, written } as const;
        await prepareAnswer(asked);
        return engine.ask(i, asked).verdict;
      };
      const value = right(question);
      expect(await judge(String(value)), link).toBe('right');
      expect(await judge(String(value + 1)), link).not.toBe('right');
    }
    engine.dispose();
  });

  test('has sums of at most 8 terms', () => {
    for (const { problem, cell, link } of questionsOf(set, MANY)) {
      const { n, oh, ow, kh, kw, c, k, groups } = geometryOf(descOf(problem.desc));
      const terms = { y: kh * kw * (c / groups), dx: kh * kw * (k / groups), dw: n * oh * ow, db: n * oh * ow };
      expect(terms[cell.tensor as 'y'], link).toBeLessThanOrEqual(8);
    }
  });

  test('has different questions in each round, and the same in each run', () => {
    const links = questionsOf(set).map(({ link }) => link);
    expect(new Set(links).size).toBe(links.length);
    expect(questionsOf(set).map(({ link }) => link)).toEqual(links);
    // Few answers are 0: they are too easy.
    const zeros = questionsOf(set).filter((question) => right(question) === 0).length;
    expect(zeros).toBeLessThan(links.length / 4);
    for (const tensor of set.asks) expect(questionsOf(set).some(({ cell }) => cell.tensor === tensor)).toBe(true);
  });
});

describe.each(SIZES.map((set) => [set.id, set] as const))('%s', (_, set) => {
  const questions = all(set, MANY) as readonly CountQuestion[];

  test('has the numbers of plain loops', () => {
    for (const question of questions) expect(question.right, question.link).toBe(outputsOf(question));
  });

  test('names mistakes with other numbers than the answer, and often one of them applies', () => {
    for (const { right, mistakes, link } of questions) {
      for (const { value } of mistakes) expect(value, link).not.toBe(right);
      expect(mistakes.length, link).toBeGreaterThan(0);
    }
  });

  test('has different questions in each round, and the same in each run', () => {
    expect(all(set, MANY)).toEqual(questions);
    const texts = questions.map(({ title, layer }) => [title, ...layer].join(' '));
    expect(new Set(texts).size).toBeGreaterThan(texts.length * 0.8);
    for (const question of questions) expect(parseLink(question.link).complaints).toEqual([]);
  });
});

describe.each(CHOSEN.map((set) => [set.id, set] as const))('%s', (_, set) => {
  const questions = all(set, MANY) as readonly ReadsQuestion[];

  test('has the cells of plain loops, in the tensor that its title names', () => {
    for (const question of questions) {
      expect(readsCells(question.right), question.link).toEqual(cellsOf(question));
      expect(question.title).toContain(`cells of ${question.from} `);
      expect(readsCells(question.right).length).toBeLessThanOrEqual(8);
    }
  });

  test('opens with the cell of the sum hidden, and nothing pinned', () => {
    for (const { link, problem, cell } of questions) {
      const opened = parseLink(link);
      expect([opened.complaints, opened.fault], link).toEqual([[], null]);
      expect(opened.problem).toEqual(problem);
      expect([opened.look.masked, opened.look.pinned]).toEqual([[cell], null]);
    }
  });

  test('accepts the cells in any order, and no others', () => {
    for (const question of questions) {
      const cells = readsCells(question.right);
      expect(isRightAnswer(question, readsText([...cells].reverse()))).toBe(true);
      expect(isRightAnswer(question, readsText(cells.slice(1)))).toBe(false);
      const free = Array.from({ length: 60 }, (_, index) => index).find((index) => !cells.includes(index)) ?? 0;
      expect(isRightAnswer(question, readsText([...cells, free]))).toBe(false);
      for (const { value } of question.mistakes) expect(isRightAnswer(question, value)).toBe(false);
    }
    // Its answer fits into a link.
    const [{ right = '' } = {}] = questions;
    const text = answersText({ round: 1, list: [{ written: right, hints: 0, revealed: false, misses: 0 }] });
    expect(readAnswers(text).list[0]?.written).toBe(right);
  });

  test('recognizes a forgotten padding and stride', () => {
    const titles = new Set(questions.flatMap(({ mistakes }) => mistakes.map(({ title }) => title)));
    expect([...titles].sort()).toEqual(['Dilation forgotten', 'Padding forgotten', 'Stride forgotten']);
  });
});

// Answers that were handed in before digests existed are about the questions of that time, with sums of up to 12 terms.
test.each([
  ['forward-sums', 0, 'h=4&w=5&kh=2&kw=2&c=1&k=1&padding=1&x=random:674&weights=random:4044', 'y.20'],
  ['forward-sums', 1, 'h=3&w=4&kh=2&kw=3&c=2&k=2&padding=0&x=random:7617&weights=random:7816&bias=random:572', 'y.0'],
  ['gradients', 0, 'h=3&w=4&kh=2&kw=2&n=2&stride=1&padding=0&x=random:1238&weights=random:5741&dy=random:9050', 'dw.2'],
  ['gradients', 7, 'h=3&w=3&kh=2&kw=3&n=2&stride=2&padding=1&x=random:6831&weights=random:5036&dy=random:7111', 'db.0'],
])('old answers of %s are about the questions of their time', (id, index, inputs, name) => {
  const set = EXERCISES.find((candidate) => candidate.id === id);
  if (!set) throw new Error(`there is no ${id}`);
  const draw = drawOf({ ...NO_WORK, answers: '2:1_2' }, 'old');
  expect(drawnQuestion({ set, index }, draw).link).toMatch(`${inputs}&hidden=${name}&`);
});

test('seeds and names change the numbers', () => {
  for (const set of EXERCISES) {
    const linkOf = (seed: string | null, student: string | null) =>
      drawnQuestion({ set, index: 0 }, drawOf({ ...NO_WORK, seed, student }, 'open'));
    const drawn = [
      linkOf(null, null),
      linkOf('1', null),
      linkOf('2', null),
      linkOf('1.each', 'Ada'),
      linkOf('1.each', 'Bo'),
    ];
    expect(new Set(drawn.map((question) => JSON.stringify(question))).size).toBe(5);
    expect(linkOf('1', 'Ada')).toEqual(linkOf('1', 'Bo'));
    expect(linkOf(null, 'Ada')).toEqual(linkOf(null, null));
    expect(linkOf('1.each', '  ada ')).toEqual(linkOf('1.each', 'ADA'));
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
  const answers: Answers = {
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
