import { beforeAll, describe, expect, test } from 'vitest';
import { LESSONS, withLinkFields } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { contentOf } from '../support/problems';
import '../../../web/src/link/network-fields';
import type { ViewState } from '../../../web/src/look/look';
import type { Learned } from '../../../web/src/protocol/learn';
import type { Geometry } from '../../../web/src/protocol/problem';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { requestOf } from '../../../web/src/state/exchange';
import { withoutLayer, withWeights } from '../../../web/src/state/layer-edits';
import type { Problem } from '../../../web/src/state/problem';
import { formatScientific } from '../../../web/src/ui/quantities';
import {
  canLearn,
  type LearnChoice,
  learnChoice,
  learnQuestion,
  learnSentence,
  safeRate,
  TASKS,
  type Task,
  taskLink,
  teacherOf,
  YOUR_X,
} from '../../../web/src/views/learn/choice';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { layerIn, load } from '../contract/support';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { alone } from '../support/alone';

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

const computed = (problem: Problem) => contentOf(problem, engine.compute(requestOf(problem), revision));

async function open(task: Task): Promise<Opened> {
  const { problem, look, complaints } = parseLink(taskLink(task));
  expect(complaints).toEqual([]);
  expect(look.mode).toBe('learn');
  revision += 1;
  const content = computed(problem);
  const { geometry } = content;
  expect(canLearn(content)).toBe(true);
  const asked = revision;
  return {
    geometry,
    reach: (t, change = {}) =>
      engine.ask(asked, learnQuestion(content, learnChoice(content, { ...look.settings.learn, ...change, t }))),
  };
}

test('there are four tasks for a layer and two for a network', () =>
  expect(TASKS.map(({ id }) => id)).toEqual(['blur', 'sobel', 'shift', 'stride', 'two', 'edges']));

const LAYER_TASKS = TASKS.filter(({ kernel }) => kernel);
const NETWORK_TASKS = TASKS.filter(({ kernel }) => !kernel);

test.each(TASKS.map((task) => [task.id, task] as const))(
  'the task %s reaches its goal within its number of steps, and not much sooner',
  async (_, task) => {
    const { reach } = await open(task);
    const { loss, steps } = task.goal;
    expect(reach(0).loss).toBeGreaterThan(100 * loss);
    expect(reach(steps).loss).toBeLessThan(loss);
    expect(reach(Math.floor(0.7 * steps)).loss).toBeGreaterThan(loss);
  },
);

describe.each(LAYER_TASKS.map((task) => [task.id, task] as const))('the task %s', (_, task) => {
  test('finds the kernel of the target', async () => {
    const { reach, geometry } = await open(task);
    const teacher = teacherOf(geometry, task.kernel ?? []);
    expect([...teacher]).toEqual(task.kernel?.flat());
    const { data } = reach(1000).tensors.w ?? { data: [] };
    expect([...data].map((value, i) => Math.abs(value - (teacher[i] ?? Number.NaN)) < 1e-3)).not.toContain(false);
  });

  test('has a learning rate below the limit, above which the loss diverges and the text reports it', async () => {
    const { reach, geometry } = await open(task);
    const { largest_rate, factor } = reach(0).step_size ?? expect.fail('no step size');
    expect(task.rate).toBeLessThan(largest_rate);
    expect(Math.abs(factor)).toBeLessThan(1);
    const fast = { rate: 1.2 * largest_rate };
    const away = reach(100, fast);
    expect(away.step_size?.factor).toBeLessThan(-1);
    expect(away.loss).toBeGreaterThan(1e6 * reach(0).loss);
    const choice = learnChoice(alone(geometry), { task: task.id, ...fast, t: 100 });
    expect(learnSentence(choice, away)).toContain('1.4× per step');
    const end = reach(10_000, fast);
    expect(end.steps).toBeLessThan(10_000);
    expect(learnSentence({ ...choice, steps: 10_000 }, end)).toContain('float32');
  });
});

