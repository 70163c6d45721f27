import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadThreadsModule } from '../../../web/src/engine/load-threads';
import { SessionHeap } from '../../../web/src/engine/session-heap';
import { ConvFailure } from '../../../web/src/engine/validate';
import type { ComputeRequest, ComputeResult } from '../../../web/src/protocol/messages';
import type { ConvDesc } from '../../../web/src/protocol/problem';
import { bShape, shapeSize, wShape, xShape } from '../../../web/src/protocol/shapes';
import { answerQuestion } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';
import { moveTo } from '../../../web/src/worker/threads';
import { changed, makeDesc, makeRequest } from './requests';
import { errorOf, type Loaded, layerIn, load, numbers } from './support';

interface NamedShape {
  readonly name: string;
  readonly desc: Partial<ConvDesc>;
}

const file = new URL('../../problems/named_shapes.json', import.meta.url);
const shapes = JSON.parse(readFileSync(file, 'utf8')) as NamedShape[];

function descNamed(name: string): ConvDesc {
  const shape = shapes.find((one) => one.name === name);
  if (!shape) throw new Error(`no shape ${name}`);
  return makeDesc(shape.desc);
}

/** Values with inexact sums, so that another order of summation changes the result. */
const noise = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.sin(seed + i * 1.618));

const requestFor = (desc: ConvDesc): ComputeRequest =>
  makeRequest(desc, {
    x: noise(shapeSize(xShape(desc)), 1),
    w: noise(shapeSize(wShape(desc)), 2),
    b: noise(shapeSize(bShape(desc)), 3),
    loss: { kind: 'given', dy: { kind: 'random', seed: 4 } },
  });

const bits = (values: Float32Array | undefined): Uint32Array => new Uint32Array((values ?? new Float32Array()).buffer);

function expectSameBits(got: ComputeResult, expected: ComputeResult): void {
  for (const name of ['y', 'dx', 'dw', 'db'] as const) {
    const [a, b] = [got, expected].map((result) => bits(layerIn(result).tensors[name]?.data)) as [
      Uint32Array,
      Uint32Array,
    ];
    expect(a.length, name).toBeGreaterThan(0);
    expect(a.length, name).toBe(b.length);
    expect(
      a.findIndex((value, i) => value !== b[i]),
      `${name}: the first element with other bits`,
    ).toBe(-1);
  }
}

describe('the module with threads', () => {
  let threads: Loaded;
  let relaxed: Loaded;
  beforeAll(async () => {
    [threads, relaxed] = await Promise.all([load('threads'), load('relaxed')]);
  });
  afterAll(() => {
    threads.engine.dispose();
    relaxed.engine.dispose();
  });

  test.each(['R1', 'R2', 'R4', 'R6', 'R7', 'R8', 'S2'])(
    '%s: the same bits as the relaxed module, on two threads',
    (name) => {
      const request = requestFor(descNamed(name));
      const got = threads.engine.compute(request, 1);
      const expected = relaxed.engine.compute(request, 1);
      expectSameBits(got, expected);
      for (const pass of ['forward', 'backward_data', 'backward_weights'] as const) {
        const [ran, alone] = [got, expected].map((result) => layerIn(result).runs[pass]);
        expect(ran?.algorithm).toBe(alone?.algorithm);
        expect([ran?.threads, alone?.threads], pass).toEqual([2, 1]);
      }
    },
  );

  test('four threads use the same algorithms and give the same bits', async () => {
    const four = new ConvEngine((await loadThreadsModule(4)).module, answerQuestion);
    const padding = { top: 1, bottom: 1, left: 1, right: 1 };
    for (const size of [14, 28, 56]) {
      for (const channels of [16, 32, 64]) {
        const request = requestFor(makeDesc({ h: size, w: size, c: channels, k: channels, padding }));
        const got = four.compute(request, 1);
        const expected = relaxed.engine.compute(request, 1);
        for (const pass of ['forward', 'backward_data', 'backward_weights'] as const) {
          const label = `${pass}, size ${size}, ${channels} channels`;
          expect(layerIn(got).runs[pass]?.algorithm, label).toBe(layerIn(expected).runs[pass]?.algorithm);
        }
        expectSameBits(got, expected);
      }
    }
    four.dispose();
  });

  test('the comparison detects a difference in the last bit', () => {
    const result = relaxed.engine.compute(requestFor(makeDesc()), 1);
    const other = structuredClone(result);
    expectSameBits(other, result);
    const [last] = [bits(layerIn(other).tensors.dx?.data)];
    last[7] = (last[7] ?? 0) ^ 1;
    expect(() => expectSameBits(other, result)).toThrow('dx');
  });

  test('uses one thread for small problems', () => {
    expect(layerIn(threads.engine.compute(makeRequest(), 1)).runs.forward?.threads).toBe(1);
  });

  test('returns no result in shared memory', () => {
    expect(threads.module.HEAPU8.buffer).toBeInstanceOf(SharedArrayBuffer);
    const result = layerIn(threads.engine.compute(makeRequest(), 1));
    for (const tensor of Object.values(result.tensors)) expect(tensor.data.buffer).toBeInstanceOf(ArrayBuffer);
  });
});

