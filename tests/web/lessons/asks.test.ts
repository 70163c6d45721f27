import { beforeAll, describe, expect, test } from 'vitest';
import { partsOutsideLesson } from '../../../web/src/app/lesson/course';
import { type Choice, type Count, isReached, type StepData } from '../../../web/src/lessons/lesson';
import { LESSONS, linkOf, type StepRef, solvedLink, stepRefText } from '../../../web/src/lessons/lessons';
import { contentOf, layerOf } from '../support/problems';
import '../../../web/src/link/network-fields';
import { parseLink } from '../../../web/src/link/parse-link';
import { cellText } from '../../../web/src/link/text';
import { ownerOf } from '../../../web/src/protocol/layers';
import type { ComputeResult } from '../../../web/src/protocol/messages';
import { type Hidden, isResult, PASS_OF, type Tensor } from '../../../web/src/protocol/problem';
import { wShape, xShape, yShape } from '../../../web/src/protocol/shapes';
import { requestOf } from '../../../web/src/state/exchange';
import { type Problem, withConv } from '../../../web/src/state/problem';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { type Loaded, load } from '../contract/support';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { passesOf, tensorSides, valueAt } from './loops';

// Steps that ask a question: the value that they ask for is hidden, is not in their text, and only it is accepted.

const STEPS = LESSONS.flatMap((lesson) =>
  lesson.steps.map((step, index) => {
    const place = { lesson, index, step };
    return { name: stepRefText(lesson, index), step, link: linkOf(place), solved: solvedLink(place) };
  }),
);
const ASKING = STEPS.filter(({ step }) => typeof step.asks === 'string');
const COUNTS = STEPS.flatMap(({ step, ...rest }) =>
  typeof step.asks === 'object' && 'count' in step.asks ? [{ ...rest, step, asks: step.asks as Count }] : [],
);
const CHOICES = STEPS.flatMap(({ step, ...rest }) =>
  typeof step.asks === 'object' && 'options' in step.asks ? [{ ...rest, step, asks: step.asks as Choice }] : [],
);

/** Everything that the page shows of a step before its task is done, the teacher's notes too; without the names of cells. */
const shownText = ({ title, words, formula = '', task, hint = '', notes }: StepData): string =>
  [title, words, formula, task, hint, notes]
    .join(' ')
    .replaceAll(/\b(?:x|w|b|y\d?|dx|dw|db|dy\d?|L)\[[^\]]*\]/g, 'cell');

/** Whether a text has a number on its own. */
const contains = (text: string, value: number): boolean =>
  new RegExp(`(?<![\\d.])${String(value).replace('-', '\u2212').replace('.', '\\.')}(?!\\d|\\.\\d)`).test(text);

/** The cell that a step asks for, also one of a network. */
function askedCell({ asks }: StepData): (Hidden & { readonly index: number }) | undefined {
  if (typeof asks !== 'string') return undefined;
  const [tensor = '', index] = asks.split('.');
  return { tensor: tensor as Hidden['tensor'], index: Number(index) };
}

/** A result, or an output or a gradient of a network. */
function tensorIn(problem: Problem, result: ComputeResult, name: string): Tensor | undefined {
  if (!/^dx$|\d$/.test(name)) return contentOf(problem, result).tensors[name as 'y'];
  const at = name === 'dx' ? 0 : Number(name.at(-1));
  return tensorSides(problem, result)[name.startsWith('d') ? 1 : 0][at];
}

let loaded: Loaded;
beforeAll(async () => {
  loaded = await load('simd');
});

test('at least 25 steps hide a number and ask for it, and most others ask for a size or a choice of a cell', () => {
  expect(ASKING.length).toBeGreaterThanOrEqual(25);
  expect(COUNTS.length).toBeGreaterThanOrEqual(12);
  expect(CHOICES.length).toBeGreaterThanOrEqual(6);
  expect(STEPS).toHaveLength(101);
});

test('the check of texts finds a number on its own only', () => {
  expect(contains('it is 44.', 44)).toBe(true);
  expect(contains('1·4 + 4·4', 44)).toBe(false);
  expect(contains('144 or 4.4 or 44.5', 44)).toBe(false);
  expect(contains('\u221231', -31)).toBe(true);
});

