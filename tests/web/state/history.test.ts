import { expect, test } from 'vitest';
import { NO_HISTORY, openingProblem, type Problem, recorded } from '../../../web/src/state/problem';

const MEGAFLOATS = 2 ** 20;

const withFloats = (problem: Problem, floats: number): Problem => ({
  ...problem,
  x: { ...problem.x, data: new Float32Array(floats) },
});

const step = (problem: Problem) => ({ problem, target: null });

test('bounds the memory of undo, but always keeps the last step', () => {
  let history = NO_HISTORY;
  for (let i = 0; i < 10; i += 1) history = recorded(history, step(withFloats(openingProblem(), 16 * MEGAFLOATS)));
  // 64 Mi floats: four tensors of 16 Mi minus the small ones beside them.
  expect(history.past).toHaveLength(3);
  history = recorded(history, step(withFloats(openingProblem(), 128 * MEGAFLOATS)));
  expect(history.past).toHaveLength(1);
});

test('counts shared tensors once', () => {
  const problem = withFloats(openingProblem(), 16 * MEGAFLOATS);
  let history = NO_HISTORY;
  for (let i = 0; i < 300; i += 1) history = recorded(history, step({ ...problem }));
  expect(history.past).toHaveLength(200);
});
