import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { pointersOf, selectorOf } from '../../../web/src/app/lesson/pointers';
import { isReached, type StepData } from '../../../web/src/lessons/lesson';
import {
  LESSONS,
  linkOf,
  PATHS,
  pathEndedBy,
  solvedLink,
  stepRefOf,
  stepRefText,
  withLinkFields,
} from '../../../web/src/lessons/lessons';
import type { ParsedLink } from '../../../web/src/link/field';
import { wordOf } from '../../../web/src/sources/loss';
import { layerOf } from '../support/problems';
import '../../../web/src/link/network-fields';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import type { TensorName } from '../../../web/src/protocol/problem';
import { shapeSize } from '../../../web/src/protocol/shapes';
import { requestOf } from '../../../web/src/state/exchange';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { layerIn, load } from '../contract/support';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { CLAIMS, type Claim } from './claims';
import { formulasIn, sidesOf } from './equations';
import { passesOf, tensorSides } from './loops';

// Every step of every lesson: its link opens, its values are right, and its task is possible and not done at the start.
// Expected values come from plain loops in double precision, and the library must match them.

interface Case {
  readonly name: string;
  readonly step: StepData;
  readonly link: string;
  readonly solved: string;
}

const STEPS: readonly Case[] = LESSONS.flatMap((lesson) =>
  lesson.steps.map((step, index) => ({
    name: stepRefText(lesson, index),
    step,
    link: linkOf({ lesson, index, step }),
    solved: solvedLink({ lesson, index, step }),
  })),
);

/** tests/golden/make_network_lessons.py: rows by tensor and step. */
const GOLDEN: Readonly<Record<string, Readonly<Record<string, readonly (readonly number[])[]>>>> = JSON.parse(
  readFileSync(new URL('../../golden/network_lessons.json', import.meta.url), 'utf8'),
);

let engine: ConvEngine;
beforeAll(async () => {
  ({ engine } = await load('simd'));
});

const situationOf = ({ problem, look }: ParsedLink) => ({
  problem,
  look,
  geometry: geometryOf(descOf(layerOf(problem).desc)),
});

/** A number as written in a text. */
const written = (value: number): string => String(value).replace('-', '\u2212');

