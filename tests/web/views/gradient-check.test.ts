import { beforeAll, expect, test } from 'vitest';
import { LESSONS } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import type { Content } from '../../../web/src/protocol/messages';
import type { Geometry } from '../../../web/src/protocol/problem';
import { requestOf } from '../../../web/src/state/problem';
import { type CheckChoice, choiceOf } from '../../../web/src/views/gradient-check/choice';
import { gradientCheckView } from '../../../web/src/views/gradient-check/GradientCheckView';
import {
  bestOf,
  checkedCells,
  checkQuestions,
  stepReason,
  sweepsOf,
} from '../../../web/src/views/gradient-check/readings';
import type { Answers } from '../../../web/src/views/kit/answers';
import { isConfirmed, VERDICT } from '../../../web/src/views/kit/confirmed';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { load } from '../contract/support';

// The texts of the gradient check do not contradict its numbers, on the problem of the lesson.

let engine: ConvEngine;
let geometry: Geometry;
beforeAll(async () => {
  engine = (await load('simd')).engine;
  const step = LESSONS.find(({ id }) => id === 'check')?.steps.at(-1);
  ({ geometry } = engine.compute(requestOf(parseLink(step?.link ?? '').problem), 1));
});

function checked(change: Partial<CheckChoice>) {
  const choice = choiceOf(geometry, { parameter: 'w', index: 0, ...change });
  const asked = new Map(
    checkQuestions(geometry, choice).map((question) => [JSON.stringify(question), engine.ask(1, question)]),
  );
  const answers = { get: (question: unknown) => asked.get(JSON.stringify(question)) ?? null } as unknown as Answers;
  const sweep = sweepsOf(answers, geometry, choice).find(({ precision }) => precision === choice.precision);
  const cells = checkedCells(answers, geometry, choice);
  if (!sweep || !cells) throw new Error('no answers');
  return { choice, best: bestOf(sweep), cells };
}

test('the formula names the parameter that is checked', () => {
  const formulas = (parameter?: string) =>
    gradientCheckView.formulas?.({ geometry } as Content, parameter ? { parameter } : {});
  expect(formulas()).toEqual(['dL/dw ≈ (L(w+ε) − L(w−ε)) / 2ε']);
  expect(formulas('x')).toEqual(['dL/dx ≈ (L(x+ε) − L(x−ε)) / 2ε']);
});

test('a right gradient is never called wrong: curvature explains a large step, rounding a small one', () => {
  const reasons = { large: new Set<string>(), small: new Set<string>() };
  for (const precision of ['float32', 'float64'] as const) {
    for (const epsilon of [1, 0.3, 0.1, 0.01, 1e-4, 1e-6, 1e-8, 1e-10]) {
      const { choice, best, cells } = checked({ loss: 'log_cosh', epsilon, precision });
      expect(cells.worstVerdict, `${epsilon} ${precision}`).not.toBe(VERDICT.wrong);
      if (isConfirmed(cells.worstVerdict) || !best) continue;
      const reason = stepReason(choice, best);
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
    expect(stepReason({ ...checked({ loss }).choice, epsilon: 1 }, { epsilon: 0.1 })).toBe(
      'rounding in the two losses',
    );
  }
});