/** A convolution without padding, of one channel. */
const convolved = (x: readonly number[][], kernel: readonly (readonly number[])[]): number[][] =>
  x
    .slice(kernel.length - 1)
    .map((_, i) =>
      (x[0] ?? [])
        .slice((kernel[0]?.length ?? 1) - 1)
        .map((_cell, j) =>
          kernel.reduce(
            (sum, row, p) => row.reduce((part, v, q) => part + v * (x[i + p]?.[j + q] ?? Number.NaN), sum),
            0,
          ),
        ),
    );
const SOBEL = [
  [-1, 0, 1],
  [-2, 0, 2],
  [-1, 0, 1],
];
/** Sobel and the blur of 1/4, 1/2, 1/4 in both directions, as one kernel. */
const BLURRED_SOBEL = [
  [-1, -2, 0, 2, 1],
  [-4, -8, 0, 8, 4],
  [-6, -12, 0, 12, 6],
  [-4, -8, 0, 8, 4],
  [-1, -2, 0, 2, 1],
].map((row) => row.map((value) => value / 16));

const pixelsOf = ({ x }: Problem): number[][] =>
  Array.from({ length: 12 }, (_, i) => [...x.data.slice(12 * i, 12 * i + 12)]);

test.each([
  ['two', (x: number[][]) => convolved(x, BLURRED_SOBEL).flat()],
  ['edges', (x: number[][]) => convolved(x, SOBEL).flat().map(Math.abs)],
] as const)('the target of %s is what its sentence says', (id, targetOf) => {
  const task = NETWORK_TASKS.find((candidate) => candidate.id === id);
  const { problem } = parseLink(task?.link ?? '');
  const target = problem.loss.kind === 'mse' ? [...(problem.loss.target ?? [])] : [];
  const wanted = targetOf(pixelsOf(problem));
  expect(target).toHaveLength(wanted.length);
  for (const [i, value] of wanted.entries()) expect(target[i]).toBeCloseTo(value, 5);
});

test('without its ReLU the network of edges learns no more than the best 3 × 3 kernel', () => {
  const task = NETWORK_TASKS.find(({ id }) => id === 'edges');
  const { problem } = parseLink(task?.link ?? '');
  const without = withoutLayer(problem, 1);
  if (!('problem' in without)) expect.fail('the layer stays');
  revision += 1;
  const content = computed(without.problem);
  const choice = learnChoice(content, { task: 'edges', t: 2000 });
  const learned = engine.ask(revision, learnQuestion(content, choice));
  // By the least squares of NumPy, with 4 digits of x.
  expect(learned.loss).toBeCloseTo(0.3418, 3);
  expect(learnSentence(choice, learned)).not.toContain('Converged');
});

test('learned weights become those of all layers, and the loss stays', () => {
  const task = NETWORK_TASKS.find(({ id }) => id === 'two');
  const { problem } = parseLink(task?.link ?? '');
  const lossAt = (now: Problem, t: number, scale: number) => {
    revision += 1;
    const content = computed(now);
    return engine.ask(revision, learnQuestion(content, learnChoice(content, { task: 'two', t, scale })));
  };
  const learned = lossAt(problem, 50, 0.1);
  const taken = withWeights(problem, learned.layers ?? []);
  if (!('problem' in taken)) expect.fail('refused');
  expect(lossAt(taken.problem, 0, 1).loss).toBe(learned.loss);
  // Those of another network change nothing.
  const other = withWeights(problem, [{ w: new Float32Array(4), b: null }]);
  expect('problem' in other && other.problem.layers).toEqual(problem.layers);
});

test('the lesson states the limit of its problem, and the factor above it', async () => {
  const steps = LESSONS.find(({ id }) => id === 'learning')?.steps;
  const step = steps?.find(({ solution }) => solution?.startsWith('learn.rate'));
  const { problem, look } = await parseLink(withLinkFields(step?.link ?? '', step?.solution ?? ''));
  revision += 1;
  const { geometry } = layerIn(engine.compute(requestOf(problem), revision));
  const { step_size: pace, loss } = engine.ask(
    revision,
    learnQuestion(alone(geometry), learnChoice(alone(geometry), look.settings.learn ?? {})),
  );
  expect(step?.words).toContain(`2 / λ = ${formatScientific(pace?.largest_rate ?? 0, 3)}.`);
  expect(step?.outcome).toContain(`λ = ${formatScientific(pace?.factor ?? 0, 3)}.`);
  expect(loss).toBeGreaterThan(1e6);
});

