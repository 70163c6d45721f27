import { describe, expect, test } from 'vitest';
import { partsOutsideLesson, wrongChoiceOf } from '../../../web/src/app/lesson/course';
import { GRADIENTS } from '../../../web/src/lessons/lesson';
import { LESSONS, linkOf, type StepRef, stepRefOf, stepRefText } from '../../../web/src/lessons/lessons';
import { layerOf } from '../support/problems';
import '../../../web/src/link/network-fields';
import { parseLink } from '../../../web/src/link/parse-link';
import type { Cell } from '../../../web/src/protocol/problem';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';

// What a step shows of the page, and what it answers to a wrong choice.

const STEPS: readonly (StepRef & { readonly name: string })[] = LESSONS.flatMap((lesson) =>
  lesson.steps.map((step, index) => ({ lesson, index, step, name: stepRefText(lesson, index) })),
);
const stepAt = (name: string): StepRef => {
  const found = stepRefOf(name);
  if (!found) throw new Error(`there is no step ${name}`);
  return found;
};

describe('the parts that a step puts aside', () => {
  test.each(STEPS)(
    '$name keeps the lesson, undo and the way to a hidden value, not the way to the lessons',
    (place) => {
      const aside = partsOutsideLesson(place);
      for (const part of ['side.lesson', 'undo', 'redo', 'copy-link', 'hide']) expect(aside).not.toContain(part);
      for (const part of ['lessons', 'side.code', 'examples', 'mode.learn', 'dilation']) expect(aside).toContain(part);
    },
  );

  test.each([
    ['sliding.2', ['controls', 'kernel'], ['stride', 'values.w', 'mode.dx']],
    ['loss.3', ['controls', 'values.dy'], ['kernel', 'values.x']],
    ['bias-batch.1', ['controls', 'values.b'], ['kernel', 'values.dy']],
    ['dw.4', ['dw', 'dy'], ['controls', 'kernel', 'mode.dx', 'mode.board', 'dx', 'db']],
    ['dw.1', [], ['backward', 'dw', 'dx', 'db', 'dy']],
    ['one-window.2', [], ['backward', 'dy']],
    // Its loss is shown.
    ['loss.1', ['backward'], ['dw', 'dx', 'db', 'dy']],
    ['loss.2', ['backward', 'dy'], ['dw', 'dx', 'db']],
    ['loss.4', ['dw', 'dx', 'db', 'dy'], []],
    ['bias-batch.2', ['db', 'dy', 'dw'], ['dx']],
    ['scatter.2', ['dx', 'dy'], ['dw', 'db']],
  ])('%s keeps %j, not %j', (name, kept, aside) => {
    const parts = partsOutsideLesson(stepAt(name));
    expect(kept.filter((part) => parts.includes(part))).toEqual([]);
    expect(aside.filter((part) => !parts.includes(part))).toEqual([]);
  });

  test('lessons without gradients stay in the overview', () => {
    const forward = STEPS.filter(({ lesson }) => lesson.gradients.length === 0);
    expect(new Set(forward.map(({ lesson }) => lesson.id)).size).toBe(5);
    for (const place of forward) expect(linkOf(place)).not.toContain('mode=');
  });
});

test('a step shows the gradients that its text names, and db only where it does', () => {
  for (const place of STEPS) {
    const { title, words, formula = '', task, outcome, asks } = place.step;
    const options = typeof asks === 'object' && 'options' in asks ? asks.options : [];
    const text = [title, words, formula, task, outcome, ...options].join(' ');
    const aside = partsOutsideLesson(place);
    expect(!aside.includes('db') && !/\bdb\b/.test(text) && place.lesson.id !== 'bias-batch', place.name).toBe(false);
    // The cells that it names must be on the page.
    for (const name of GRADIENTS)
      if (new RegExp(`\\b${name}\\[\\d`).test(text)) expect(aside, `${place.name} names ${name}`).not.toContain(name);
  }
});

describe('a wrong choice', () => {
  const answer = (name: string, pinned: Cell | null, change = '') => {
    const place = stepAt(name);
    const opening = parseLink(linkOf(place));
    const { problem, look } = parseLink(`${linkOf(place)}${change}`);
    return wrongChoiceOf(place.step, opening, {
      problem,
      look: { ...look, pinned: pinned ?? look.pinned },
      geometry: geometryOf(descOf(layerOf(problem).desc)),
    });
  };

  test.each([
    [
      'one-window.1',
      { tensor: 'y', index: 8 },
      'The window of y[2,2] begins at x[2,2]. Look for row 0 and column 0 of y.',
    ],
    [
      'padding.1',
      { tensor: 'x', index: 6 },
      'x[1,1] is read by 4 windows. Look for a cell that only one window contains.',
    ],
    ['remainder.1', { tensor: 'dx', index: 0 }, 'dx[0,0] is read by 1 window. Look for a hatched cell.'],
    [
      'scatter.3',
      { tensor: 'dx', index: 0 },
      'dx[0,0] is read by 1 window. Look for a cell that exactly two windows read.',
    ],
  ] as const)('in %s of %j is answered', (name, cell, text) => {
    expect(answer(name, cell)).toBe(text);
  });

  test('of a weight names the cells that it multiplies', () => {
    expect(answer('dw.1', { tensor: 'w', index: 1 })).toMatch(
      /^w\[0,1\] multiplies x\[0,1\] at the first position and x\[1,2\] at the last\. /,
    );
  });

  test('of a size says the size of y', () => {
    expect(answer('sliding.2', null, '&kh=4&kw=4')).toBe('y is now 2 × 2. The task asks for 4 × 4.');
  });

  test('of the single 1 says where it is', () => {
    expect(answer('scatter.1', null, '&dy=one_hot:1')).toBe(
      'The 1 is now in dy[0,1]. Look for row 1 and column 1 of dy.',
    );
  });

  test.each(STEPS)('$name says nothing before a choice', ({ name }) => {
    expect(answer(name, null)).toBeNull();
  });

  test('is not answered by a step that asks for a number', () => {
    expect(answer('gather.1', { tensor: 'dx', index: 0 })).toBeNull();
  });
});
