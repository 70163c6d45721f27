import { beforeAll, describe, expect, test } from 'vitest';
import { type Answers, answersText, readAnswers } from '../../../web/src/app/exercise/answers';
import { type Question, questionOf } from '../../../web/src/app/exercise/question';
import { validFocus } from '../../../web/src/geometry/focus';
import { positionOf } from '../../../web/src/geometry/grid';
import { EXERCISES, type NamedSet, setPlaceOf, setPlaceText } from '../../../web/src/lessons/exercises';
import { LESSONS, placeOf } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import type { Pass, TensorName } from '../../../web/src/protocol/problem';
import { requestOf } from '../../../web/src/state/problem';
import { planeOf, spotOf } from '../../../web/src/views/kit/plane';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { type Loaded, load } from '../contract/support';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { passesOf } from './loops';

// Every question of every set, in several rounds: it opens, hides one number and shows where, and the number that plain loops
// give for it is called right.

const ROUNDS = [1, 2, 3, 17];
/** As many as have every kind of sizes among them. */
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

const questionsOf = (set: NamedSet, rounds = ROUNDS): readonly Question[] =>
  rounds.flatMap((round) => Array.from({ length: set.questions }, (_, index) => questionOf({ set, index }, round)));

/** By loops, from x, w, b and the dy that the library drew. */
function right({ problem, cell: { tensor, index } }: Question): number {
  const engine = new ConvEngine(loaded.module);
  const { tensors } = engine.compute(requestOf(problem), 1);
  engine.dispose();
  const { dy } = tensors;
  if (!dy) throw new Error('there is no dy');
  const { at } = passesOf({ ...problem, dy: { kind: 'values', shape: dy.shape, data: dy.data } });
  if (tensor === 'db') return at(tensor, [index]);
  const sizes = tensors[tensor as 'y']?.shape ?? [0, 0, 0, 0];
  const place: number[] = [];
  let rest = index;
  for (const size of [...sizes].reverse()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  const [first = 0, ...others] = place;
  return at(tensor, tensor === 'dw' ? place : [...others, first]);
}

describe.each(EXERCISES.map((set) => [set.id, set] as const))('%s', (_, set) => {
  test('each question opens, with its number hidden and in sight', () => {
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

  test('the number that loops give is right, one beside it is not, and nothing tells it', async () => {
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

  test('questions differ from one another and between rounds, and are the same for everybody', () => {
    const links = questionsOf(set).map(({ link }) => link);
    expect(new Set(links).size).toBe(links.length);
    expect(questionsOf(set).map(({ link }) => link)).toEqual(links);
    // Few answers are 0, which says nothing.
    const zeros = questionsOf(set).filter((question) => right(question) === 0).length;
    expect(zeros).toBeLessThan(links.length / 4);
    for (const tensor of set.asks) expect(questionsOf(set).some(({ cell }) => cell.tensor === tensor)).toBe(true);
  });
});

test('there are at least three sets, and none has the name of a lesson', () => {
  expect(EXERCISES.length).toBeGreaterThanOrEqual(3);
  expect(EXERCISES.filter(({ id }) => LESSONS.some((lesson) => lesson.id === id))).toEqual([]);
});

test('places are written and read; what is none is no place', () => {
  for (const set of EXERCISES) {
    for (let index = 0; index <= set.questions; index += 1) {
      const text = setPlaceText({ set, index });
      expect(setPlaceOf(text)).toEqual({ set, index });
      expect(placeOf(text)).toBeNull();
    }
    expect(setPlaceOf(`${set.id}.${set.questions + 2}`)).toBeNull();
    expect(setPlaceOf(`${set.id}.0`)).toBeNull();
  }
  expect(setPlaceOf('padding.2')).toBeNull();
  expect(setPlaceOf(null)).toBeNull();
});

test('answers are written and read as they were, and a link has nothing where nothing was answered', () => {
  const answers: Answers = {
    round: 3,
    list: [
      { written: '41', hinted: false, revealed: false, misses: 0 },
      { written: '', hinted: false, revealed: false, misses: 0 },
      { written: '-2.5e-7', hinted: true, revealed: false, misses: 12 },
      { written: '', hinted: false, revealed: true, misses: 1 },
    ],
  };
  expect(answersText(answers)).toBe('3:41__-2.5e-7hm12_rm1');
  expect(readAnswers('3:41__-2.5e-7hm12_rm1')).toEqual(answers);
  expect(readAnswers(null)).toEqual({ round: 1, list: [] });
  expect(answersText(readAnswers('2:'))).toBe('2:');
  expect(answersText(readAnswers(null))).toBeNull();
  const { look, complaints } = parseLink('h=5&lesson=forward-sums.2&answers=3:41__-2.5e-7hm12_rm1');
  expect([look.answers, complaints]).toEqual(['3:41__-2.5e-7hm12_rm1', []]);
  expect(parseLink('h=5&answers=<b>').complaints).toHaveLength(1);
});
