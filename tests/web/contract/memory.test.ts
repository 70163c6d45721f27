import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SessionHeap } from '../../../web/src/engine/session-heap';
import { answerQuestion } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { makeDesc, makeRequest, ramp } from './requests';
import { errorOf, type Loaded, layerIn, load, numbers, VARIANTS } from './support';

/** 1x1 over side x side: outputs as large as the input, next to no arithmetic. */
const square = (side: number) => makeDesc({ h: side, w: side, kh: 1, kw: 1 });

/**
 * Bytes by which each batch of work changes the heap in use. A leak grows in all of them; permanent memory of the
 * module (name tables, the list of algorithms, memory of threads) grows once.
 */
const growth = (module: Loaded['module'], rounds: number, work: () => void, times = 4) =>
  Array.from({ length: times }, () => {
    const before = module.heap_in_use();
    for (let i = 0; i < rounds; i += 1) work();
    return module.heap_in_use() - before;
  });

describe.each(VARIANTS)('memory, %s', (variant) => {
  let loaded: Loaded;
  beforeEach(async () => {
    loaded = await load(variant);
  });
  afterEach(() => loaded.engine.dispose());

  test('results stay right while the heap grows', () => {
    const first = layerIn(loaded.engine.compute(makeRequest(), 1));
    const before = numbers(first.tensors.y?.data);
    const heap = loaded.module.HEAPU8.length;
    const large = layerIn(loaded.engine.compute(makeRequest(square(1500), { w: Float32Array.of(2) }), 2));
    expect(loaded.module.HEAPU8.length).toBeGreaterThan(heap);
    expect(large.tensors.y?.data[2_249_999]).toBe(2 * 2_249_999);
    expect(large.tensors.dx?.data.every((value) => value === 2)).toBe(true);
    expect(numbers(first.tensors.y?.data)).toEqual(before);
    expect(numbers(layerIn(loaded.engine.compute(makeRequest(), 3)).tensors.y?.data)).toEqual(before);
  });

  test('results are copies with separate buffers', () => {
    const result = layerIn(loaded.engine.compute(makeRequest(), 1));
    const stage = loaded.engine.ask(1, { kind: 'stage', stage: 'x_col', order: 'kh_kw_c', transposed: false });
    const frame = loaded.engine.ask(1, { kind: 'partial', process: 'forward', steps: 2 });
    const tensors = [...Object.values(result.tensors), stage, frame.tensor];
    const buffers = tensors.map((tensor) => tensor?.data.buffer);
    expect(new Set(buffers).size).toBe(7);
    expect(buffers).not.toContain(loaded.module.HEAPU8.buffer);
    result.tensors.y?.data.fill(-1);
    const again = layerIn(loaded.engine.compute(makeRequest(makeDesc(), { x: 'resident' }), 2));
    expect(numbers(again.tensors.y?.data)).toEqual([303, 348, 483, 528]);
  });

  test('reports the requested bytes if memory is missing, and continues to work', () => {
    loaded.engine.compute(makeRequest(), 1);
    // Allocated but never written, so it takes no physical memory.
    const ballast = new SessionHeap(loaded.module);
    ballast.reserve('x', 2 ** 29 - 1);
    ballast.reserve('target', 2 ** 28);
    // x is empty, so no value has to be sent: its padding alone makes y large.
    const padding = { top: 22_000, bottom: 0, left: 22_000, right: 0 };
    const large = makeRequest(makeDesc({ h: 0, w: 0, kh: 1, kw: 1, padding }));
    const error = errorOf(() => loaded.engine.compute(large, 2));
    expect(error).toMatchObject({ code: 'out_of_memory', field: 'dy' });
    expect(error.message).toContain(String(22_000 * 22_000 * 4));
    const look = { kind: 'compare', pass: 'forward', algorithms: 'all' } as const;
    expect(errorOf(() => loaded.engine.ask(1, look)).code).toBe('stale');
    expect(numbers(layerIn(loaded.engine.compute(makeRequest(), 3)).tensors.y?.data)).toEqual([303, 348, 483, 528]);
    ballast.close();
  });

  test('uses resident tensors again', () => {
    loaded.engine.compute(makeRequest(makeDesc(), { b: Float32Array.of(1000) }), 1);
    const residents = { x: 'resident', w: 'resident', b: 'resident' } as const;
    const again = layerIn(loaded.engine.compute(makeRequest(makeDesc(), { x: 'resident', b: 'resident' }), 2));
    expect(numbers(again.tensors.y?.data)).toEqual([1303, 1348, 1483, 1528]);
    const other = makeDesc({ h: 2, w: 8, kh: 1, kw: 9, padding: { top: 0, bottom: 0, left: 4, right: 4 } });
    const reshaped = layerIn(loaded.engine.compute(makeRequest(other, residents), 3));
    expect(reshaped.geometry).toMatchObject({ oh: 2, ow: 8 });
    const larger = makeRequest(makeDesc({ h: 5 }), residents);
    expect(errorOf(() => loaded.engine.compute(larger, 4))).toMatchObject({ code: 'length_mismatch', field: 'x' });
  });

  test('reports the unused memory after a huge problem', () => {
    loaded.engine.compute(makeRequest(), 1);
    const before = loaded.engine.memory;
    loaded.engine.compute(makeRequest(square(3000)), 2);
    const huge = loaded.engine.memory;
    loaded.engine.compute(makeRequest(), 3);
    const after = loaded.engine.memory;
    const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
    const told = [before, huge, after].map(({ held, used }) => `${mib(held)} MiB, of which ${mib(used)} in use`);
    console.info(`${variant}, the module has before, with and after a huge problem: ${told.join('; ')}`);
    expect(before.held).toBeLessThan(2 ** 26);
    // Four tensors of 36 MB. They are freed, but the heap does not shrink: the page replaces the worker (compute/client.ts).
    expect(huge.used).toBeGreaterThan(4 * 36e6);
    expect(after.held).toBe(huge.held);
    expect(after.held - after.used).toBeGreaterThan(2 ** 27);
  });

  test('frees the copies of a gradient check with its answer', () => {
    const { engine } = loaded;
    const check = {
      ...({ kind: 'gradient_check', parameter: 'w', loss: 'linear', target: null, precision: 'float32' } as const),
      ...({ epsilons: [0.5], indices: 'all' } as const),
    };
    engine.compute(makeRequest(square(1000), { w: Float32Array.of(2) }), 1);
    const before = engine.memory;
    engine.ask(1, check);
    const checked = engine.memory;
    // x and dy.
    const copies = 2 * 4 * 1000 ** 2;
    expect(checked.used).toBe(before.used);
    expect(checked.held).toBeGreaterThanOrEqual(checked.used + copies);
    engine.compute(makeRequest(), 2);
    // The tensors of the problem are freed, too.
    expect(before.used - engine.memory.used).toBeGreaterThanOrEqual(copies);
    expect(engine.memory.held).toBe(checked.held);
  });

  test('a closed session frees its memory', () => {
    const work = () => {
      const engine = new ConvEngine(loaded.module, answerQuestion);
      engine.compute(makeRequest(makeDesc({ h: 64, w: 64 }), { b: Float32Array.of(1) }), 1);
      engine.ask(1, { kind: 'stage', stage: 'dx_col', order: 'kh_kw_c', transposed: false });
      engine.ask(1, { kind: 'compare', pass: 'forward', algorithms: 'all' });
      engine.ask(1, {
        kind: 'gradient_check',
        parameter: 'w',
        loss: 'mse',
        target: ramp(62 * 62),
        precision: 'float64',
        epsilons: [0.5],
        indices: 'all',
      });
      errorOf(() => engine.compute(makeRequest(makeDesc({ stride_h: 0 })), 2));
      expect(loaded.module.heap_in_use()).toBeGreaterThan(64 * 64 * 4);
      engine.dispose();
    };
    expect(growth(loaded.module, 10, work)).toContain(0);
  });

  test('one session can compute many problems without a leak', () => {
    let i = 0;
    const work = () => {
      i += 1;
      loaded.engine.compute(makeRequest(makeDesc({ h: 8 + (i % 5), w: 9 })), i);
    };
    // Blocks of the allocator differ by up to 200 bytes from round to round, in either direction. A leak grows in each:
    // of 16 bytes, its least block, by 800.
    expect(Math.min(...growth(loaded.module, 50, work, 12))).toBeLessThanOrEqual(0);
  });
});
