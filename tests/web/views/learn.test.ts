import { beforeAll, describe, expect, test } from 'vitest';
import { LESSONS, withFields } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import type { Geometry } from '../../../web/src/protocol/problem';
import type { Learned } from '../../../web/src/protocol/questions';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { requestOf } from '../../../web/src/state/problem';
import { formatScientific } from '../../../web/src/ui/quantities';
import { canLearn, choiceOf, questionOf, safeRate, sentenceOf } from '../../../web/src/views/learn/choice';
import { linkOf, TASKS, type Task, teacherOf, YOUR_X } from '../../../web/src/views/learn/tasks';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { load } from '../contract/support';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';

// Runs every task from its link in the library.

let engine: ConvEngine;
let revision = 0;
beforeAll(async () => {
  ({ engine } = await load('simd'));
  await loadSamples();
});

interface Opened {
  readonly geometry: Geometry;
  readonly reach: (steps: number, change?: Readonly<Record<string, number>>) => Learned;
}

async function open(task: Task): Promise<Opened> {
  const { problem, look, complaints } = await parseLink(linkOf(task));
  expect(complaints).toEqual([]);
  expect(look.mode).toBe('learn');
  revision += 1;
  const { geometry } = engine.compute(requestOf(problem), revision);
  expect(canLearn(geometry)).toBe(true);
  const asked = revision;
  return {
    geometry,
    reach: (t, change = {}) =>
      engine.ask(asked, questionOf(geometry, choiceOf(geometry, { ...look.settings.learn, ...change, t }))),
  };
}

test('there are four tasks', () => expect(TASKS.map(({ id }) => id)).toEqual(['blur', 'sobel', 'shift', 'stride']));

describe.each(TASKS.map((task) => [task.id, task] as const))('the task %s', (_, task) => {
  test('reaches its goal within its number of steps, and not much sooner', async () => {
    const { reach } = await open(task);
    const { loss, steps } = task.goal;
    expect(reach(0).loss).toBeGreaterThan(100 * loss);
    expect(reach(steps).loss).toBeLessThan(loss);
    expect(reach(Math.floor(0.7 * steps)).loss).toBeGreaterThan(loss);
  });

  test('finds the kernel of the target', async () => {
    const { reach, geometry } = await open(task);
    const teacher = teacherOf(geometry, task);
    expect([...teacher]).toEqual(task.kernel.flat());
    const { data } = reach(1000).tensors.w ?? { data: [] };
    expect([...data].map((value, i) => Math.abs(value - (teacher[i] ?? Number.NaN)) < 1e-3)).not.toContain(false);
  });

  test('has a learning rate below the limit, above which the loss diverges and the text reports it', async () => {
    const { reach, geometry } = await open(task);
    const { largest_rate, factor } = reach(0).step_size;
    expect(task.rate).toBeLessThan(largest_rate);
    expect(Math.abs(factor)).toBeLessThan(1);
    const fast = { rate: 1.2 * largest_rate };
    const away = reach(100, fast);
    expect(away.step_size.factor).toBeLessThan(-1);
    expect(away.loss).toBeGreaterThan(1e6 * reach(0).loss);
    const choice = choiceOf(geometry, { task: task.id, ...fast, t: 100 });
    expect(sentenceOf(choice, away)).toContain('1.4× per step');
    const end = reach(10_000, fast);
    expect(end.steps).toBeLessThan(10_000);
    expect(sentenceOf({ ...choice, steps: 10_000 }, end)).toContain('float32');
  });
});

test('the lesson states the limit of its problem, and the factor above it', async () => {
  const steps = LESSONS.find(({ id }) => id === 'learning')?.steps;
  const step = steps?.find(({ solution }) => solution?.startsWith('learn.rate'));
  const { problem, look } = await parseLink(withFields(step?.link ?? '', step?.solution ?? ''));
  revision += 1;
  const { geometry } = engine.compute(requestOf(problem), revision);
  const { step_size: pace, loss } = engine.ask(
    revision,
    questionOf(geometry, choiceOf(geometry, look.settings.learn ?? {})),
  );
  expect(step?.words.join()).toContain(`2 / λ = ${formatScientific(pace.largest_rate, 3)}.`);
  expect(step?.outcome).toContain(`λ = ${formatScientific(pace.factor, 3)}.`);
  expect(loss).toBeGreaterThan(1e6);
});

test('without a target in the loss it opens on the blurred x of the problem', () => {
  const g = geometryOf(descOf({ kh: 3, kw: 3, h: 5, w: 5 }));
  const loss = { kind: 'mse', value: 1, target: Float32Array.of(1) } as const;
  expect(choiceOf(g, {}).task).toBe(YOUR_X);
  expect(choiceOf(g, {}, { ...loss, target: null }).task).toBe(YOUR_X);
  expect(choiceOf(g, {}, loss).task).toBeNull();
  expect(choiceOf(g, { task: 'your-x' }, loss).task).toBe(YOUR_X);
  expect(choiceOf(g, { task: 'own' }).task).toBeNull();
  expect(TASKS.map(({ id }) => id)).not.toContain(YOUR_X.id);
});

test('the opening problem learns to blur its x in one run', async () => {
  const { problem } = await parseLink('');
  revision += 1;
  const { geometry } = engine.compute(requestOf(problem), revision);
  const opening = choiceOf(geometry, {});
  const ask = (change: Partial<typeof opening>) =>
    engine.ask(revision, questionOf(geometry, { ...opening, ...change }));
  const { tensors, step_size: pace, history } = ask({});
  expect([...(tensors.w?.data ?? [1])].every((value) => value === 0)).toBe(true);
  const choice = { ...opening, rate: safeRate(pace.largest_rate), steps: opening.until };
  const learned = ask(choice);
  expect(learned.loss).toBeLessThan(0.001 * (history.losses[0] ?? 0));
  const { data } = learned.tensors.y ?? { data: [] };
  for (const [i, wanted] of learned.target.data.entries()) {
    expect(Math.abs((data[i] ?? 0) - wanted)).toBeLessThan(1);
  }
});

test('invalid values of a link are limited to the problem', () => {
  const g = geometryOf(descOf({ n: 3, kh: 2, kw: 5, h: 9, w: 9, c: 4, k: 4, groups: 2 }));
  const odd = { task: 'blurr', rate: -3, batch: 99, noise: Number.NaN, t: 1e9, until: 'x', plot: 'pie', learns: 'b' };
  expect(choiceOf(g, odd)).toEqual({
    ...{ task: null, learns: 'w', rate: 0, batch: 3, noise: 0, steps: 10_000, until: 10_000 },
    ...{ plot: 'log', below: 'target' },
  });
  const [task] = TASKS;
  // 3 rows do not fit into 2: the first row of the kernel is outside. Filter 3 is the second of its group and reads its second channel.
  const teacher = task ? teacherOf(g, task) : new Float32Array(0);
  const at = (p: number, q: number, c: number, k: number) => teacher[((p * 5 + q) * 2 + c) * 4 + k];
  expect([at(0, 2, 0, 0), at(1, 2, 1, 3), at(0, 2, 0, 3)]).toEqual([0.25, 0.125, 0]);
});
