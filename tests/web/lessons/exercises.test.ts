import { beforeAll, describe, expect, test } from 'vitest';
import { COUNTS, READS_RESULT, readsCells, readsText } from '../../../web/src/app/lesson/exercise/counts';
import {
  type CellQuestion,
  type CountQuestion,
  type ExerciseQuestion,
  isRightAnswer,
  type NetworkQuestion,
  type ReadsQuestion,
} from '../../../web/src/app/lesson/exercise/question';
import { answersText, readAnswers } from '../../../web/src/app/lesson/exercise/work';
import { positionOf, validFocus } from '../../../web/src/geometry/grid';
import { isWeighted } from '../../../web/src/layers/list';
import { EXERCISES, type ExerciseSet } from '../../../web/src/lessons/exercises';
import { parseLink } from '../../../web/src/link/parse-link';
import { isResult, PASS_OF, type TensorName } from '../../../web/src/protocol/problem';
import { requestOf } from '../../../web/src/state/exchange';
import type { Problem } from '../../../web/src/state/problem';
import { planeOf, spotOf } from '../../../web/src/views/shared/plane';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { type Loaded, layerIn, load } from '../contract/support';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { layerOf } from '../support/problems';
import { Decider } from './draws';
import { cellsOf, outputsOf, reachedBy } from './loop-counts';
import { passesOf, tensorSides, valueAt } from './loops';

// Every question of every set, in several rounds: it opens, hides one visible cell, and accepts the value that plain loops
// compute.

const ROUNDS = [1, 2, 3, 17];
/** Enough rounds to cover all kinds of sizes. */
const MANY = Array.from({ length: 40 }, (_, i) => i + 1);

let loaded: Loaded;
beforeAll(async () => {
  loaded = await load('simd');
});

const decider = await Decider.load();
const decided = new Map<string, readonly ExerciseQuestion[]>();
for (const set of EXERCISES) {
  for (const round of MANY) decided.set(`${set.id} ${round}`, await decider.all(set, [round]));
}

const all = (set: ExerciseSet, rounds: readonly number[]): readonly ExerciseQuestion[] =>
  rounds.flatMap((round) => decided.get(`${set.id} ${round}`) ?? expect.fail(`round ${round}`));

type Shown = CellQuestion & { readonly link: string };
const questionsOf = (set: ExerciseSet, rounds = ROUNDS): readonly Shown[] => all(set, rounds) as readonly Shown[];

/** Sets about hidden values, and sets about sizes. */
const VALUES = EXERCISES.filter(({ asks }) => asks.every((asked) => isResult(asked)));
const SIZES = EXERCISES.filter(({ asks }) => asks.every((asked) => asked in COUNTS && !asked.endsWith(' of x')));
const NETWORKS = EXERCISES.filter(({ asks }) => asks.some((asked) => /\d$/.test(asked)));
const FIELDS = EXERCISES.filter(({ asks }) => asks.every((asked) => asked.endsWith(' of x')));
const CHOSEN = EXERCISES.filter(({ asks }) => asks.every((asked) => asked in READS_RESULT));

test('every set is about values, sizes, cells to choose, or networks', () => {
  expect([...VALUES, ...SIZES, ...CHOSEN, ...NETWORKS, ...FIELDS]).toHaveLength(EXERCISES.length);
  expect([NETWORKS.length, FIELDS.length]).toEqual([3, 1]);
});

/** The answer by plain loops, from x, w, b and the dy that the library generated. */
function right({ problem, cell: { tensor, index } }: Shown): number {
  const engine = new ConvEngine(loaded.module);
  const { tensors } = layerIn(engine.compute(requestOf(problem), 1));
  engine.dispose();
  const { dy } = tensors;
  if (!dy) throw new Error('there is no dy');
  const passes = passesOf({
    ...problem,
    loss: { kind: 'given', dy: { kind: 'values', shape: dy.shape, data: dy.data } },
  });
  return valueAt(passes, tensor, index, tensors[tensor as 'y']?.shape ?? []);
}

