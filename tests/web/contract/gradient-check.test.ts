import { beforeAll, describe, expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import { PASSES } from '../../../web/src/protocol/problem';
import { requestOf } from '../../../web/src/state/exchange';
import { epsilonsOf } from '../../../web/src/views/gradient-check/choice';
import { alone } from '../support/alone';
import { makeDesc, makeRequest, ramp } from './requests';
import { errorOf, type Loaded, layerIn, load, numbers, VARIANTS } from './support';

describe.each(VARIANTS)('checking gradients, %s', (variant) => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load(variant);
  });

  test('a curved loss near its target has the best step in the middle of the range', () => {
    loaded.engine.compute(makeRequest(), 1);
    const { runs } = loaded.engine.ask(1, {
      kind: 'gradient_check',
      parameter: 'w',
      loss: 'log_cosh',
      target: 'near_y',
      precision: 'float64',
      epsilons: [1e-1, 1e-5, 1e-10],
      indices: Int32Array.of(3),
    });
    const [far, best, near] = runs.map(({ max_relative_error }) => max_relative_error);
    expect(best).toBeLessThan(1e-8);
    expect(far).toBeGreaterThan(1e-4);
    expect(near).toBeGreaterThan(Number(best));
  });

  test('checks no gradient of earlier values', () => {
    const { engine } = loaded;
    const errors = (revision: number) =>
      (['x', 'w', 'b'] as const).map((parameter) => {
        const check = {
          kind: 'gradient_check',
          parameter,
          loss: 'linear',
          target: null,
          precision: 'float64',
        } as const;
        return engine.ask(revision, { ...check, epsilons: [0.5], indices: 'all' }).runs[0]?.max_absolute_error;
      });
    const request = makeRequest();
    engine.compute(request, 1);
    // These questions run passes on other values.
    for (const pass of PASSES) engine.ask(1, { kind: 'compare', pass, algorithms: 'all' });
    engine.ask(1, { kind: 'rounding' });
    engine.ask(1, { kind: 'adjoint' });
    expect(errors(1)).toEqual([0, 0, 0]);
    // Only y is computed of the new values.
    const changed = {
      x: ramp(16, 2),
      w: Float32Array.of(9, 0, 0, 0, 0, 0, 0, 0, -5),
      loss: { kind: 'given', dy: { kind: 'random', seed: 3 } },
    } as const;
    engine.compute(makeRequest(makeDesc(), changed), 2);
    expect(errors(2)).toEqual([0, 0, 0]);
  });

  test('checks db without a bias, and adds none to the session', () => {
    const check = {
      kind: 'gradient_check',
      parameter: 'b',
      loss: 'linear',
      target: null,
      precision: 'float64',
      epsilons: [0.5],
      indices: 'all',
    } as const;
    const { tensors } = layerIn(loaded.engine.compute(makeRequest(), 1));
    const cells = loaded.engine.ask(1, check).runs[0]?.cells;
    expect(numbers(cells?.numeric)).toEqual(numbers(tensors.db?.data));
    expect(numbers(layerIn(loaded.engine.compute(makeRequest(), 2)).tensors.y?.data)).toEqual(numbers(tensors.y?.data));
    expect(errorOf(() => loaded.engine.compute(makeRequest(makeDesc(), { b: 'resident' }), 3)).code).toBe(
      'length_mismatch',
    );
  });

  test.each(['float32', 'float64'] as const)(
    'a wrong kernel is found out in %s, in the one cell that is wrong',
    (precision) => {
      const { module, engine } = loaded;
      const { run } = module;
      module.run = (session, layer, operation, step) => {
        const status = run(session, layer, operation, step);
        const isOfWeights = operation === module.Pass.backward_weights.value;
        if (isOfWeights) module.values(session, layer, module.Slot.dw)[2] = 1000;
        return status;
      };
      try {
        engine.compute(makeRequest(), 1);
      } finally {
        module.run = run;
      }
      const check = { kind: 'gradient_check', parameter: 'w', target: null, precision } as const;
      const [judged] = engine.ask(1, { ...check, loss: 'linear', epsilons: [0.5], indices: 'all' }).runs;
      expect(judged?.cells.analytic[2]).toBe(1000);
      const poor = numbers(judged?.cells.relative_error).map((error) => error > 0.1);
      expect(poor).toEqual([false, false, true, false, false, false, false, false, false]);
      expect(judged?.max_relative_error).toBe(judged?.cells.relative_error[2]);
    },
  );
});