test('without a target in the loss it opens on the blurred x of the problem', () => {
  const of = alone(geometryOf(descOf({ kh: 3, kw: 3, h: 5, w: 5 })));
  const loss = { kind: 'mse', value: 1, target: Float32Array.of(1) } as const;
  expect(learnChoice(of, {}).task).toBe(YOUR_X);
  expect(learnChoice({ ...of, loss: { ...loss, target: null } }, {}).task).toBe(YOUR_X);
  expect(learnChoice({ ...of, loss }, {}).task).toBeNull();
  expect(learnChoice({ ...of, loss }, { task: 'your-x' }).task).toBe(YOUR_X);
  expect(learnChoice(of, { task: 'own' }).task).toBeNull();
  expect(TASKS.map(({ id }) => id)).not.toContain(YOUR_X.id);
});

test('the opening problem learns to blur its x in one run', async () => {
  const { problem } = await parseLink('');
  revision += 1;
  const { geometry } = layerIn(engine.compute(requestOf(problem), revision));
  const opening = learnChoice(alone(geometry), {});
  const ask = (change: Partial<typeof opening>) =>
    engine.ask(revision, learnQuestion(alone(geometry), { ...opening, ...change }));
  const { tensors, step_size: pace, history } = ask({});
  expect([...(tensors.w?.data ?? [1])].every((value) => value === 0)).toBe(true);
  const choice = { ...opening, rate: safeRate(pace?.largest_rate ?? 0), steps: opening.until };
  const learned = ask(choice);
  expect(learned.loss).toBeLessThan(0.001 * (history.losses[0] ?? 0));
  const { data } = learned.tensors.y ?? { data: [] };
  for (const [i, wanted] of (learned.target?.data ?? []).entries()) {
    expect(Math.abs((data[i] ?? 0) - wanted)).toBeLessThan(1);
  }
});

test('invalid values of a link are limited to the problem', () => {
  const g = geometryOf(descOf({ n: 3, kh: 2, kw: 5, h: 9, w: 9, c: 4, k: 4, groups: 2 }));
  const odd = { task: 'blurr', rate: -3, batch: 99, noise: Number.NaN, t: 1e9, until: 'x', plot: 'pie', learns: 'b' };
  expect(learnChoice(alone(g), odd)).toEqual({
    ...{
      task: YOUR_X,
      scale: 1,
      learns: 'w',
      rate: 0,
      batch: 3,
      noise: 0,
      steps: 10_000,
      until: 10_000,
    },
    ...{ plot: 'log', below: 'target' },
  });
  const [task] = TASKS;
  // 3 rows do not fit into 2: the first row of the kernel is outside. Filter 3 is the second of its group and reads its second channel.
  const teacher = teacherOf(g, task?.kernel ?? []);
  const at = (p: number, q: number, c: number, k: number) => teacher[((p * 5 + q) * 2 + c) * 4 + k];
  expect([at(0, 2, 0, 0), at(1, 2, 1, 3), at(0, 2, 0, 3)]).toEqual([0.25, 0.125, 0]);
});