describe.each(VALUES.map((set) => [set.id, set] as const))('%s', (_, set) => {
  test('each question opens with its cell hidden and in the visible slice', () => {
    for (const { problem, cell, link } of questionsOf(set, MANY)) {
      const opened = parseLink(link);
      expect([opened.complaints, opened.fault], link).toEqual([[], null]);
      expect(opened.problem, link).toEqual(problem);
      expect(opened.look.hiddenCells).toEqual([cell]);
      expect(opened.look.pinned).toEqual(cell);
      const g = geometryOf(descOf(layerOf(opened.problem).desc));
      expect(validFocus(g, opened.look.focus), link).toEqual(opened.look.focus);
      const plane = planeOf(g, cell.tensor as TensorName, opened.look.focus);
      expect(spotOf(plane, positionOf(g, cell)), link).not.toBeNull();
    }
  });

  test('accepts only the value of the loops, and the result does not contain it', async () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    for (const [i, question] of questionsOf(set).entries()) {
      const { problem, cell, link } = question;
      const result = engine.compute(requestOf(problem, [cell]), i);
      expect(layerIn(result).tensors[cell.tensor as 'y']?.data[cell.index], link).toBeNaN();
      const judge = async (written: string) => {
        const asked = {
          kind: 'diagnose',
          pass: isResult(cell.tensor) ? PASS_OF[cell.tensor] : 'forward',
          index: cell.index,
          written,
        } as const;
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
      const { n, oh, ow, kh, kw, c, k, groups } = geometryOf(descOf(layerOf(problem).desc));
      const terms = { y: kh * kw * (c / groups), dx: kh * kw * (k / groups), dw: n * oh * ow, db: n * oh * ow };
      expect(terms[cell.tensor as 'y'], link).toBeLessThanOrEqual(8);
    }
  });

  test('has different questions in each round, and the same in each run', async () => {
    const links = questionsOf(set).map(({ link }) => link);
    expect(new Set(links).size).toBe(links.length);
    expect(await decider.all(set, ROUNDS)).toEqual(questionsOf(set));
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

  test('has different questions in each round, and the same in each run', async () => {
    expect(await decider.all(set, MANY)).toEqual(questions);
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
      expect([opened.look.hiddenCells, opened.look.pinned]).toEqual([[cell], null]);
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

/** The problem with the dy that the library generates. */
function withDy(engine: ConvEngine, problem: Problem): Problem {
  const dy = engine.compute(requestOf(problem), 0).layers.at(-1)?.tensors.dy;
  return dy
    ? { ...problem, loss: { kind: 'given', dy: { kind: 'values', shape: dy.shape, data: dy.data } } }
    : expect.fail('no dy');
}

/** A cell by its name in a formula, from plain loops: "dy1[0,2]", "w2[1,0]". */
function named(problem: Problem, text: string): number {
  const [, name = '', row, col] = /^(\w+)\[(\d+),(\d+)\]$/.exec(text) ?? expect.fail(text);
  const [, number] = /^w(\d)$/.exec(name) ?? [];
  if (number === undefined) return passesOf(problem).at(name, [Number(row), Number(col)]);
  const layer = problem.layers[Number(number) - 1];
  if (!layer || !isWeighted(layer)) return expect.fail(`layer ${number} has no weights`);
  return layer.w.data[Number(row) * layer.fields.kw + Number(col)] ?? expect.fail(text);
}

/** Whether cell `own` of y1 is the first of the largest cells in the window of cell `of` of dy2. */
function wins(problem: Problem, of: string, own: string): boolean {
  const layer = problem.layers[1];
  if (layer?.kind !== 'max_pool') return expect.fail('no max pooling');
  const [row = 0, col = 0] = (of.match(/\d+(?=[,\]])/g) ?? []).map((digits) => Number(digits) * layer.fields.stride_h);
  const window = [0, 1].flatMap((r) => [0, 1].map((c) => `y1[${row + r},${col + c}]`));
  expect(window).toContain(own);
  const values = window.map((cell) => named(problem, cell));
  return window[values.indexOf(Math.max(...values))] === own;
}

/** The value of the last hint. */
function formulaValue(problem: Problem, formula: string): number {
  const text = formula.replace(/^\S+ = /, '');
  const cells = text.match(/\w+\[\d+,\d+\]/g) ?? [];
  const values = cells.map((cell) => named(problem, cell));
  const sum = (list: readonly number[]) => list.reduce((all, value) => all + value, 0);
  if (text.startsWith('max(0,')) return Math.max(0, ...values);
  if (text.startsWith('max(')) return Math.max(...values);
  if (text.includes(' / 4')) return sum(values) / 4;
  if (text.includes(' if ')) return (values[1] ?? 0) > 0 ? (values[0] ?? 0) : 0;
  const own = cells.at(-1) ?? '';
  if (text.includes('the largest'))
    return sum(cells.slice(0, -1).map((cell) => (wins(problem, cell, own) ? named(problem, cell) : 0)));
  return sum(text.split(' + ').map((part) => part.split('·').reduce((all, cell) => all * named(problem, cell), 1)));
}

describe.each(NETWORKS.map((set) => [set.id, set] as const))('%s', (_, set) => {
  const networkQuestions = (rounds: readonly number[]) => all(set, rounds) as readonly NetworkQuestion[];

  test('each question opens in the view Network with its cell hidden and pinned', () => {
    for (const { problem, cell, link, name } of networkQuestions(MANY)) {
      const opened = parseLink(link);
      expect([opened.complaints, opened.fault], link).toEqual([[], null]);
      expect(opened.problem, link).toEqual(problem);
      const { hiddenCells, mode, settings } = opened.look;
      expect([hiddenCells, mode, settings['network']?.['cell']]).toEqual([
        [cell],
        'network',
        `${cell.tensor}.${cell.index}`,
      ]);
      const [, cols] = passesOf({ ...problem, loss: { kind: 'given', dy: { kind: 'ones' } } }).size(cell.tensor);
      expect(name).toBe(`${cell.tensor}[${Math.floor(cell.index / cols)},${cell.index % cols}]`);
    }
  });

  test('accepts only the value of the loops, which the last hint gives and the result does not contain', async () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const found: number[] = [];
    for (const [i, question] of networkQuestions(ROUNDS).entries()) {
      const { problem, cell, link, name, judged, formula } = question;
      const complete = withDy(engine, problem);
      const value = named(complete, name);
      expect(formula).toContain(`${name} = `);
      expect(formulaValue(complete, formula), `${link} ${formula}`).toBe(value);
      const [values, gradients] = tensorSides(problem, engine.compute(requestOf(problem, [cell]), i));
      const at = cell.tensor === 'dx' ? 0 : Number(cell.tensor.slice(-1));
      const tensor = (cell.tensor.startsWith('d') ? gradients : values)[at];
      expect(tensor?.data[cell.index], link).toBeNaN();
      const judge = async (written: string) => {
        const asked = { kind: 'diagnose', ...judged, index: cell.index, written } as const;
        await prepareAnswer(asked);
        return engine.ask(i, asked).verdict;
      };
      expect(await judge(String(value)), link).toBe('right');
      expect(await judge(String(value + 1)), link).not.toBe('right');
      found.push(value);
    }
    // A closed gate and the loser of a maximum are worth a question, but not most questions.
    expect(found.filter((value) => value === 0).length).toBeLessThan(found.length / 2);
    engine.dispose();
  });

  test('has sums of at most 8 terms, and more than one where there are', () => {
    const counts = networkQuestions(MANY).map(({ formula }) => formula.split(/ \+ |, /).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
    // Windows of 2 cells with stride 2 do not overlap.
    const products = networkQuestions(MANY).filter(
      ({ link, formula }) => !link.includes('stride:2') && formula.includes('·'),
    );
    for (const { formula } of products) expect(formula).toContain(' + ');
  });

  test('has different questions in each round, the same in each run, and each kind in the first', async () => {
    const links = networkQuestions(ROUNDS).map(({ link }) => link);
    expect(new Set(links).size).toBe(links.length);
    expect(await decider.all(set, ROUNDS)).toEqual(networkQuestions(ROUNDS));
    const first = networkQuestions([1]);
    expect(new Set(first.map(({ cell }) => cell.tensor))).toEqual(new Set(set.asks));
    const kinds = [
      ...new Set(JSON.stringify(set.varies).match(/conv_transpose|conv|relu|max_pool|average_pool/g)),
    ].sort();
    expect([...new Set(first.map(({ problem }) => problem.layers[1]?.kind))].sort()).toEqual(kinds);
  });
});

test('a forgotten gate and a divided maximum are recognized', async () => {
  const [, gates] = NETWORKS;
  if (!gates) throw new Error('the set is gone');
  const engine = new ConvEngine(loaded.module, answerQuestion, hide);
  const found = new Set<string>();
  for (const [i, { problem, cell, judged }] of (all(gates, MANY) as readonly NetworkQuestion[]).entries()) {
    if (!cell.tensor.startsWith('d')) continue;
    const complete = withDy(engine, problem);
    engine.compute(requestOf(problem, [cell]), i);
    const [layer, dy] = [problem.layers[1], passesOf(complete)];
    const [, cols] = dy.size('dy1');
    const own = dy.at('dy1', [Math.floor(cell.index / cols), cell.index % cols]);
    const given = layer?.kind === 'relu' ? dy.at('dy2', [Math.floor(cell.index / cols), cell.index % cols]) : own / 4;
    if (given === own) continue;
    const asked = { kind: 'diagnose', ...judged, index: cell.index, written: String(given) } as const;
    await prepareAnswer(asked);
    for (const { id } of engine.ask(i, asked).mistakes) found.add(id);
  }
  expect([...found]).toEqual(expect.arrayContaining(['gate_forgotten', 'divided']));
  engine.dispose();
});

describe.each(FIELDS.map((set) => [set.id, set] as const))('%s', (_, set) => {
  const questions = all(set, MANY) as readonly CountQuestion[];

  test('has the numbers of plain loops', () => {
    for (const { title, link, right } of questions) expect(right, link).toBe(reachedBy(title, parseLink(link).problem));
  });

  test('says the size of x and of each layer', () => {
    for (const { link, layer } of questions) {
      expect(layer).toHaveLength(1 + (link.match(/layer\./g)?.length ?? 0) + 1);
      expect(layer[0]).toBe('x has 40 × 40 cells.');
    }
    expect(questions.some(({ layer }) => layer.includes('Layer 2: max pooling 3 × 3, stride 2, padding 0.'))).toBe(
      true,
    );
  });

  test('names mistakes with other numbers than the answer, forgotten strides among them', () => {
    for (const { right, mistakes, link } of questions) {
      for (const { value } of mistakes) expect(value, link).not.toBe(right);
      expect(mistakes.length, link).toBeGreaterThan(2);
      // Without strides, each layer adds its kernel minus one.
      const { layers } = parseLink(link).problem;
      const strides = layers.map((each) => ('stride_h' in each.fields ? each.fields : null));
      const forgotten = mistakes.find(({ title }) => title === 'Strides forgotten');
      const counts = strides.slice(0, -1).some((window) => (window?.stride_h ?? 1) > 1);
      if (!counts) expect(forgotten, link).toBeUndefined();
      if (forgotten) expect(forgotten.value).toBeLessThan(right);
    }
    const titles = new Set(questions.flatMap(({ mistakes }) => mistakes.map(({ title }) => title)));
    expect(titles.size).toBe(7);
  });

  test('has different questions in each round, and the same in each run', async () => {
    expect(await decider.all(set, MANY)).toEqual(questions);
    const texts = questions.map(({ title, layer }) => [title, ...layer].join(' '));
    expect(new Set(texts).size).toBeGreaterThan(texts.length / 2);
  });
});
