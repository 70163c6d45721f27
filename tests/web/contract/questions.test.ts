import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Tensor } from '../../../web/src/protocol/problem';
import { makeRequest, ownLayer, ramp } from './requests';
import { errorOf, type Loaded, layerIn, load, numbers, VARIANTS } from './support';

describe.each(VARIANTS)('questions, %s', (variant) => {
  let loaded: Loaded;
  // 4x4 by 3x3: y is 2x2, every window starts in the upper left quarter.
  beforeAll(async () => {
    loaded = await load(variant);
    loaded.engine.compute(makeRequest(), 1);
  });

  /** Answers of several questions, which may be invalid. */
  interface Looks {
    readonly stages?: readonly object[];
    readonly partials?: readonly object[];
    readonly folds?: readonly object[];
  }
  const details = ({ stages = [], partials = [], folds = [] }: Looks) => {
    const ask = (kind: string, question: object) => loaded.engine.ask(1, { kind, ...question } as never) as unknown;
    type Partway = { readonly total: number; readonly tensor: Tensor };
    return {
      stages: stages.map((each) => ({ ...(each as { stage: string }), tensor: ask('stage', each) as Tensor })),
      partials: partials.map((each) => ({ ...(each as { process: string }), ...(ask('partial', each) as Partway) })),
      folds: folds.map((each) => ({ ...(each as { positions: unknown }), ...(ask('fold', each) as Partway) })),
    };
  };

  test('x_col has a row per window and a column per tap', () => {
    const stages = [{ stage: 'x_col', order: 'kh_kw_c', transposed: false }];
    const [x_col] = details({ stages }).stages;
    expect(x_col?.tensor.shape).toEqual([1, 4, 9, 1]);
    expect(numbers(x_col?.tensor.data.slice(9, 18))).toEqual([1, 2, 3, 5, 6, 7, 9, 10, 11]);
    expect(x_col?.tensor.stats).toEqual({ min: 0, max: 15, max_abs: 15, not_finite: 0 });
  });

  test('transposes a matrix', () => {
    const stages = [{ stage: 'x_col', order: 'kh_kw_c', transposed: true }];
    const [x_col] = details({ stages }).stages;
    expect(x_col?.tensor.shape).toEqual([1, 9, 4, 1]);
    expect(numbers(x_col?.tensor.data.slice(0, 4))).toEqual([0, 1, 4, 5]);
  });

  test('answers every stage', () => {
    const names = Object.keys(loaded.module.Stage).filter((name) => name.includes('_'));
    expect(names).toHaveLength(15);
    const stages = names.map((stage) => ({ stage, order: 'kh_kw_c', transposed: false }));
    for (const { stage, tensor } of details({ stages }).stages) {
      expect(tensor.data.length, stage).toBe(tensor.shape.reduce((a, b) => a * b));
      expect(tensor.stats.not_finite, stage).toBe(0);
    }
  });

  test('every process ends with the complete result', () => {
    const { tensors } = layerIn(loaded.engine.compute(makeRequest(), 1));
    const wholes = { forward: 'y', dw_accumulate: 'dw', dw_dilated_dy: 'dw', db_accumulate: 'db' } as const;
    const names = Object.keys(loaded.module.Process).filter((name) => name === 'forward' || name.includes('_'));
    expect(names).toHaveLength(9);
    const steps = new Map(
      details({ partials: names.map((process) => ({ process, steps: 0 })) }).partials.map((frame) => {
        expect(
          numbers(frame.tensor.data).every((value) => value === 0),
          frame.process,
        ).toBe(true);
        return [frame.process as string, frame.total];
      }),
    );
    for (const frame of details({ partials: names.map((process) => ({ process, steps: steps.get(process) })) })
      .partials) {
      const whole = numbers(tensors[wholes[frame.process as keyof typeof wholes] ?? 'dx']?.data);
      if (frame.process === 'dx_full_conv_unflipped') expect(numbers(frame.tensor.data)).not.toEqual(whole);
      else expect(numbers(frame.tensor.data), frame.process).toEqual(whole);
    }
  });

  test('w_flipped is w flipped by 180 degrees', () => {
    const stages = [{ stage: 'w_flipped', order: 'kh_kw_c', transposed: false }];
    expect(numbers(details({ stages }).stages[0]?.tensor.data)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('partial results are the state after t steps', () => {
    const y = numbers(layerIn(loaded.engine.compute(makeRequest(), 1)).tensors.y?.data);
    const steps = [0, 1, 3, 4].map((step) => ({ process: 'forward', steps: step }));
    const frames = details({ partials: steps }).partials;
    expect(frames.map(({ total }) => total)).toEqual([4, 4, 4, 4]);
    expect(frames.map(({ tensor }) => numbers(tensor.data))).toEqual([
      [0, 0, 0, 0],
      [y[0], 0, 0, 0],
      [y[0], y[1], y[2], 0],
      y,
    ]);
  });

  test('dx_scatter after one step is w', () => {
    const partials = [{ process: 'dx_scatter', steps: 1 }];
    const [frame] = details({ partials }).partials;
    expect(numbers(frame?.tensor.data)).toEqual([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 0, 0, 0, 0]);
  });

  test('only fold mode sum gives the gradient', () => {
    const dx = numbers(layerIn(loaded.engine.compute(makeRequest(), 1)).tensors.dx?.data);
    const [sum, average, overwrite] = details({
      folds: ['sum', 'average', 'overwrite'].map((mode) => ({ mode, positions: 'all' })),
    }).folds;
    const coverage = loaded.engine.ask(1, { kind: 'coverage' });
    expect(coverage?.shape).toEqual([1, 4, 4, 1]);
    expect(numbers(coverage?.data)).toEqual([1, 2, 2, 1, 2, 4, 4, 2, 2, 4, 4, 2, 1, 2, 2, 1]);
    expect(numbers(sum?.tensor.data)).toEqual(dx);
    expect(numbers(average?.tensor.data)).toEqual(dx.map((value, i) => value / (coverage?.data[i] ?? 0)));
    expect(numbers(overwrite?.tensor.data)).not.toEqual(dx);
  });

  test('folds a part of the rows', () => {
    const folds = [0, 1, 'all'].map((positions) => ({ mode: 'sum', positions }));
    const frames = details({ folds }).folds;
    expect(frames.map(({ positions, total }) => [positions, total])).toEqual([
      [0, 4],
      [1, 4],
      ['all', 4],
    ]);
    expect(numbers(frames[1]?.tensor.data)).toEqual([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 0, 0, 0, 0]);
    const positions = (value: unknown) => errorOf(() => details({ folds: [{ mode: 'sum', positions: value }] }));
    expect(positions(5)).toMatchObject({ code: 'invalid_argument', field: 'positions' });
    expect(positions(-1)).toMatchObject({ code: 'invalid_argument', field: 'positions' });
  });

  test('compares each algorithm with the reference', () => {
    loaded.engine.compute(makeRequest(), 1);
    const { rows } = loaded.engine.ask(1, { kind: 'compare', pass: 'backward_data', algorithms: 'all' });
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.at(-1)?.algorithm).toBe('reference');
    for (const row of rows) {
      // Winograd F(4x4, 3x3) divides by 6 and 24, so integers do not stay integers.
      const rounding = row.algorithm === 'winograd_4x4' ? 1e-4 : 0;
      expect(row.error, row.algorithm).toBeNull();
      expect(row.max_abs_difference, row.algorithm).toBeLessThanOrEqual(rounding);
    }
  });

  test('times each algorithm in batches, after a warm-up', () => {
    loaded.engine.compute(makeRequest(), 1);
    const ask = { kind: 'compare', pass: 'forward', algorithms: ['direct', 'reference'] } as const;
    let [now, runs] = [0, 0];
    // Each run takes 30 ms.
    const run = vi.spyOn(loaded.module, '_conv2d_run').mockImplementation(() => {
      runs += 1;
      now += 30;
      return 0;
    });
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 0.001;
      return now;
    });
    const phases: string[] = [];
    try {
      const { rows } = loaded.engine.ask(1, { ...ask, timed: true }, (phase) => phases.push(phase));
      const right = { milliseconds: expect.closeTo(30, 1), error: null, max_abs_difference: 0 };
      expect(rows).toEqual([
        { algorithm: 'direct', ...right },
        { algorithm: 'reference', ...right },
      ]);
      // Each: a warm-up, one batch, five rounds.
      expect(runs).toBeGreaterThanOrEqual(2 * (4 + 1 + 5));
      expect(new Set(phases)).toEqual(new Set(['reference', 'timing direct', 'timing reference']));
      // Without `timed`: one run, by the other function.
      runs = 0;
      loaded.engine.ask(1, ask);
      expect(runs).toBe(0);
    } finally {
      run.mockRestore();
      clock.mockRestore();
    }
  });

  test('takes the first run of a slow algorithm as its time', () => {
    loaded.engine.compute(makeRequest(), 1);
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 400;
      return now;
    });
    const run = vi.spyOn(loaded.module, '_conv2d_run');
    try {
      const ask = { kind: 'compare', pass: 'forward', algorithms: ['direct'], timed: true } as const;
      expect(loaded.engine.ask(1, ask).rows).toMatchObject([{ milliseconds: 400 }]);
      expect(run).not.toHaveBeenCalled();
    } finally {
      run.mockRestore();
      clock.mockRestore();
    }
  });

  test('reports why an algorithm did not run, and restores the outputs', () => {
    const { tensors } = layerIn(loaded.engine.compute(makeRequest(), 1));
    const ask = { kind: 'compare', pass: 'forward', algorithms: ['magic'] } as const;
    const [row] = loaded.engine.ask(1, ask).rows;
    expect(row).toMatchObject({ max_abs_difference: null, error: { code: 'unknown_algorithm' } });
    const index = Int32Array.of(0, 1, 2, 3);
    const ones = { kind: 'products', a: 'y', b: 'dy', index_a: index, index_b: index, run: 4 } as const;
    expect(numbers(loaded.engine.ask(1, ones).products)).toEqual(numbers(tensors.y?.data));
  });

  test('returns subtotals in the order of the terms; the last group may be shorter', () => {
    loaded.engine.compute(makeRequest(), 1);
    // x is 0, 1, 2, ... and w 1, 2, 3, ...; -1 is in the padding.
    const index_a = Int32Array.of(0, 5, -1, 15, 3, 2, 7);
    const index_b = Int32Array.of(0, 1, 2, 3, 8, 8, 0);
    const { w } = ownLayer(makeRequest());
    const factor = (b: number) => (w instanceof Float32Array ? (w[b] ?? Number.NaN) : Number.NaN);
    const expected = Array.from(index_a, (a, t) => (a < 0 ? 0 : a * factor(index_b[t] ?? 0)));
    const total = (from: number, to: number) => expected.slice(from, to).reduce((sum, value) => sum + value, 0);
    const ask = { kind: 'products', a: 'x', b: 'w', index_a, index_b } as const;
    const answer = loaded.engine.ask(1, { ...ask, run: 3 });
    expect(numbers(answer.products)).toEqual(expected);
    expect(numbers(answer.subtotals)).toEqual([total(0, 3), total(3, 6), total(6, 7)]);
    expect(answer.sum).toBe(total(0, 7));
    expect(numbers(loaded.engine.ask(1, { ...ask, run: 7 }).subtotals)).toEqual([total(0, 7)]);
    expect(numbers(loaded.engine.ask(1, { ...ask, run: 1 }).subtotals)).toEqual(expected);
    const refused = (change: object) => errorOf(() => loaded.engine.ask(1, { ...ask, run: 3, ...change } as never));
    expect(refused({ run: 0 })).toMatchObject({ code: 'invalid_argument', field: 'run' });
    expect(refused({ index_b: new Int32Array(0) }).field).toBe('index_b');
    expect(refused({ b: null }).field).toBe('index_b');
  });

  test('sums cells without a second factor', () => {
    loaded.engine.compute(makeRequest(), 1);
    const ask = { kind: 'products', a: 'x', b: null, index_b: new Int32Array(0), run: 2 } as const;
    const answer = loaded.engine.ask(1, { ...ask, index_a: Int32Array.of(4, 9, 15) });
    expect(numbers(answer.products)).toEqual([4, 9, 15]);
    expect(numbers(answer.subtotals)).toEqual([13, 15]);
    expect(answer.sum).toBe(28);
  });

  test.each(['mse', 'log_cosh', 'absolute_error'] as const)('explains a cell of dy for loss %s', (loss) => {
    const target = Float32Array.of(230, 300.5, -2, 398.25);
    const { tensors } = layerIn(loaded.engine.compute(makeRequest(undefined, { loss: { kind: loss, target } }), 1));
    for (let index = 0; index < 4; index += 1) {
      const cell = loaded.engine.ask(1, { kind: 'loss_cell', index });
      const y = tensors.y?.data[index] ?? Number.NaN;
      const error = y - (target[index] ?? Number.NaN);
      const slope = loss === 'mse' ? error : loss === 'log_cosh' ? Math.tanh(error) : Math.sign(error);
      expect(cell).toMatchObject({ y, target: target[index], difference: error });
      expect(cell.slope).toBeCloseTo(slope, 5);
      expect(cell.gradient).toBeCloseTo(slope / 4, 5);
      expect(cell.gradient).toBe(tensors.dy?.data[index]);
    }
    for (const index of [-1, 4]) {
      const error = errorOf(() => loaded.engine.ask(1, { kind: 'loss_cell', index }));
      expect(error).toMatchObject({ code: 'invalid_argument', field: 'index' });
    }
  });

  test('restores the target after a gradient check with another target', () => {
    const target = Float32Array.of(1, 2, 3, 4);
    loaded.engine.compute(makeRequest(undefined, { loss: { kind: 'mse', target } }), 1);
    const check = { kind: 'gradient_check', parameter: 'w', loss: 'mse', target: 'near_y' } as const;
    loaded.engine.ask(1, { ...check, precision: 'float32', epsilons: [0.5], indices: 'all' });
    expect(loaded.engine.ask(1, { kind: 'loss_cell', index: 2 }).target).toBe(3);
  });

  test('has no loss cell if dy is given', () => {
    const { engine } = loaded;
    engine.compute(makeRequest(), 1);
    expect(errorOf(() => engine.ask(1, { kind: 'loss_cell', index: 0 })).code).toBe('invalid_argument');
  });

  test.each(['float32', 'float64'] as const)('the gradient check confirms dw in %s', (precision) => {
    const { tensors } = layerIn(loaded.engine.compute(makeRequest(), 1));
    const { runs } = loaded.engine.ask(1, {
      kind: 'gradient_check',
      parameter: 'w',
      loss: 'linear',
      target: null,
      precision,
      epsilons: [0.5, 0.25],
      indices: 'all',
    });
    expect(runs.map(({ epsilon }) => epsilon)).toEqual([0.5, 0.25]);
    for (const { cells, max_absolute_error, max_relative_error } of runs) {
      expect(numbers(cells.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      // The loss is linear and the numbers are small: the quotient is exact.
      expect(numbers(cells.numeric)).toEqual(numbers(tensors.dw?.data));
      expect(numbers(cells.analytic)).toEqual(numbers(tensors.dw?.data));
      expect([max_absolute_error, max_relative_error]).toEqual([0, 0]);
    }
  });

  test('checks chosen cells of a curved loss', () => {
    loaded.engine.compute(makeRequest(), 1);
    const { runs } = loaded.engine.ask(1, {
      kind: 'gradient_check',
      parameter: 'x',
      loss: 'log_cosh',
      target: ramp(4, 300, 50),
      precision: 'float64',
      epsilons: [1e-3],
      indices: Int32Array.of(5, 0),
    });
    const cells = runs[0]?.cells;
    expect(numbers(cells?.index)).toEqual([5, 0]);
    for (const i of [0, 1]) {
      const quotient = ((cells?.loss_plus[i] ?? 0) - (cells?.loss_minus[i] ?? 0)) / 2e-3;
      expect(cells?.numeric[i]).toBeCloseTo(quotient, 9);
      expect(cells?.relative_error[i]).toBeLessThan(1e-6);
    }
  });

  test('rejects invalid questions and names the field', () => {
    const check = {
      kind: 'gradient_check',
      parameter: 'x',
      loss: 'linear',
      target: null,
      precision: 'float64',
      epsilons: [1e-3],
      indices: 'all',
    } as const;
    const ask = (change: object) => errorOf(() => loaded.engine.ask(1, { ...check, ...change }));
    expect(ask({ epsilons: [0] })).toMatchObject({ code: 'invalid_argument', field: 'epsilon' });
    expect(ask({ indices: Int32Array.of(16) })).toMatchObject({ code: 'invalid_argument', field: 'indices' });
    expect(ask({ indices: new Int32Array() })).toMatchObject({ code: 'invalid_argument', field: 'indices' });
    expect(ask({ loss: 'mse' })).toMatchObject({ code: 'length_mismatch', field: 'target' });
    const pairs = {
      kind: 'products',
      a: 'x',
      b: 'w',
      index_a: Int32Array.of(16),
      index_b: Int32Array.of(0),
      run: 1,
    };
    const products = (change: object) => errorOf(() => loaded.engine.ask(1, { ...pairs, ...change } as never));
    expect(products({})).toMatchObject({ code: 'invalid_argument', field: 'index_a' });
    expect(products({ index_a: Int32Array.of(0, 1) })).toMatchObject({ code: 'length_mismatch' });
  });

  test('a question about another revision is stale', () => {
    expect(errorOf(() => loaded.engine.ask(2, { kind: 'coverage' }))).toMatchObject({
      code: 'stale',
      field: 'revision',
    });
  });

  test('converts pixels to values in 0..1, as RGB or as BT.601 gray', () => {
    const rgba = Uint8ClampedArray.of(255, 0, 0, 255, 0, 0, 255, 255);
    expect(numbers(loaded.engine.imageTensor(rgba, 2, 1, 3).data)).toEqual([1, 0, 0, 0, 0, 1]);
    const gray = loaded.engine.imageTensor(rgba, 2, 1, 1);
    expect(gray.shape).toEqual([1, 1, 2, 1]);
    expect(gray.data[0]).toBeCloseTo(0.299, 6);
    expect(gray.data[1]).toBeCloseTo(0.114, 6);
  });
});
