import { expect, test } from 'vitest';
import { measureMemory } from '../../../web/src/app/deferred/device-memory';
import { device, NO_HISTORY, openingProblem, type Problem, recorded } from '../../../web/src/state/problem';

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

test.each([
  ['1 GB', { deviceMemory: 1 }, 2],
  ['4 GB', { deviceMemory: 4 }, 8],
  ['a touch screen, memory unknown', { maxTouchPoints: 5 }, 4],
  ['a desktop, memory unknown', { maxTouchPoints: 0 }, 16],
  ['64 GB', { deviceMemory: 64 }, 16],
])('undo has less memory on small devices: %s', (_, given, steps) => {
  measureMemory(given);
  let history = NO_HISTORY;
  // 4 Mi floats less the few of w, b and dy.
  for (let i = 0; i < 20; i += 1)
    history = recorded(history, step(withFloats(openingProblem(), 4 * MEGAFLOATS - 2048)));
  expect(history.past).toHaveLength(steps);
  device.memory = 8;
});

test('counts shared tensors once', () => {
  const problem = withFloats(openingProblem(), 16 * MEGAFLOATS);
  let history = NO_HISTORY;
  for (let i = 0; i < 300; i += 1) history = recorded(history, step({ ...problem }));
  expect(history.past).toHaveLength(200);
});
