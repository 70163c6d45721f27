import { beforeAll, expect, test } from 'vitest';
import { LESSONS } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import type { Content } from '../../../web/src/protocol/messages';
import { requestOf } from '../../../web/src/state/exchange';
import { bendSentence } from '../../../web/src/views/gradient-check/CheckVerdict';
import {
  bestOf,
  type CheckChoice,
  type CheckedLayer,
  checkChoice,
  checkedCells,
  checkQuestions,
  lossFormula,
  stepReason,
  sweepsOf,
  workOfCell,
} from '../../../web/src/views/gradient-check/choice';
import { gradientCheckView } from '../../../web/src/views/gradient-check/GradientCheckView';
import { type Answers, isConfirmed, VERDICT } from '../../../web/src/views/shared/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { makeDesc } from '../contract/requests';
import { layerIn, load } from '../contract/support';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { alone } from '../support/alone';

// The texts of the gradient check do not contradict its numbers, on the problem of the lesson.

let engine: ConvEngine;
let of: CheckedLayer;
beforeAll(async () => {
  engine = (await load('simd')).engine;
  const step = LESSONS.find(({ id }) => id === 'check')?.steps.at(-1);
  of = alone(layerIn(engine.compute(requestOf(parseLink(step?.link ?? '').problem), 1)).geometry);
});

function checked(change: Partial<CheckChoice>) {
  const choice = checkChoice(of, { parameter: 'w', index: 0, ...change });
  const asked = new Map(
    checkQuestions(of, choice).map((question) => [JSON.stringify(question), engine.ask(1, question)]),
  );
  const answers = { get: (question: unknown) => asked.get(JSON.stringify(question)) ?? null } as unknown as Answers;
  const sweep = sweepsOf(answers, of, choice).find(({ precision }) => precision === choice.precision);
  const cells = checkedCells(answers, of, choice);
  if (!sweep || !cells) throw new Error('no answers');
  return { choice, best: bestOf(sweep), cells };
}

test('the formula names the parameter that is checked', () => {
  const formulas = (parameter?: string) => gradientCheckView.formulas?.(of as Content, parameter ? { parameter } : {});
  expect(formulas()).toEqual(['dL/dw ≈ (L(w+ε) − L(w−ε)) / 2ε']);
  expect(formulas('x')).toEqual(['dL/dx ≈ (L(x+ε) − L(x−ε)) / 2ε']);
});

test('a right gradient is never called wrong: curvature explains a large step, rounding a small one', () => {
  const reasons = { large: new Set<string>(), small: new Set<string>() };
  for (const precision of ['float32', 'float64'] as const) {
    for (const epsilon of [1, 0.3, 0.1, 0.01, 1e-4, 1e-6, 1e-8, 1e-10]) {
      const { best, cells } = checked({ loss: 'log_cosh', epsilon, precision });
      expect(cells.worstVerdict, `${epsilon} ${precision}`).not.toBe(VERDICT.wrong);
      if (isConfirmed(cells.worstVerdict) || !best) continue;
      const worst = cells.verdict.indexOf(cells.worstVerdict);
      const reason = stepReason(cells.curved[worst] ?? false);
      (epsilon > best.epsilon ? reasons.large : reasons.small).add(reason);
      // The best step has the smaller error, which the text names.
      expect(best.relative).toBeLessThan(cells.maxRelative);
    }
  }
  expect([...reasons.large]).toEqual(['the curvature of the loss within ±ε']);
  expect([...reasons.small]).toEqual(['rounding in the two losses']);
});

test('the losses without curvature blame only rounding', () => {
  for (const loss of ['linear', 'mse'] as const) {
    for (const epsilon of [1, 0.1, 1e-4, 1e-7]) expect(checked({ loss, epsilon }).cells.curved).not.toContain(true);
  }
});