describe.each(ASKING)('$name', ({ step, link, solved }) => {
  const { problem, look } = parseLink(link);
  const cell = askedCell(step);
  if (!cell) throw new Error(`${step.asks} is not a cell`);

  test('hides and pins a computed cell, and once it is solved only cells of later steps are hidden', () => {
    const layers = problem.layers.length > 1 ? problem.layers.length : 0;
    const isNetworkCell = ownerOf(cell.tensor, layers) !== null;
    expect(isNetworkCell || isResult(cell.tensor) || (cell.tensor === 'dy' && problem.loss.kind === 'mse')).toBe(true);
    const whole = step.hides?.split(',').map((tensor) => ({ tensor, index: null }));
    const later = (step.later?.split(',') ?? []).map((name) => {
      const [tensor, at] = name.split('.');
      return { tensor, index: Number(at) };
    });
    expect(look.hiddenCells).toEqual([...(whole ?? [cell]), ...later]);
    if (whole) expect(step.hides?.split(',')).toContain(cell.tensor);
    const pinned = (of: typeof look) =>
      /\d$/.test(cell.tensor) ? of.settings.network?.['cell'] : of.pinned && cellText(of.pinned);
    expect(pinned(look)).toBe(cellText(cell));
    const done = parseLink(solved).look;
    expect([done.hiddenCells, pinned(done)]).toEqual([later, cellText(cell)]);
    const now = { problem, geometry: geometryOf(descOf(layerOf(problem).desc)) };
    expect(isReached(step, { ...now, look })).toBe(false);
    expect(isReached(step, { ...now, look: { ...look, hiddenCells: [] } })).toBe(true);
  });

  test('accepts only its value, which neither the result nor the text contains', async () => {
    const engine = new ConvEngine(loaded.module, answerQuestion, hide);
    const tensor = tensorIn(problem, engine.compute(requestOf(problem, look.hiddenCells), 1), cell.tensor);
    expect(tensor?.data[cell.index]).toBeNaN();
    const value = valueAt(passesOf(problem), cell.tensor, cell.index, tensor?.shape ?? []);
    expect(contains(shownText(step), value), `the text contains ${value}`).toBe(false);
    // As many digits as the page asks for.
    expect(contains(shownText(step), Number(value.toPrecision(3)))).toBe(false);
    const judge = async (written: string) => {
      const owner = /\d$/.test(cell.tensor) ? ownerOf(cell.tensor, 4) : null;
      const own = owner?.tensor ?? cell.tensor;
      const pass = isResult(own) ? PASS_OF[own] : (own as 'dy');
      const asked = {
        kind: 'diagnose',
        pass,
        index: cell.index,
        written,
        ...(owner && { layer: owner.layer }),
      } as const;
      await prepareAnswer(asked);
      return engine.ask(1, asked).verdict;
    };
    expect(await judge(String(Number(value.toPrecision(3))))).toBe('right');
    expect(await judge(String(value + 1))).toMatch(/^(known|unknown)$/);
    engine.dispose();
  });
});

/** The shape of a tensor and the value of a cell, from plain loops. */
function valueIn(
  link: string,
  { tensor, index }: Pick<Hidden, 'tensor'> & { readonly index: number },
): readonly number[] {
  const { problem } = parseLink(link);
  const { desc } = layerOf(problem);
  const shapes: Readonly<Record<string, readonly number[]>> = { dx: xShape(desc), dw: wShape(desc), db: [desc.k] };
  const plane = problem.layers.length > 1 ? [1, ...passesOf(problem).size(tensor), 1] : null;
  const shape = plane ?? shapes[tensor] ?? yShape(desc);
  return [...shape, valueAt(passesOf(problem), tensor, index, shape)];
}

/** Whether a step, once it is done, shows a cell. */
function showsCell(
  { lesson, index }: StepRef,
  { tensor, index: at }: Pick<Hidden, 'tensor'> & { readonly index: number },
): boolean {
  const step = lesson.steps[index];
  if (!step) return false;
  const { look, problem } = parseLink(solvedLink({ lesson, index, step }));
  const { hiddenCells } = look;
  // "y3" of a network of three layers.
  if (Number(/\d$/.exec(tensor)?.[0] ?? 0) > problem.layers.length) return false;
  const isHiddenCell = hiddenCells.some((one) => one.tensor === tensor && (one.index ?? at) === at);
  return !isHiddenCell && !partsOutsideLesson({ lesson, index, step }).includes(tensor);
}

