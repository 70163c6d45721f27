import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Request, WorkerMessage } from '../../../web/src/protocol/messages';
import { among, makeDesc, makeRequest, RELU, ramp } from './requests';

interface Posted {
  readonly message: WorkerMessage;
  readonly transfer: readonly Transferable[];
}

/** Runs worker.ts in this thread, with a stand-in for the worker's global scope. */
async function startWorker() {
  const posted: Posted[] = [];
  const scope = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: (message: WorkerMessage, { transfer }: { transfer: Transferable[] }) =>
      posted.push({ message: structuredClone(message, { transfer }), transfer }),
  };
  vi.stubGlobal('self', scope);
  vi.resetModules();
  await import('../../../web/src/worker/worker');
  const ask = async (id: number, request: Request): Promise<Posted> => {
    scope.onmessage?.({ data: { id, request } });
    const isAnswer = ({ message }: Posted) => 'id' in message && message.id === id && message.type !== 'progress';
    return vi.waitFor(() => {
      const answer = posted.find(isAnswer);
      if (answer === undefined) throw new Error(`no answer to ${id} yet`);
      return answer;
    });
  };
  return { posted, ask };
}

describe('the worker', () => {
  let worker: Awaited<ReturnType<typeof startWorker>>;
  beforeEach(async () => {
    worker = await startWorker();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('reports its variant, and answers requests that came before it was ready', async () => {
    const { message } = await worker.ask(1, makeRequest());
    expect(worker.posted[0]?.message).toEqual({ type: 'ready', variant: 'relaxed' });
    expect(message).toMatchObject({ type: 'result', id: 1, result: { type: 'compute', revision: 1 } });
  });

  test('transfers every tensor of a result', async () => {
    const { transfer } = await worker.ask(1, makeRequest());
    expect(transfer).toHaveLength(5);
    expect(new Set(transfer).size).toBe(5);
  });

  test('reports errors as values and continues', async () => {
    const refused = await worker.ask(1, makeRequest(makeDesc({ stride_h: 0 })));
    expect(refused.message).toMatchObject({
      type: 'error',
      id: 1,
      error: { code: 'invalid_stride', field: 'stride_h' },
    });
    // Red, with 1 for 255.
    const pixels = { data: Uint8ClampedArray.of(255, 0, 0, 255), width: 1, height: 1 };
    const image = await worker.ask(2, { type: 'image', pixels, channels: 3 });
    expect(image.message).toMatchObject({
      ...{ type: 'result', id: 2 },
      result: { tensor: { shape: [1, 1, 1, 3], data: Float32Array.of(1, 0, 0) } },
    });
    expect((await worker.ask(3, makeRequest())).message).toMatchObject({ type: 'result', id: 3 });
  });

  test('computes a network, and answers questions about each layer', async () => {
    const { message } = await worker.ask(1, among(makeRequest(makeDesc(), { x: ramp(16, -8) }), { before: [RELU] }));
    // x = -8 … 7: the first half is 0 after ReLU.
    const open = Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7);
    expect(message).toMatchObject({
      ...{ type: 'result', id: 1 },
      result: { layers: [{ tensors: { y: { data: open } } }, { tensors: { y: {} } }] },
    });
    const question = { kind: 'stage', layer: 1, stage: 'x_padded', order: 'kh_kw_c', transposed: false } as const;
    const { message: answer } = await worker.ask(2, { type: 'question', revision: 1, question });
    expect(answer).toMatchObject({ type: 'result', result: { answer: { data: open } } });
  });

  test('reports the progress of a long request', async () => {
    // Each clock reading is a minute later, so that no message is suppressed by the interval.
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
    await worker.ask(1, makeRequest(makeDesc({ h: 64, w: 64 }), { algorithms: { forward: 'reference' } }));
    clock.mockRestore();
    const fractions = worker.posted.flatMap(({ message }) => (message.type === 'progress' ? [message.fraction] : []));
    expect(fractions.length).toBeGreaterThan(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true);
  });
});

describe('the module that checks gradients', () => {
  const MODULE = '../../../web/src/wasm/generated/mistakes.mjs';
  let loads = 0;
  let isOffline = false;
  beforeEach(() => {
    [loads, isOffline] = [0, false];
    vi.doMock(MODULE, async (original) => {
      const { default: create } = await original<{ default: () => Promise<unknown> }>();
      const load = () => {
        loads += 1;
        return isOffline ? Promise.reject(new TypeError('Failed to fetch')) : create();
      };
      return { default: load };
    });
  });
  afterEach(() => {
    vi.doUnmock(MODULE);
    vi.resetModules();
    vi.unstubAllGlobals();
  });
  const check = {
    ...({ kind: 'gradient_check', parameter: 'w', loss: 'linear', target: null, precision: 'float64' } as const),
    ...({ epsilons: [0.5], indices: 'all' } as const),
  };
  // y is 2 x 2, and dy is 1 everywhere: dw[0,0] is the sum of the four cells in the upper left corner of 0 … 15.
  const right = { result: { answer: { runs: [{ verdict: 0, cells: { numeric: { 0: 0 + 1 + 4 + 5 } } }] } } };

  test('is loaded with the first check; a failure is reported, and the next check loads it again', async () => {
    const { ask } = await startWorker();
    const request = makeRequest(makeDesc(), { loss: { kind: 'given', dy: { kind: 'ones' } } });
    expect((await ask(1, request)).message).toMatchObject({ type: 'result' });
    expect(loads).toBe(0);
    isOffline = true;
    const question = { type: 'question', revision: 1, question: check } as const;
    const failed = await ask(2, question);
    expect(failed.message).toMatchObject({
      type: 'error',
      error: { code: 'module_unavailable', message: expect.stringContaining('try again') },
    });
    isOffline = false;
    expect((await ask(3, question)).message).toMatchObject({ type: 'result', ...right });
    expect((await ask(4, question)).message).toMatchObject({ type: 'result', ...right });
    expect(loads).toBe(2);
  });

  test('checks the gradients of a network, too', async () => {
    const { ask } = await startWorker();
    await ask(1, among(makeRequest(makeDesc(), { loss: { kind: 'given', dy: { kind: 'ones' } } }), { after: [RELU] }));
    const { message } = await ask(2, { type: 'question', revision: 1, question: check });
    // All y are positive: ReLU changes nothing.
    expect(message).toMatchObject({ type: 'result', ...right });
    expect(loads).toBe(1);
  });
});

describe('an engine without SIMD', () => {
  afterEach(() => {
    vi.doUnmock('wasm-feature-detect');
    // Test files share their modules, and those loaded meanwhile keep the mock.
    vi.resetModules();
    vi.unstubAllGlobals();
  });

  test('reports the missing feature', async () => {
    const no = () => Promise.resolve(false);
    vi.doMock('wasm-feature-detect', () => ({ simd: no, relaxedSimd: no }));
    const { posted, ask } = await startWorker();
    const { message } = await ask(1, makeRequest());
    const error = { code: 'module_unavailable', message: expect.stringContaining('SIMD') };
    expect(message).toMatchObject({ type: 'error', error });
    expect(posted[0]?.message).toMatchObject({ type: 'failed_to_start', error });
  });

  test('falls back to plain SIMD', async () => {
    const [yes, no] = [true, false].map((answer) => () => Promise.resolve(answer));
    vi.doMock('wasm-feature-detect', () => ({ simd: yes, relaxedSimd: no }));
    const { posted, ask } = await startWorker();
    await ask(1, makeRequest());
    expect(posted[0]?.message).toEqual({ type: 'ready', variant: 'simd' });
  });
});