describe('an engine that gets threads later', () => {
  let engine: ConvEngine;
  let threads: Loaded;
  beforeEach(async () => {
    const relaxed = await load('relaxed');
    threads = await load('threads');
    engine = relaxed.engine;
  });
  afterEach(() => {
    engine.dispose();
    threads.engine.dispose();
  });

  const resident = { x: 'resident', w: 'resident', b: 'resident' } as const;

  test('keeps its resident tensors', () => {
    const desc = descNamed('R8');
    const first = engine.compute(requestFor(desc), 1);
    engine.adopt(moveTo(threads.module));
    const second = engine.compute(changed(requestFor(desc), resident), 2);
    expect(layerIn(second).runs.forward?.threads).toBe(2);
    expectSameBits(second, first);
  });

  test('answers about the current problem until the next one', () => {
    engine.compute(makeRequest(), 1);
    engine.adopt(moveTo(threads.module));
    const look = { kind: 'compare', pass: 'forward', algorithms: ['direct'] } as const;
    expect(engine.ask(1, look).rows[0]?.error).toBe(null);
  });

  test('gives the threads up when their memory is missing, and does not try again', () => {
    const take = vi.spyOn(SessionHeap.prototype, 'take').mockImplementationOnce(() => {
      throw new ConvFailure('out_of_memory', 'x', 'not enough memory');
    });
    const desc = descNamed('R8');
    engine.compute(requestFor(desc), 1);
    engine.adopt(moveTo(threads.module));
    for (const revision of [2, 3]) {
      const next = layerIn(engine.compute(changed(requestFor(desc), resident), revision));
      expect(next.runs.forward?.threads).toBe(1);
    }
    expect(take).toHaveBeenCalledTimes(1);
    take.mockRestore();
  });

  test('keeps its state if the next problem is rejected', () => {
    engine.compute(makeRequest(), 1);
    engine.adopt(moveTo(threads.module));
    expect(errorOf(() => engine.compute(makeRequest(makeDesc({ stride_h: 0 })), 2)).code).toBe('invalid_stride');
    const look = { kind: 'compare', pass: 'forward', algorithms: ['direct'] } as const;
    expect(engine.ask(1, look).rows[0]?.error).toBe(null);
    const third = layerIn(engine.compute(makeRequest(makeDesc(), { x: 'resident', w: 'resident' }), 3));
    expect(numbers(third.tensors.y?.data)).toEqual([303, 348, 483, 528]);
  });
});

describe('threads are loaded', () => {
  const adopt = vi.fn();
  const engine = { adopt } as unknown as ConvEngine;
  const processors = (hardwareConcurrency: number) => vi.stubGlobal('navigator', { hardwareConcurrency });
  /** A fresh import, as in a new worker. */
  const offering = async () => {
    vi.resetModules();
    return (await import('../../../web/src/worker/threads')).offerThreads;
  };
  let large: ComputeResult;
  let small: ComputeResult;
  beforeAll(async () => {
    const relaxed = await load('relaxed');
    large = relaxed.engine.compute(requestFor(descNamed('R8')), 1);
    small = relaxed.engine.compute(makeRequest(), 2);
    relaxed.engine.dispose();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    adopt.mockReset();
  });

  test('once, after the first large problem', async () => {
    processors(2);
    const offerThreads = await offering();
    await offerThreads(engine, small);
    expect(adopt).not.toHaveBeenCalled();
    await offerThreads(engine, large);
    await offerThreads(engine, large);
    expect(adopt).toHaveBeenCalledTimes(1);
  });

  test('not with one processor', async () => {
    processors(1);
    const offerThreads = await offering();
    await offerThreads(engine, large);
    expect(adopt).not.toHaveBeenCalled();
  });
});
