import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import type { LearnAsk, Learned, StepSize } from '../../../web/src/protocol/learn';
import type { ConvDesc } from '../../../web/src/protocol/problem';
import type { QuestionOf } from '../../../web/src/protocol/questions';
import { shapeSize, wShape, xShape } from '../../../web/src/protocol/shapes';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { requestOf } from '../../../web/src/state/exchange';
import { learnChoice, learnQuestion, TASKS, taskLink } from '../../../web/src/views/learn/choice';
import { THOROUGH } from '../../thorough';
import { alone } from '../support/alone';
import { makeDesc, makeRequest } from './requests';
import { errorOf, type Loaded, layerIn, load, VARIANTS } from './support';

/** Loops in double over every product of a convolution (NHWC, no groups). */
function eachProduct(
  { n, h, w, c, k, kh, kw, stride_h, stride_w, padding: { top, left } }: ConvDesc,
  [, oh = 0, ow = 0]: readonly number[],
  visit: (x: number, w: number, y: number) => void,
): void {
  for (let m = 0; m < n; m += 1)
    for (let i = 0; i < oh; i += 1)
      for (let j = 0; j < ow; j += 1)
        for (let p = 0; p < kh; p += 1)
          for (let q = 0; q < kw; q += 1) {
            const row = i * stride_h + p - top;
            const col = j * stride_w + q - left;
            if (row < 0 || row >= h || col < 0 || col >= w) continue;
            for (let d = 0; d < c; d += 1)
              for (let f = 0; f < k; f += 1)
                visit(
                  ((m * h + row) * w + col) * c + d,
                  ((p * kw + q) * c + d) * k + f,
                  ((m * oh + i) * ow + j) * k + f,
                );
          }
}

interface Numbers {
  x: number[];
  w: number[];
  b: number[];
}

/** The loss L and its gradients. */
function gradients(desc: ConvDesc, shape: readonly number[], { x, w, b }: Numbers, target: readonly number[]) {
  const y = target.map((_, i) => b[i % desc.k] ?? 0);
  eachProduct(desc, shape, (i, j, at) => {
    y[at] = (y[at] ?? 0) + (x[i] ?? 0) * (w[j] ?? 0);
  });
  const dy = y.map((value, i) => (value - (target[i] ?? 0)) / y.length);
  const [dx, dw, db] = [x.map(() => 0), w.map(() => 0), b.map(() => 0)];
  eachProduct(desc, shape, (i, j, at) => {
    dx[i] = (dx[i] ?? 0) + (w[j] ?? 0) * (dy[at] ?? 0);
    dw[j] = (dw[j] ?? 0) + (x[i] ?? 0) * (dy[at] ?? 0);
  });
  if (b.length > 0) for (const [i, value] of dy.entries()) db[i % desc.k] = (db[i % desc.k] ?? 0) + value;
  const loss = y.reduce((sum, value, i) => sum + (value - (target[i] ?? 0)) ** 2, 0) / (2 * y.length);
  return { y, dy, dx, dw, db, loss };
}

/** Of one layer. */
const paceOf = ({ step_size }: Learned): StepSize => step_size ?? expect.fail('no step size');

/** One step of gradient descent with the rate of these tests. */
const moved = (values: readonly number[], slopes: readonly number[]): number[] =>
  values.map((value, i) => value - 0.125 * (slopes[i] ?? 0));

/** Values between -1 and 1 that are exact in float32. */
const made = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, i) => (((i * 7919 + seed * 104729) % 201) - 100) / 128);

const DESC = makeDesc({ n: 3, h: 6, w: 5, c: 2, k: 3, stride_w: 2, padding: { top: 1, bottom: 0, left: 1, right: 1 } });
const Y_SHAPE = [3, 5, 3, 3];

const learn = (change: Partial<LearnAsk> = {}): QuestionOf<'learn'> => ({
  kind: 'learn',
  ...{ learns: 'w', teacher: null, fromZero: false, scale: 1, rate: 0.125, batch: 3, noise: 0 },
  ...{ watch: Int32Array.of(), steps: 4 },
  ...change,
});

const close = (got: ArrayLike<number> | undefined, wanted: readonly number[], within = 2e-6): void => {
  expect(got?.length).toBe(wanted.length);
  const far = wanted.flatMap((value, i) =>
    Math.abs((got?.[i] ?? Number.NaN) - value) <= within ? [] : [[i, got?.[i], value]],
  );
  expect(far).toEqual([]);
};