/** Problems with a right gradient that was, or could be, "Not confirmed": entries of 0, groups, a batch, a stride. */
const LINKS = {
  opening: '',
  strided: 'v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=same',
  channels: 'v=2&h=7&w=7&c=3&k=4&kh=3&kw=3&padding=same&x=random:3&weights=random:5',
  grouped: 'v=2&n=2&h=8&w=8&c=4&k=4&groups=2&kh=3&kw=3&padding=same&x=random:3&weights=random:5',
};
const [CONFIRMED, WITHIN_ROUNDING, NOT_AT_THIS_STEP, WRONG] = [0, 1, 2, 3];

describe.each(Object.entries(LINKS))('the verdict on the problem %s', (_, link) => {
  const request = requestOf(parseLink(link).problem);
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load('simd');
  });
  const judged = (parameter: 'x' | 'w' | 'b', precision: 'float32' | 'float64', epsilon: number) => {
    const check = {
      kind: 'gradient_check',
      parameter,
      loss: 'linear',
      target: null,
      precision,
      indices: 'all',
    } as const;
    const [run] = loaded.engine.ask(1, { ...check, epsilons: [epsilon] }).runs;
    if (!run) throw new Error('nothing was checked');
    return run;
  };

  test.each(['x', 'w', 'b'] as const)(
    'confirms %s at the step that the view opens with, in both precisions',
    (parameter) => {
      loaded.engine.compute(request, 1);
      for (const precision of ['float32', 'float64'] as const) {
        const { verdict, max_relative_error, cells } = judged(parameter, precision, 0.1);
        expect([CONFIRMED, WITHIN_ROUNDING], `${precision}: ${numbers(cells.relative_error)}`).toContain(verdict);
        expect(max_relative_error).toBeLessThanOrEqual(precision === 'float32' ? 1e-3 : 1e-4);
      }
    },
  );

  test('never calls a right gradient wrong, and confirms each at some step', () => {
    const { geometry } = layerIn(loaded.engine.compute(request, 1));
    for (const parameter of ['x', 'w', 'b'] as const) {
      const verdicts = epsilonsOf(alone(geometry)).map((epsilon) => judged(parameter, 'float32', epsilon).verdict);
      expect(verdicts).not.toContain(WRONG);
      expect(verdicts[0]).toBe(NOT_AT_THIS_STEP);
      expect(Math.min(...verdicts)).toBeLessThanOrEqual(WITHIN_ROUNDING as number);
    }
  });

  test('reports an error of 1 % in the largest cell', () => {
    const { module, engine } = loaded;
    const slots = { w: 'dw', x: 'dx' } as const;
    for (const parameter of ['w', 'x'] as const) {
      const { tensors } = layerIn(engine.compute(request, 1));
      const sizes = numbers(tensors[slots[parameter]]?.data).map(Math.abs);
      const largest = sizes.indexOf(Math.max(...sizes));
      const { run } = module;
      const operations = { w: module.Pass.backward_weights.value, x: module.Pass.backward_data.value };
      module.run = (session, layer, operation, step) => {
        const status = run(session, layer, operation, step);
        if (operation === operations[parameter]) {
          const view = module.values(session, layer, module.Slot[slots[parameter]]);
          view[largest] = (view[largest] ?? 0) * 1.01;
        }
        return status;
      };
      try {
        engine.compute(request, 1);
      } finally {
        module.run = run;
      }
      for (const precision of ['float32', 'float64'] as const) {
        const { cells, verdict } = judged(parameter, precision, 0.1);
        expect(verdict).toBe(WRONG);
        expect(cells.verdict[largest]).toBe(WRONG);
        expect(numbers(cells.verdict).filter((one) => one === WRONG)).toHaveLength(1);
      }
    }
  });
});

/** Links with a right gradient. Their losses are straight over the default step. */
const SATURATED = [
  'v=2&h=28&w=28&kh=3&kw=3',
  'v=2&h=7&w=7&kh=3&kw=3&x=ramp:1000',
  'v=2&h=32&w=32&kh=5&kw=5&c=3&padding=same',
  'v=2&h=7&w=7&kh=3&kw=3&x=constant:300&weights=constant:100',
];

test.each(SATURATED)('a step over which the loss is straight is named, not the gradient, %s', async (link) => {
  const { engine } = await load('simd');
  engine.compute(requestOf(parseLink(link).problem), 1);
  for (const precision of ['float32', 'float64'] as const) {
    for (const loss of ['mse', 'log_cosh'] as const) {
      const check = { kind: 'gradient_check', parameter: 'w', loss, target: 'near_y', precision } as const;
      const { runs } = engine.ask(1, { ...check, epsilons: [0.1, 1e-7], indices: 'all' });
      for (const { verdict } of runs) expect(verdict, `${loss} ${precision}`).not.toBe(WRONG);
    }
  }
});