test('the step before a question does not show its number', () => {
  const places = LESSONS.flatMap((lesson) => lesson.steps.map((step, index) => ({ lesson, step, index })));
  const shown = places.flatMap((place, i) => {
    const [cell, before] = [askedCell(place.step), places[i - 1]];
    if (!cell || !before || !showsCell(before, cell)) return [];
    const [now, then] = [place, before].map((each) => JSON.stringify(valueIn(solvedLink(each), cell)));
    return now === then ? [stepRefText(place.lesson, place.index)] : [];
  });
  expect(shown).toEqual([]);
});

test('a cell that is hidden for later is asked for in the same lesson, or first in the next', () => {
  for (const [i, lesson] of LESSONS.entries())
    for (const [index, { later }] of lesson.steps.entries()) {
      const hidden = later?.split(',') ?? [];
      const next = LESSONS[i + 1]?.steps.slice(0, 1) ?? [];
      // With its copies in the other tensors that the question hides.
      const asked = [...lesson.steps.slice(index + 1), ...next].flatMap(({ asks, hides = '' }) => {
        const [tensor = '', cell] = typeof asks === 'string' ? asks.split('.') : [];
        return hidden.includes(`${tensor}.${cell}`)
          ? (hides || tensor).split(',').map((name) => `${name}.${cell}`)
          : [];
      });
      expect([...new Set(asked)].sort(), `${lesson.id}.${index + 1}`).toEqual([...hidden].sort());
    }
});

test('a common mistake of one step is recognized', async () => {
  const { problem, look } = parseLink(ASKING.find(({ name }) => name === 'gather.1')?.link ?? '');
  const engine = new ConvEngine(loaded.module, answerQuestion, hide);
  engine.compute(requestOf(problem, look.hiddenCells), 1);
  // 1·9 + 2·8 + 3·6 + 4·5: the weights in forward order.
  const asked = { kind: 'diagnose', pass: 'backward_data', index: 10, written: '63' } as const;
  await prepareAnswer(asked);
  const { verdict } = engine.ask(1, asked);
  expect(verdict).toBe('known');
  engine.dispose();
});

test('before the lessons on gradients, no mistake is explained with one', async () => {
  const engine = new ConvEngine(loaded.module, answerQuestion, hide);
  const forward = LESSONS.filter(({ gradients }) => gradients.length === 0).map(({ id }) => id);
  const texts: string[] = [];
  for (const { name, step, link } of ASKING.filter((each) => forward.includes(each.name.split('.')[0] ?? ''))) {
    const { problem, look } = parseLink(link);
    engine.compute(requestOf(problem, look.hiddenCells), 1);
    for (let guess = -50; guess <= 800; guess += 1) {
      const asked = {
        kind: 'diagnose',
        pass: 'forward',
        index: askedCell(step)?.index ?? 0,
        written: `${guess}`,
      } as const;
      if (guess === -50) await prepareAnswer(asked);
      const told = engine.ask(1, asked);
      if (told.verdict === 'known') texts.push(...told.mistakes.map(({ sentence }) => `${name}: ${sentence}`));
    }
  }
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter((text) => /\bd[xwyb]\b/.test(text))).toEqual([]);
  engine.dispose();
});