describe.each(VARIANTS)('learning, %s', (variant) => {
  let loaded: Loaded;
  beforeEach(async () => {
    loaded = await load(variant);
  });
  afterEach(() => loaded.engine.dispose());

  const start = (): Numbers => ({
    x: made(shapeSize(xShape(DESC)), 1),
    w: made(shapeSize(wShape(DESC)), 2),
    b: made(3, 3),
  });
  const target = made(135, 4);
  const pose = (): void => {
    const { x, w, b } = start();
    const inputs = { x: Float32Array.from(x), w: Float32Array.from(w), b: Float32Array.from(b) };
    loaded.engine.compute(
      makeRequest(DESC, { ...inputs, loss: { kind: 'mse', target: Float32Array.from(target) } }),
      1,
    );
  };
  const ask = (change: Partial<LearnAsk> = {}): Learned => loaded.engine.ask(1, learn(change));

  test('starts again from edited values, and frees the descent of the earlier ones', () => {
    const desc = makeDesc({ h: 100, w: 100, kh: 1, kw: 1 });
    const compute = (value: number, revision: number) =>
      loaded.engine.compute(
        makeRequest(desc, {
          ...{ x: new Float32Array(10_000).fill(value), w: Float32Array.of(0), b: null },
          loss: { kind: 'mse', target: new Float32Array(10_000).fill(1) },
        }),
        revision,
      );
    compute(1, 1);
    const before = loaded.module.heap_in_use();
    const weight = (revision: number) => loaded.engine.ask(revision, learn({ batch: 1, steps: 1 })).tensors.w?.data[0];
    // L = mean (w x - 1)² / 2, so dw = x (w x - 1) = -x at w = 0, and w = x / 8 after a step.
    expect(weight(1)).toBeCloseTo(0.125, 5);
    // Two sessions with x, y and dy of 40 kB each.
    expect(loaded.module.heap_in_use() - before).toBeGreaterThan(3 * 40_000);
    compute(2, 2);
    expect(loaded.module.heap_in_use() - before).toBeLessThan(4096);
    expect(weight(2)).toBeCloseTo(0.25, 5);
  });

  test('computes the same steps as loops in double', () => {
    pose();
    for (const learns of ['w', 'x'] as const) {
      const now = start();
      const losses: number[] = [];
      const learned = ask({ learns, watch: Int32Array.of(5, 0) });
      const watched: number[] = [];
      for (let step = 0; step <= 4; step += 1) {
        const made = gradients(DESC, Y_SHAPE, now, target);
        losses.push(made.loss);
        watched.push(now[learns][5] ?? 0, now[learns][0] ?? 0);
        if (step < 4) {
          const slopes =
            learns === 'x' ? [['x', made.dx] as const] : [['w', made.dw] as const, ['b', made.db] as const];
          for (const [name, by] of slopes) now[name] = moved(now[name], by);
          continue;
        }
        close(learned.tensors.y?.data, made.y);
        close(learned.tensors.dy?.data, made.dy);
        close(learned.tensors[learns]?.data, now[learns]);
        close(learned.tensors[`d${learns}`]?.data, learns === 'x' ? made.dx : made.dw);
        close(learned.tensors.db?.data ?? [], learns === 'x' ? [] : made.db);
        close(learned.tensors.b?.data ?? [], learns === 'x' ? [] : now.b);
      }
      expect(learned.steps).toBe(4);
      expect([...learned.history.steps]).toEqual([0, 1, 2, 3, 4]);
      close(learned.history.losses, losses);
      close(learned.history.watched, watched);
      close([learned.loss], losses.slice(-1));
      close(learned.target?.data, target);
    }
  });

  test('returns the largest eigenvalue of the matrix of second derivatives', () => {
    pose();
    for (const learns of ['w', 'x'] as const) {
      const { x, w, b } = start();
      const none = { x: x.map(() => 0), w: w.map(() => 0), b: b.map(() => 0) };
      const zeros = target.map(() => 0);
      // Column by column: the gradient at a unit vector under a target of 0.
      const count = learns === 'x' ? x.length : w.length + b.length;
      const matrix = Array.from({ length: count }, (_, i) => {
        const unit = (values: number[], at: number) => values.map((_value, j) => (j === at ? 1 : 0));
        const at = learns === 'x' ? { x: unit(x, i), w, b: none.b } : { x, w: unit(w, i), b: unit(b, i - w.length) };
        const { dx, dw, db } = gradients(DESC, Y_SHAPE, at, zeros);
        return learns === 'x' ? dx : [...dw, ...db];
      });
      const largest = largestEigenvalue(matrix);
      const pace = paceOf(ask({ learns, rate: 0.5, steps: 0 }));
      expect(Math.abs(pace.curvature - largest)).toBeLessThan(1e-4 * largest);
      expect(pace.curvature).toBeLessThan(largest * (1 + 1e-6));
      expect(Math.abs(pace.largest_rate - 2 / largest)).toBeLessThan(2e-4 / largest);
      expect(Math.abs(pace.factor - (1 - 0.5 * largest))).toBeLessThan(1e-4 * largest);
    }
  });

  test('converges below the largest rate, diverges above it, and stops before float32 overflows', () => {
    pose();
    const pace = paceOf(ask({ steps: 0 }));
    const slow = ask({ rate: 0.95 * pace.largest_rate, steps: 400 });
    const { losses } = slow.history;
    expect(losses.every((loss, i) => i === 0 || loss <= (losses[i - 1] ?? 0) * (1 + 1e-6))).toBe(true);
    const fast = ask({ rate: 1.05 * pace.largest_rate, steps: 400 });
    expect(fast.loss).toBeGreaterThan(1e6 * (fast.history.losses[0] ?? 0));
    expect(fast.step_size?.factor).toBeLessThan(-1);
    const away = ask({ rate: 4 * pace.largest_rate, steps: 400 });
    expect(away.steps).toBeLessThan(100);
    expect(Number.isFinite(away.loss)).toBe(true);
    for (const tensor of Object.values(away.tensors)) expect(tensor.stats.not_finite).toBe(0);
    expect(ask({ rate: 4 * pace.largest_rate, steps: 10_000 }).steps).toBe(away.steps);
  });

  test('computes a step with the same bits from any earlier step, and does not change the problem', () => {
    pose();
    const before = loaded.engine.ask(1, { kind: 'stage', stage: 'w_col', order: 'kh_kw_c', transposed: false });
    const straight = ask({ steps: 57, batch: 2 });
    ask({ steps: 90, batch: 2 });
    ask({ steps: 3, batch: 2 });
    expect(ask({ steps: 57, batch: 2 })).toEqual(straight);
    ask({ steps: 5, rate: 0.5 });
    expect(ask({ steps: 57, batch: 2 })).toEqual(straight);
    expect(loaded.engine.ask(1, { kind: 'stage', stage: 'w_col', order: 'kh_kw_c', transposed: false })).toEqual(
      before,
    );
  });

  test.each([1, 2])('takes the images of mini-batches of %s in order', (batch) => {
    pose();
    const now = start();
    for (let step = 0; step < 4; step += 1) {
      const images = Array.from({ length: batch }, (_, i) => (step * batch + i) % 3);
      const of = (values: readonly number[], size: number) =>
        images.flatMap((image) => values.slice(image * size, (image + 1) * size));
      const posed = { ...now, x: of(now.x, 60) };
      const { dw, db } = gradients({ ...DESC, n: batch }, [batch, 5, 3, 3], posed, of(target, 45));
      now.w = moved(now.w, dw);
      now.b = moved(now.b, db);
    }
    const learned = ask({ batch });
    close(learned.tensors.w?.data, now.w);
    close(learned.tensors.b?.data, now.b);
    close([learned.loss], [gradients(DESC, Y_SHAPE, now, target).loss]);
  });

  test('takes the target from the teacher without bias, or 0, and adds noise', () => {
    pose();
    const w = made(shapeSize(wShape(DESC)), 9);
    const taught = gradients(DESC, Y_SHAPE, { ...start(), w, b: [0, 0, 0] }, target).y;
    const teacher = { weights: Float32Array.from(w), scale: 1 };
    close(ask({ teacher }).target?.data, taught);
    // The x of the problem gives the target, without bias too.
    expect(ask({ learns: 'x', teacher, steps: 0 }).loss).toBe(0);
    const noisy = ask({ teacher, noise: 0.5 }).target?.data ?? [];
    const added = taught.map((value, i) => (noisy[i] ?? 0) - value);
    expect(Math.max(...added)).toBeCloseTo(0.5, 5);
    expect(Math.min(...added)).toBeCloseTo(-0.5, 5);
    expect(Math.abs(added.reduce((sum, value) => sum + value, 0) / added.length)).toBeLessThan(0.1);
    loaded.engine.compute(makeRequest(DESC, { loss: { kind: 'given', dy: { kind: 'ones' } } }), 2);
    expect(loaded.engine.ask(2, learn()).target?.data.every((value) => value === 0)).toBe(true);
  });

  test('rejects invalid settings', () => {
    pose();
    const wrong: readonly (readonly [Partial<LearnAsk>, string])[] = [
      [{ rate: Number.NaN }, 'rate'],
      [{ rate: -1 }, 'rate'],
      [{ batch: 0 }, 'batch'],
      [{ noise: -1 }, 'noise'],
      [{ steps: -1 }, 'steps'],
      [{ watch: Int32Array.of(54) }, 'watch'],
      [{ teacher: { weights: new Float32Array(3), scale: 1 } }, 'teacher.weights'],
      [{ scale: -1 }, 'scale'],
    ];
    for (const [change, field] of wrong) expect(errorOf(() => ask(change)).field).toBe(field);
  });

  test('uses no more memory for 10,000 steps than for a few', () => {
    pose();
    ask({ steps: 1200, batch: 2 });
    // A leak grows every time. Memory that threads allocate for themselves grows once, and a reused block of the heap
    // may be a few bytes larger than what was asked for: so only some rounds may grow.
    const grown: number[] = [];
    for (let steps = 2500; steps <= 10_000; steps += THOROUGH ? 625 : 2500) {
      const before = loaded.module.heap_in_use();
      const learned = ask({ steps, batch: 2 });
      expect(learned.steps).toBe(steps);
      expect(learned.history.steps.length).toBeLessThanOrEqual(514);
      // Another descent, and this one again.
      ask({ rate: 0.25 });
      ask({ steps, batch: 2 });
      grown.push(loaded.module.heap_in_use() - before);
    }
    expect(Math.min(...grown), grown.join()).toBeLessThanOrEqual(0);
  });
});

