import { expect, it } from 'vitest';
import { markdownOf } from '../../../web/bench/src/report/markdown.ts';
import { trainingSteps } from '../../../web/bench/src/report/training.ts';
import { entry, race, result } from './example-result.ts';

// The sum of the three passes of a training step.

const forward = race('R2', [
  entry('ours-relaxed', 'plan', 1),
  entry('ours-relaxed', 'direct', 0.5),
  entry('litert', 'conv2d', 3),
  entry('ort', 'Conv', 2),
]);
const dx = {
  ...race('R2', [entry('ours-relaxed', 'plan', 2), entry('litert', 'flip', 9), entry('litert', 'other', 4)]),
  pass: 'backward_data' as const,
};
const dw = {
  ...race('R2', [entry('ours-relaxed', 'plan', 4), entry('litert', 'conv', 7), entry('ort', 'grad', 1)]),
  pass: 'backward_weights' as const,
};

it('adds the times of the plans, and of the fastest forms of the peers that have all passes', () => {
  const [step] = trainingSteps(result([forward, dx, dw]));
  expect(step?.shape).toBe('R2');
  expect(Object.fromEntries(step?.times ?? [])).toEqual({ 'ours-relaxed': 7, litert: 14 });
  expect(step?.speedUp).toBe(2);
});

it('leaves out shapes without one of the passes', () => {
  expect(trainingSteps(result([forward, dx]))).toEqual([]);
  expect(markdownOf(result([forward, dx]))).not.toContain('Training step');
});

it('is a table of the report', () => {
  const text = markdownOf(result([forward, dx, dw]));
  expect(text).toContain('| R2 | 7 | 14 | - | 2.00 |');
  expect(text).toContain('Geometric mean of the speed-ups over the best peer: **2.00**.');
});