test.each([
  'h=5&kh=3&x=ramp&weights=random:1&layer.2=relu&layer.3=conv;kh:2;weights:random:2&dy=ones',
  'h=2&kh=1&x=ones&weights=ones&layer.2=relu&layer.3=conv;kh:1;weights:ones&layer.4=relu&dy=mse:0',
])('a network without a target learns the y of other weights: %s', (link) => {
  revision += 1;
  const content = computed(parseLink(link).problem);
  const started = (state: ViewState) => {
    const choice = learnChoice(content, state);
    const layer = content.layers.length - 1;
    return { choice, ...engine.ask(revision, { ...learnQuestion(content, choice), watch: Int32Array.of(0), layer }) };
  };
  // A kernel is the weights of one layer.
  for (const state of [{}, { task: 'your-x' }]) {
    const { choice, target, loss } = started(state);
    expect(choice).toMatchObject({ task: { id: 'other' }, scale: 0.1 });
    expect(target?.stats.max_abs).toBeGreaterThan(0);
    expect(loss).toBeGreaterThan(0);
  }
  const own = started({ task: 'own' });
  expect(own.choice).toMatchObject({ task: null, scale: 1 });
  expect(own.target?.data.every((value) => value === 0)).toBe(true);
  const target = new Float32Array(content.layers.at(-1)?.tensors.y?.data.length ?? 0);
  expect(learnChoice({ ...content, loss: { value: 0, target } as never }, {}).task).toBeNull();
});

test('a network that learns nothing more says why', () => {
  const layer = (b: Float32Array | null) => ({ w: Float32Array.of(-1), b });
  const choice = { steps: 3, learns: 'w', task: null, rate: 0.3 } as unknown as LearnChoice;
  const sentence = (losses: readonly number[], norm: number, change: Partial<Learned> = {}) => {
    const history = {
      steps: Int32Array.from(losses.keys()),
      losses: Float64Array.from(losses),
      norms: Float64Array.from(losses, () => norm),
      watched: new Float32Array(),
    };
    const learned = { steps: 3, loss: losses.at(-1), step_size: null, layers: [layer(null)], closed: [], history };
    return learnSentence(choice, { ...learned, ...change } as unknown as Learned).replace(
      /^After 3 steps L = \S+\. /,
      '',
    );
  };
  // Dead: no success, although L is 0.
  expect(sentence([40, 6000, 0, 0], 0, { closed: [1] })).toBe(
    'All ReLUs of layer 2 are closed: y no longer depends on w. L went from 40 to 6000. Try a rate of 0.03 or less.',
  );
  expect(sentence([40, 5, 5, 5], 0, { closed: [1] })).toBe(
    'All ReLUs of layer 2 are closed: y no longer depends on w.',
  );
  expect(sentence([0, 0, 0, 0], 0)).toBe('y is equal to the target, so dw is 0.');
  expect(sentence([5, 5, 5, 5], 0)).toBe('dw is 0 in all layers: nothing can be learned.');
  expect(sentence([5, 4, 3, 2], 0, { layers: [layer(Float32Array.of(1))] })).toBe(
    'dw is 0 in all layers: only b can be learned.',
  );
  expect(sentence([5, 50, 500, 5000], 1)).toBe(
    'The first step overshot: L went from 5 to 50. Try a rate of 0.03 or less.',
  );
  expect(sentence([5, 4, 500, 50], 1)).toBe('A step overshot: L went from 5 to 500. Try a rate of 0.03 or less.');
  expect(sentence([50, 5, 3, 2], 1)).not.toContain('overshot');
});

test('a network learns x where it is given, from the x of the problem, and not for other weights', () => {
  revision += 1;
  const content = computed(
    parseLink('h=5&kh=3&x=ramp&weights=random:1&layer.2=relu&layer.3=conv;kh:2;weights:random:2&dy=mse:0').problem,
  );
  const choice = learnChoice(content, { task: 'own', learns: 'x', t: 3 });
  expect(choice).toMatchObject({ task: null, learns: 'x' });
  const learned = engine.ask(revision, learnQuestion(content, { ...choice, steps: 0 }));
  expect(learned.tensors.x?.data).toEqual(content.tensors.x?.data);
  // The norms are those of dw.
  expect(learnSentence(choice, { ...learned, steps: 3, closed: [] })).not.toContain('dw is 0');
  expect(learnSentence(choice, { ...learned, closed: [1] })).toMatch(/y no longer depends on x\.$/);
  expect(learnChoice(content, { task: 'other', learns: 'x' }).learns).toBe('w');
  const last = { ...content, fixed: { x: 'output of layer 2' } };
  expect(learnChoice(last, { task: 'own', learns: 'x' }).learns).toBe('w');
});