/** The numbers that steps ask for without the library, from plain loops in the sizes of the solved step. */
const SIZES: Readonly<Record<string, (solved: string, opened: string) => number>> = {
  'sliding.4': (solved) => sizesOf(solved).oh,
  'padding.3': (solved) => sizesOf(solved).oh,
  'channels.3': (solved) => layerOf(parseLink(solved).problem).w.data.length,
  'gather.4': (_, opened) => withoutFlip(opened),
  'stride.2': (solved) => (sizesOf(solved).oh - 1) * sizesOf(solved).stride_h + 1,
  'remainder.2': (solved) => sizesOf(solved).oh,
  'remainder.3': (solved) => (sizesOf(solved).oh - 1) * sizesOf(solved).stride_h + 1 + sizesOf(solved).remainder_h,
  'remainder.4': (solved) => {
    const { problem } = parseLink(solved);
    const rows = (h: number) => geometryOf(descOf({ ...layerOf(problem).desc, h, w: h })).oh;
    return [4, 5, 6, 7, 8, 9, 10, 11, 12].filter((h) => rows(h) === rows(layerOf(problem).desc.h)).length;
  },
  'im2col.1': (solved) => sizesOf(solved).ow,
  'im2col.2': (solved) => passesOf(parseLink(solved).problem).readers(1, 1),
  'col2im.4': (solved) => {
    const { problem } = parseLink(solved);
    return (problem.x.data[4] ?? Number.NaN) * passesOf(problem).readers(1, 0);
  },
  'col2im.3': (solved) => {
    const { readers } = passesOf(parseLink(solved).problem);
    return [0, 1, 2, 3].flatMap((row) => [0, 1, 2, 3].filter((col) => readers(row, col) === 1)).length;
  },
  'groups.4': (solved, opened) => {
    const { kh, kw, c } = layerOf(parseLink(opened).problem).desc;
    return kh * kw * c + layerOf(parseLink(solved).problem).w.data.length;
  },
  'relu.1': (solved) => {
    const { problem } = parseLink(solved);
    const bias = layerOf(problem).b?.data[0] ?? Number.NaN;
    return problem.x.data.filter((value) => value + bias > 0).length;
  },
  'relu.5': (solved) => {
    const { problem } = parseLink(solved);
    return [...problem.x.data.keys()].filter((at) => passesOf(problem).at('dx', [Math.floor(at / 3), at % 3]) !== 0)
      .length;
  },
  'receptive.1': (solved) => rowsSeen(solved),
  'receptive.2': (solved) => rowsSeen(solved),
  'receptive.3': (solved) => {
    const { layers } = parseLink(solved).problem;
    return layers.reduce((sum, layer) => sum + ('w' in layer ? layer.w.data.length : 0), 0);
  },
  'receptive.4': (solved) => rowsSeen(solved),
  'transposed-sizes.2': (solved) => passesOf(parseLink(solved).problem).size('y2')[0],
  'vanishing.2': (_, opened) => {
    const [half = 1] = layerOf(parseLink(opened).problem).w.data;
    return [...Array(99).keys()].find((layers) => half ** layers < 1 / 1000) ?? 0;
  },
  'vanishing.4': (solved) => passesOf(parseLink(solved).problem).at('dx', [0, 0]),
  'check.2': (solved) => 2 * parseLink(solved).problem.x.data.length,
};

/** Rows of x with a gradient, if only the first cell of the output has one. All weights are 1, and x grows. */
function rowsSeen(link: string): number {
  // A maximum depends on all its cells, but its gradient goes to one.
  const { problem } = parseLink(link.replaceAll('max_pool', 'average_pool'));
  const passes = passesOf({ ...problem, loss: { kind: 'given', dy: { kind: 'one_hot', index: 0 } } });
  const [rows, cols] = passes.size('x');
  const seen = (row: number) =>
    Array.from({ length: cols }, (_, col) => passes.at('dx', [row, col])).some((value) => value !== 0);
  return Array.from({ length: rows }, (_, row) => row).filter(seen).length;
}

const sizesOf = (link: string) => geometryOf(descOf(layerOf(parseLink(link).problem).desc));

/** dx[1,1] with the weights in the wrong order. */
function withoutFlip(link: string): number {
  const { problem } = parseLink(link);
  const reversed = { ...layerOf(problem).w, data: layerOf(problem).w.data.toReversed() };
  return passesOf(withConv(problem, 0, { w: reversed })).at('dx', [1, 1]);
}

test.each(COUNTS)('$name asks for a number that is right', ({ name, asks, step, link, solved }) => {
  expect(SIZES[name]?.(solved, link)).toBe(asks.is);
  expect(step.hint, 'a hint after a wrong answer').toBeTruthy();
  // The hint may say how to get there, but not the answer.
  expect(contains(shownText({ ...step, words: '', notes: '', formula: '', task: '' }), asks.is)).toBe(false);
});

test.each(CHOICES)('$name has one right option of several, and a hint', ({ asks, step }) => {
  expect(new Set(asks.options).size).toBe(asks.options.length);
  expect(asks.options.length).toBeGreaterThanOrEqual(2);
  expect(asks.options[asks.right]).toBeDefined();
  expect(step.hint).toBeTruthy();
});

test('a step that wants a cell or a size by hand says what to look for', () => {
  const byHand = STEPS.filter(
    ({ step: { asks, solution } }) => asks === undefined && /^(cell=|kh=|dy=one_hot)/.test(solution ?? ''),
  );
  expect(byHand.length).toBeGreaterThanOrEqual(10);
  expect(byHand.filter(({ step }) => !step.hint).map(({ name }) => name)).toEqual([]);
});
