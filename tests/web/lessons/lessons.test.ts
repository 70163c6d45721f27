import { beforeAll, describe, expect, test } from 'vitest';
import { selectorOf } from '../../../web/src/app/lesson/point';
import { isReached } from '../../../web/src/lessons/goal';
import type { Claim, Step } from '../../../web/src/lessons/lesson';
import { LESSONS, laidOver, linkOf, placeOf, placeText } from '../../../web/src/lessons/lessons';
import type { ParsedLink } from '../../../web/src/link/parse-link';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import type { ComputeResult } from '../../../web/src/protocol/messages';
import type { TensorName } from '../../../web/src/protocol/problem';
import { shapeSize } from '../../../web/src/protocol/shapes';
import { requestOf } from '../../../web/src/state/problem';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { load } from '../contract/support';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { formulasIn, saidOf } from './equations';
import { passesOf } from './loops';

// Every step of every lesson: its link opens, what it says of the numbers holds, and what it asks for can be done and is not
// done already. Numbers are those of plain loops in double precision, and the library must have the same.

interface Case {
  readonly name: string;
  readonly step: Step;
  readonly link: string;
}

const STEPS: readonly Case[] = LESSONS.flatMap((lesson) =>
  lesson.steps.map((step, index) => ({
    name: placeText(lesson, index),
    step,
    link: linkOf({ lesson, index, step }),
  })),
);

let engine: ConvEngine;
beforeAll(async () => {
  ({ engine } = await load('simd'));
});

const situationOf = ({ problem, look }: ParsedLink) => ({ problem, look, geometry: geometryOf(descOf(problem.desc)) });

/** A number as it stands in a text. */
const written = (value: number): string => String(value).replace('-', '\u2212');

/** Whether a number stands in a text by itself, as a figure or as the words that small ones may be. */
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
      expect(says(text, claim.loss), `"${written(claim.loss)}" is said`).toBe(true);
    } else if ('reads' in claim) {
      expect(passes.readers(...claim.reads), `readers of ${claim.reads}`).toBe(claim.count);
      expect(says(text, claim.count), `"${claim.count}" is said`).toBe(true);
    } else if ('size' in claim) {
      expect(passes.size(claim.tensor), `size of ${claim.tensor}`).toEqual(claim.size);
      expect(text, 'the size is said').toContain(claim.size.join(' × '));
    } else {
      expect(passes.at(claim.tensor, claim.at), `${claim.tensor}[${claim.at}]`).toBeCloseTo(claim.value, 5);
      expect(says(text, claim.value), `"${written(claim.value)}" is said`).toBe(true);
    }
  }
}

function checkEquations(text: string, { problem }: ParsedLink): void {
  const passes = passesOf(problem);
  for (const { text: equation, is, said } of formulasIn(text).flatMap((formula) => saidOf(formula, passes))) {
    expect(said, equation).toBeCloseTo(is, 3);
  }
}

/** What the page would show of it: the library's tensors are those of the loops. */
function checkLibrary({ problem }: ParsedLink): void {
  const passes = passesOf(problem);
  const result: ComputeResult = engine.compute(requestOf(problem), 1);
  const { desc } = problem;
  const groupC = desc.c / desc.groups;
  const extents: Readonly<Partial<Record<TensorName, readonly [channels: number, slices: number]>>> = {
    ...{ y: [desc.k, desc.n], dx: [desc.c, desc.n], dw: [groupC, desc.k] },
  };
  for (const [name, [channels, slices]] of Object.entries(extents)) {
    const tensor = result.tensors[name as TensorName];
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

const textOf = ({ title, words, formula = '' }: Step): string =>
  [title, ...words, formula && `\`${formula}\``].join(' ');

describe.each(STEPS)('$name', ({ step, link }) => {
  const opened = parseLink(link);
  const { task } = step;

  test('its link opens, and is written as it was read', () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.fault).toBeNull();
    expect(opened.missing).toEqual([]);
    const again = parseLink(writeLink(opened).hash);
    expect(again.look).toEqual(opened.look);
    expect(again.problem.desc).toEqual(opened.problem.desc);
    expect([...again.problem.x.data]).toEqual([...opened.problem.x.data]);
    expect([...again.problem.w.data]).toEqual([...opened.problem.w.data]);
  });

  test('it says something, and what its numbers are', () => {
    expect(step.words.length).toBeGreaterThan(0);
    expect(step.notes.length).toBeGreaterThan(0);
    for (const pointer of step.points ?? []) expect(selectorOf(pointer), pointer).not.toBe('');
    checkClaims(step.claims ?? [], textOf(step), opened);
    checkEquations(textOf(step), opened);
    if (opened.problem.dy.kind !== 'random') checkLibrary(opened);
  });

  test.runIf(task)('what it asks for is not done yet, can be done, and comes to what is said then', () => {
    if (!task) return;
    const done = parseLink(laidOver(link, task.solution));
    expect(done.complaints).toEqual([]);
    expect(isReached(task.goal, situationOf(opened)), 'done from the start').toBe(false);
    expect(isReached(task.goal, situationOf(done)), 'done by the solution').toBe(true);
    checkClaims(task.claims ?? [], task.seen, done);
    checkEquations(task.seen, done);
    if (done.problem.dy.kind !== 'random') checkLibrary(done);
  });
});

test('lessons have places, names and titles of their own', () => {
  for (const key of ['place', 'title', 'sentence', 'id'] as const) {
    expect(new Set(LESSONS.map((lesson) => lesson[key])).size, key).toBe(LESSONS.length);
  }
});

test('a place is found by its text, and by no other', () => {
  const [lesson] = LESSONS;
  if (!lesson) throw new Error('there is no lesson');
  expect(placeOf(placeText(lesson, 1))).toMatchObject({ index: 1, step: lesson.steps[1] });
  for (const text of ['', 'one', `${lesson.id}.0`, `${lesson.id}.99`, 'nothing.1', null]) {
    expect(placeOf(text), String(text)).toBeNull();
  }
});

test('a change is laid over a link', () => {
  expect(laidOver('h=5&stride=1&x=ramp', 'stride=2&cell=y.0')).toBe('h=5&x=ramp&stride=2&cell=y.0');
});