/** Largest eigenvalue of a symmetric matrix, by Jacobi rotations. */
function largestEigenvalue(matrix: readonly (readonly number[])[]): number {
  const a = matrix.map((row) => [...row]);
  const at = (i: number, j: number): number => a[i]?.[j] ?? 0;
  const size = a.length;
  for (let sweep = 0; sweep < 30; sweep += 1) {
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) {
        if (Math.abs(at(p, q)) < 1e-14) continue;
        const theta = 0.5 * Math.atan2(2 * at(p, q), at(q, q) - at(p, p));
        const [cos, sin] = [Math.cos(theta), Math.sin(theta)];
        for (const row of a) {
          const [u, v] = [row[p] ?? 0, row[q] ?? 0];
          row[p] = cos * u - sin * v;
          row[q] = sin * u + cos * v;
        }
        const [first, second] = [a[p] ?? [], a[q] ?? []];
        for (let t = 0; t < size; t += 1) {
          const [u, v] = [first[t] ?? 0, second[t] ?? 0];
          first[t] = cos * u - sin * v;
          second[t] = sin * u + cos * v;
        }
      }
    }
  }
  return Math.max(...a.map((row, i) => row[i] ?? 0));
}

test('each task learns x from its kernel, with its rate for x', async () => {
  const { engine } = await load('simd');
  await loadSamples();
  for (const task of TASKS) {
    if (!task.kernel) continue;
    const { problem } = parseLink(taskLink(task));
    const { geometry } = layerIn(engine.compute(requestOf(problem), 1));
    const choice = learnChoice(alone(geometry), { task: task.id, learns: 'x' });
    const learned = engine.ask(1, learnQuestion(alone(geometry), { ...choice, steps: 40 }));
    const { tensors, history } = learned;
    const pace = paceOf(learned);
    expect(choice.rate, task.id).toBeLessThan(pace.largest_rate);
    expect([...(tensors.w?.data ?? [])], task.id).toEqual(task.kernel.flat());
    expect(history.losses.at(-1), task.id).toBeLessThan(0.5 * (history.losses[0] ?? 0));
  }
});