test('a bend names its cells, the slopes on both sides, and whether the value itself is at it', () => {
  const layer = (title: string) => ({ title, geometry: geometryOf(makeDesc({ h: 2, w: 2, kh: 1, kw: 1 })) });
  const layers = [layer('ReLU'), layer('max pooling 1 × 2')] as unknown as Content['layers'];
  const slopes = { above: 1, below: 0 };
  const bend = { layer: 0, cell: 0, winners: [-1, -1], isAtValue: false, slopes } as const;
  const sentence = (change: object) => bendSentence({ layers }, 'x[0,1]', { ...bend, ...change });
  expect(sentence({})).toBe(
    'Not confirmed at this step: within ±ε of x[0,1], ReLU of layer 1 changes its sign at x[0,0]. So the loss bends: upwards the slope is 1, downwards 0.',
  );
  expect(sentence({ isAtValue: true })).toBe(
    'No single slope at x[0,1]: upwards the slope is 1, downwards 0. In layer 1, x[0,0] is 0. The gradient is that below 0, at any step.',
  );
  expect(sentence({ layer: 1, winners: [1, 2] })).toContain(
    'max pooling 1 × 2 of layer 2 changes its winner of y2[0,0], y1[0,1] or y1[1,0].',
  );
  expect(sentence({ layer: 1, winners: [1, 2], isAtValue: true })).toContain(
    'In layer 2, y1[0,1] and y1[1,0] are equal, the two largest cells of a window.',
  );
  expect(sentence({ layer: 1, winners: [1, 2], isAtValue: true, slopes: { above: -0.99976, below: -1.00003 } })).toBe(
    'Upwards and downwards the slope at x[0,1] is −1. In layer 2, y1[0,1] and y1[1,0] are equal, the two largest cells of a window. The gradient is that of the first of the two, at any step.',
  );
  expect(sentence({ layer: 0, cell: 3 })).toContain('ReLU of layer 1 changes its sign at x[1,1].');
  // After the last layer comes the loss.
  expect(sentence({ layer: 2 })).toBe(
    'Not confirmed at this step: within ±ε of x[0,1], y2[0,0] reaches its target, where the loss has a kink. So the loss bends: upwards the slope is 1, downwards 0.',
  );
});

test('the kink of the loss is named for one layer, too, with its slopes at the value itself', () => {
  const layers = [{ geometry: geometryOf(makeDesc({ h: 2, w: 2, kh: 1, kw: 1 })) }] as unknown as Content['layers'];
  const bend = {
    layer: 1,
    cell: 3,
    winners: [-1, -1],
    isAtValue: false,
    slopes: { above: 0.25, below: -0.25 },
  } as const;
  expect(bendSentence({ layers }, 'w[0,0]', bend)).toBe(
    'Not confirmed at this step: within ±ε of w[0,0], y[1,1] reaches its target, where the loss has a kink. So the loss bends: upwards the slope is 0.25, downwards −0.25.',
  );
  expect(bendSentence({ layers }, 'w[0,0]', { ...bend, isAtValue: true })).toBe(
    'No single slope at w[0,0]: upwards the slope is 0.25, downwards −0.25. At the loss, y[1,1] is its target. The gradient is that of a slope of 0 there, at any step.',
  );
});

test('in a network the loss is that of the last output, and the worst cell of several pieces decides', () => {
  const layers = [0, 1, 2].map(() => alone(of.geometry));
  const inside: CheckedLayer = { ...of, index: 1, layers };
  // y of the layer itself, and all products of the last one.
  const { oh, ow, kh, kw } = of.geometry;
  expect(workOfCell(inside)).toBe(oh * ow * (1 + kh * kw));
  expect(workOfCell(of)).toBe(oh * ow);
  expect(lossFormula(inside, 'linear')).toBe('L = Σ y3 · dy3');
  expect(lossFormula(inside, 'mse')).toBe('L = Σ (y3 − target)² / (2N)');
  expect(lossFormula(of, 'mse')).toBe('L = Σ (y − target)² / (2N)');

  const { confirmed, atKink, withinRounding, notAtThisStep, atTie, undecided } = VERDICT;
  const verdicts = [confirmed, atKink, withinRounding, notAtThisStep, atTie, undecided];
  const one = (value: number) => Float64Array.of(value);
  const pieces = verdicts.map((verdict, i) => ({
    ...{ epsilon: 0.1, max_absolute_error: 0, max_relative_error: 0, verdict },
    cells: {
      ...{ index: Int32Array.of(i), verdict: Float64Array.of(verdict), relative_error: Float64Array.of(0.25) },
      ...{ rounding: one(0), truncation: one(i) },
      bends: {
        ...{ layer: Int32Array.of(i - 1), cell: Int32Array.of(7), at_value: Int32Array.of(i % 2) },
        ...{ winner_above: Int32Array.of(3), winner_below: Int32Array.of(4), slope_above: one(1), slope_below: one(2) },
      },
    },
  }));
  const of3 = (runs: unknown) => checkedCells({ get: () => ({ runs }) } as unknown as Answers, of, checkChoice(of, {}));
  expect(of3(pieces)?.worstVerdict).toBe(VERDICT.undecided);
  expect(of3(pieces.slice(0, 5))?.worstVerdict).toBe(VERDICT.notAtThisStep);
  expect(of3(pieces)?.curved.slice(0, 2)).toEqual([false, true]);
  expect(of3(pieces.slice(0, 3))?.worstVerdict).toBe(VERDICT.atKink);
  expect([...(of3(pieces)?.bends ?? [])].slice(0, 2)).toEqual([
    [1, { layer: 0, cell: 7, isAtValue: true, winners: [3, 4], slopes: { above: 1, below: 2 } }],
    [2, { layer: 1, cell: 7, isAtValue: false, winners: [3, 4], slopes: { above: 1, below: 2 } }],
  ]);
});