/** Whether a text contains a number on its own, in digits or, if small, as a word. */
function says(text: string, value: number): boolean {
  const figure = written(value).replace('.', '\\.');
  const names = ['none', 'one|once|single', 'two|twice', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  const name = names[value];
  return new RegExp(`(?<![\\d.\u2212])${figure}(?![\\d]|\\.\\d)${name ? `|\\b(?:${name})\\b` : ''}`, 'i').test(text);
}

function checkClaims(claims: readonly Claim[], text: string, { problem }: ParsedLink): void {
  const passes = passesOf(problem);
  for (const claim of claims) {
    if ('loss' in claim) {
      expect(passes.loss, 'loss').toBeCloseTo(claim.loss, 3);
      expect(says(text, claim.loss), `the text contains "${written(claim.loss)}"`).toBe(true);
    } else if ('linear' in claim) {
      expect(passes.linear, 'sum of y · dy').toBeCloseTo(claim.linear, 3);
      expect(says(text, claim.linear), `the text contains "${written(claim.linear)}"`).toBe(true);
    } else if ('reads' in claim) {
      expect(passes.readers(...claim.reads), `readers of ${claim.reads}`).toBe(claim.count);
      expect(says(text, claim.count), `the text contains "${claim.count}"`).toBe(true);
    } else if ('size' in claim) {
      expect(passes.size(claim.tensor), `size of ${claim.tensor}`).toEqual(claim.size);
      expect(text, 'the text contains the size').toContain(claim.size.join(' × '));
    } else {
      expect(passes.at(claim.tensor, claim.at), `${claim.tensor}[${claim.at}]`).toBeCloseTo(claim.value, 5);
      expect(says(text, claim.value), `the text contains "${written(claim.value)}"`).toBe(true);
    }
  }
}

function checkEquations(text: string, { problem }: ParsedLink): void {
  const passes = passesOf(problem);
  for (const { text: equation, actual, stated } of formulasIn(text).flatMap((formula) => sidesOf(formula, passes))) {
    expect(stated, equation).toBeCloseTo(actual, 5);
  }
}

/** The library's tensors match the loops. */
function checkLibrary({ problem }: ParsedLink): void {
  const passes = passesOf(problem);
  const result = engine.compute(requestOf(problem), 1);
  if (problem.layers.length > 1) {
    for (const [i, tensors] of tensorSides(problem, result).entries())
      for (const [at, { data }] of tensors.entries()) {
        const name = `${i > 0 ? 'd' : ''}${at > 0 ? `y${at}` : 'x'}`;
        const [rows, cols] = passes.size(name);
        expect(data).toHaveLength(rows * cols);
        data.forEach((value, index) => {
          expect(value, `${name} ${index}`).toBeCloseTo(passes.at(name, [Math.floor(index / cols), index % cols]), 3);
        });
      }
    return;
  }
  const { desc } = layerOf(problem);
  const groupC = desc.c / desc.groups;
  const extents: Readonly<Partial<Record<TensorName, readonly [channels: number, slices: number]>>> = {
    ...{ y: [desc.k, desc.n], dx: [desc.c, desc.n], dw: [groupC, desc.k] },
  };
  for (const [name, [channels, slices]] of Object.entries(extents)) {
    const tensor = layerIn(result).tensors[name as TensorName];
    const [rows, cols] = passes.size(name);
    expect(tensor && shapeSize(tensor.shape), name).toBe(rows * cols * channels * slices);
    const isKernel = name === 'dw';
    for (let row = 0; row < rows; row += 1)
      for (let col = 0; col < cols; col += 1)
        for (let channel = 0; channel < channels; channel += 1)
          for (let slice = 0; slice < slices; slice += 1) {
            const index = isKernel
              ? ((row * cols + col) * channels + channel) * slices + slice
              : ((slice * rows + row) * cols + col) * channels + channel;
            expect(tensor?.data[index], `${name} ${row} ${col} ${channel} ${slice}`).toBeCloseTo(
              passes.at(name, [row, col, channel, slice]),
              3,
            );
          }
  }
}

const textOf = ({ title, words, formula = '' }: StepData): string =>
  [title, words, formula && `\`${formula}\``].join(' ');

describe.each(STEPS)('$name', ({ name, step, link, solved }) => {
  const opened = parseLink(link);

  test('its link survives a round trip', () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.fault).toBeNull();
    expect(opened.missing).toEqual([]);
    const again = parseLink(writeLink(opened).hash);
    expect(again.look).toEqual(opened.look);
    expect(layerOf(again.problem).desc).toEqual(layerOf(opened.problem).desc);
    expect([...again.problem.x.data]).toEqual([...opened.problem.x.data]);
    expect([...layerOf(again.problem).w.data]).toEqual([...layerOf(opened.problem).w.data]);
  });

  test('its text has the right values', () => {
    expect(step.words.length).toBeGreaterThan(0);
    expect(step.notes.length).toBeGreaterThan(0);
    for (const pointer of pointersOf(step)) expect(selectorOf(pointer), pointer).not.toBe('');
    checkClaims(CLAIMS[name]?.words ?? [], textOf(step), opened);
    checkEquations(textOf(step), opened);
    if (wordOf(opened.problem.loss) !== 'random') checkLibrary(opened);
  });

  test('its task is open at first, is done by the solution, and its result text is right', () => {
    const done = parseLink(solved);
    expect(done.complaints).toEqual([]);
    expect(isReached(step, situationOf(opened)), 'done from the start').toBe(false);
    // A question can be answered without a change on the page.
    const changes = step.solution !== undefined || typeof step.asks === 'string';
    if (!changes) expect(step.asks, 'a task without a solution is a question').toBeDefined();
    expect(isReached(step, situationOf(done)), 'done by the solution').toBe(changes);
    checkClaims(CLAIMS[name]?.outcome ?? [], step.outcome, done);
    checkEquations(step.outcome, done);
    if (wordOf(done.problem.loss) !== 'random') checkLibrary(done);
  });
});

