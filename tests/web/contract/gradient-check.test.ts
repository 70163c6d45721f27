import { beforeAll, describe, expect, test } from 'vitest';
import { makeDesc, makeRequest } from './requests';
import { errorOf, type Loaded, load, numbers, VARIANTS } from './support';

describe.each(VARIANTS)('checking gradients, %s', (variant) => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load(variant);
  });

  test('near a made-up target a curved loss has its best step in the middle', () => {
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

  test('db can be checked without a bias, which stays away', () => {
    const check = {
      kind: 'gradient_check',
      parameter: 'b',
      loss: 'linear',
      target: null,
      precision: 'float64',
      epsilons: [0.5],
      indices: 'all',
    } as const;
    const { tensors } = loaded.engine.compute(makeRequest(), 1);
    const cells = loaded.engine.ask(1, check).runs[0]?.cells;
    expect(numbers(cells?.numeric)).toEqual(numbers(tensors.db?.data));
    expect(numbers(loaded.engine.compute(makeRequest(), 2).tensors.y?.data)).toEqual(numbers(tensors.y?.data));
    expect(errorOf(() => loaded.engine.compute(makeRequest(makeDesc(), { b: 'resident' }), 3)).code).toBe(
      'length_mismatch',
    );
  });

  test.each(['float32', 'float64'] as const)(
    'a wrong kernel is found out in %s, in the one cell that is wrong',
    (precision) => {
      const { module, engine } = loaded;
      const { run } = module;
      module.run = (session, pass, step) => {
        const status = run(session, pass, step);
        if (pass === module.Pass.backward_weights) module.view(session, module.Slot.dw)[2] = 1000;
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