describe.each(STEPS.filter(({ link }) => link.includes('&layer.')))('$name', ({ name, solved }) => {
  test('has the values of PyTorch, once its task is done', () => {
    const { problem } = parseLink(solved);
    const sides = tensorSides(problem, engine.compute(requestOf(problem), 1)).map((tensors, side) =>
      tensors.map(({ data }, at) => [`${side > 0 ? 'd' : ''}${at > 0 ? `y${at}` : 'x'}`, [...data]] as const),
    );
    const found = Object.fromEntries(sides.flat());
    const expected = Object.entries(GOLDEN[name] ?? {}).map(([tensor, rows]) => [tensor, rows.flat()] as const);
    // Whole numbers and powers of two are exact in float32. The weights of one step are 1/3.
    const isExact = expected.every(([, values]) => values.every((value) => Math.fround(value) === value));
    const wanted = expected.map(([tensor, values]) => [
      tensor,
      isExact ? values : values.map((value) => expect.closeTo(value, 6)),
    ]);
    expect(found).toEqual(Object.fromEntries(wanted));
  });
});

test('the core path is eight lessons of about an hour, and every lesson is in one of the two paths', () => {
  const [core = [], further = []] = PATHS.map(({ lessons }) => lessons);
  const minutes = core.reduce((sum, lesson) => sum + lesson.minutes, 0);
  expect(core).toHaveLength(8);
  expect(minutes).toBeGreaterThanOrEqual(50);
  expect(minutes).toBeLessThanOrEqual(70);
  expect(new Set([...core, ...further]).size).toBe(24);
  expect(LESSONS).toEqual([...core, ...further]);
  expect(LESSONS.filter(pathEndedBy)).toEqual([core.at(-1), further.at(-1)]);
  for (const { minutes: each, steps } of LESSONS) expect(each).toBeGreaterThanOrEqual(steps.length);
});

test('claims are about steps', () => {
  expect(Object.keys(CLAIMS).filter((name) => !STEPS.some((step) => step.name === name))).toEqual([]);
});

test('names and titles of lessons are unique', () => {
  for (const key of ['title', 'sentence', 'id'] as const) {
    expect(new Set(LESSONS.map((lesson) => lesson[key])).size, key).toBe(LESSONS.length);
  }
});

test.each([
  ['cell=y.3', 'cell=y.3', 'cell=y.2'],
  ['mode=dx', 'mode=dx', 'mode=dw'],
  ['dx.stage=zeros', 'mode=dx&dx.stage=zeros', 'mode=dw&dx.stage=zeros'],
  ['board.t=3', 'board.t=4', 'board.t=2'],
  ['dx.unturned=true', 'mode=dx&dx.unturned=true', 'mode=dx&dx.unturned=false'],
  ['stride=2', 'stride=2', 'stride=2x1'],
  ['padding=full', 'padding=full', 'padding=same'],
  ['kh=2&kw=2', 'kh=2&kw=2', 'kh=2&kw=3'],
])('without a goal of its own a task is done when the fields of %s have its values', (solution, done, other) => {
  const at = (link: string) => situationOf(parseLink(`h=5&w=5&${link}`));
  expect([isReached({ solution }, at(done)), isReached({ solution }, at(other))]).toEqual([true, false]);
});

test('a step is found only by its exact name', () => {
  const [lesson] = LESSONS;
  if (!lesson) throw new Error('there is no lesson');
  expect(stepRefOf(stepRefText(lesson, 1))).toMatchObject({ index: 1, step: lesson.steps[1] });
  for (const text of ['', 'one', `${lesson.id}.0`, `${lesson.id}.99`, 'nothing.1', null]) {
    expect(stepRefOf(text), String(text)).toBeNull();
  }
});

test('fields of a link are replaced', () => {
  expect(withLinkFields('h=5&stride=1&x=ramp', 'stride=2&cell=y.0')).toBe('h=5&x=ramp&stride=2&cell=y.0');
});
