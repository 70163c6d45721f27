import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ComputeClient } from '../../../web/src/compute/client';
import type { ClientStatus } from '../../../web/src/compute/status';
import type { ComputeRequest } from '../../../web/src/protocol/messages';
import { makeRequest } from '../contract/requests';
import { Spawner } from './fake-worker';

const image = new Float32Array(16);
const filter = new Float32Array(9);
const request = (change: Partial<ComputeRequest> = {}) => makeRequest(undefined, { x: image, w: filter, ...change });
const products = (revision: number) =>
  ({ type: 'question', revision, question: { kind: 'partial', process: 'forward', steps: 1 } }) as const;

let spawner: Spawner;
let client: ComputeClient;

beforeEach(() => {
  spawner = new Spawner();
  client = new ComputeClient(spawner.spawn);
});

/** Computes once and answers; resolves to the revision. */
async function computed(change: Partial<ComputeRequest> = {}): Promise<number> {
  const outcome = client.compute(request(change));
  spawner.current.answer();
  const ended = await outcome;
  if (ended.status !== 'done') throw new Error(`the compute ended as ${ended.status}`);
  return ended.result.revision;
}

describe('latest wins', () => {
  test('one request runs, the newest of the waiting ones is next, the others are dropped', async () => {
    const outcomes = [1, 2, 3, 4].map((seed) => client.compute(request({ dy: { kind: 'random', seed } })));
    expect(spawner.current.received).toHaveLength(1);
    spawner.current.answer();
    expect(spawner.current.received).toHaveLength(2);
    expect(spawner.current.last.request).toMatchObject({ dy: { seed: 4 } });
    spawner.current.answer();
    const superseded = { status: 'dropped', why: 'superseded' };
    const done = { status: 'done', result: { type: 'compute' } };
    expect(await Promise.all(outcomes)).toMatchObject([done, superseded, superseded, done]);
  });

  test('a question that waits is superseded by the next', async () => {
    const revision = await computed();
    void client.ask(products(revision));
    const older = client.ask(products(revision));
    const newer = client.ask(products(revision));
    for (let i = 0; i < 2; i += 1) spawner.current.answer();
    expect(await older).toEqual({ status: 'dropped', why: 'superseded' });
    expect(await newer).toMatchObject({ status: 'done' });
  });

  test('a new problem drops waiting questions about the one before, nothing else', async () => {
    const revision = await computed();
    void client.ask(products(revision));
    const question = client.ask(products(revision));
    const decoded = client.ask({ type: 'decode_image', file: new Blob(), channels: 1, max_side: 8 });
    const next = client.compute(request());
    for (let i = 0; i < 3; i += 1) spawner.current.answer();
    expect(await question).toEqual({ status: 'dropped', why: 'superseded' });
    expect(await decoded).toMatchObject({ status: 'done' });
    expect(await next).toMatchObject({ status: 'done' });
  });

  test('a question about an older problem is dropped without asking the worker', async () => {
    const old = await computed();
    await computed({ dy: { kind: 'random', seed: 1 } });
    expect(await client.ask(products(old))).toEqual({ status: 'dropped', why: 'stale' });
    expect(spawner.current.received).toHaveLength(2);
  });
});

describe('resident inputs', () => {
  test('the same array is sent once, another one is sent', async () => {
    await computed();
    const other = new Float32Array(9);
    await computed({ w: other });
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', w: other });
    await computed({ w: other });
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', w: 'resident', b: null });
  });

  test("the page's own arrays stay usable", async () => {
    await computed({ dy: { kind: 'mse', target: image }, b: Float32Array.of(1) });
    expect(image).toHaveLength(16);
    expect(filter).toHaveLength(9);
  });

  test('what was refused is sent again; what the worker had stays there', async () => {
    await computed();
    const other = new Float32Array(9);
    const refused = client.compute(request({ w: other }));
    const error = { code: 'invalid_stride', field: 'stride_h', message: 'stride_h is 0' } as const;
    spawner.current.refuse(error);
    expect(await refused).toEqual({ status: 'failed', error });
    void client.compute(request({ w: other }));
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', w: other });
  });

  test('a bias that was taken away is sent again when it comes back', async () => {
    const b = Float32Array.of(1);
    await computed({ b });
    await computed({ b: null });
    await computed({ b });
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', b });
  });
});

describe('cancel', () => {
  test('ends the worker, the running and the waiting requests, and starts another worker', async () => {
    const running = client.compute(request());
    const waiting = client.ask({ type: 'decode_image', file: new Blob(), channels: 3, max_side: 512 });
    client.cancel();
    expect(await running).toEqual({ status: 'dropped', why: 'cancelled' });
    expect(await waiting).toEqual({ status: 'dropped', why: 'cancelled' });
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
  });

  test('the new worker is sent everything again', async () => {
    await computed();
    void client.compute(request());
    client.cancel();
    await computed();
    expect(spawner.current.last.request).toMatchObject({ x: image, w: filter });
  });

  test('a question about the last problem has the new worker compute it first', async () => {
    const revision = await computed();
    const check = client.ask(products(revision));
    client.cancel();
    await check;
    const again = client.ask(products(revision));
    expect(spawner.current.last).toMatchObject({ id: revision, request: { type: 'compute', x: image } });
    spawner.current.answer();
    expect(spawner.current.last.request).toMatchObject({ type: 'question', revision });
    spawner.current.answer();
    expect(await again).toMatchObject({ status: 'done' });
  });

  test('a problem that cannot be restored ends the question with the reason', async () => {
    const revision = await computed();
    void client.ask(products(revision));
    client.cancel();
    const again = client.ask(products(revision));
    const error = { code: 'out_of_memory', field: 'y', message: 'y needs 16 bytes' } as const;
    spawner.current.refuse(error);
    expect(await again).toEqual({ status: 'failed', error });
    await computed();
  });

  test('with nothing to cancel it does nothing', () => {
    client.cancel();
    expect(spawner.workers).toHaveLength(1);
  });

  test('a late message of the ended worker is ignored', async () => {
    void client.compute(request());
    const [old] = spawner.workers;
    const handler = old?.onmessage;
    const id = old?.last.id ?? 0;
    client.cancel();
    const next = client.compute(request());
    handler?.(new MessageEvent('message', { data: { type: 'result', id: id + 1, result: { type: 'compute' } } }));
    spawner.current.refuse({ code: 'overflow', field: 'x', message: 'x is too large' });
    expect(await next).toMatchObject({ status: 'failed' });
  });
});

describe('failure', () => {
  test('a crash fails the running request and the others go on in a new worker', async () => {
    spawner.current.ready();
    const running = client.compute(request());
    const waiting = client.compute(request());
    spawner.current.crash('out of memory');
    expect(await running).toMatchObject({ status: 'failed', error: { code: 'internal' } });
    spawner.current.answer();
    expect(await waiting).toMatchObject({ status: 'done' });
    expect(spawner.workers).toHaveLength(2);
  });

  test('after an unforeseen error the module is not trusted any more', async () => {
    spawner.current.ready();
    const running = client.compute(request());
    const error = { code: 'internal', field: '', message: 'unreachable' } as const;
    spawner.current.refuse(error);
    expect(await running).toEqual({ status: 'failed', error });
    expect(spawner.workers).toHaveLength(2);
  });

  test('a worker that cannot start is not started again by itself', async () => {
    const first = client.compute(request());
    const error = { code: 'module_unavailable', field: '', message: 'no SIMD' } as const;
    spawner.current.send({ type: 'failed_to_start', error });
    expect(await first).toEqual({ status: 'failed', error });
    expect(await client.compute(request())).toEqual({ status: 'failed', error });
    expect(client.status).toMatchObject({ worker: 'failed', error });
    expect(spawner.workers).toHaveLength(1);
    client.cancel();
    await computed();
    expect(spawner.workers).toHaveLength(2);
  });

  test('a script that cannot be loaded is a failure to start', async () => {
    const first = client.compute(request());
    spawner.current.crash('');
    expect(await first).toMatchObject({ status: 'failed', error: { code: 'module_unavailable' } });
    expect(client.status.worker).toBe('failed');
  });

  test('a request that cannot be copied fails alone', async () => {
    const unclonable = client.ask({
      type: 'decode_image',
      file: (() => 1) as unknown as Blob,
      channels: 1,
      max_side: 8,
    });
    expect(await unclonable).toMatchObject({ status: 'failed', error: { code: 'internal' } });
    await computed();
  });
});

describe('status', () => {
  test('tells start, variant, activity and rest', async () => {
    const seen: ClientStatus[] = [];
    const unsubscribe = client.subscribe((status) => seen.push(status));
    spawner.current.ready();
    const phases: string[] = [];
    const running = client.compute(request(), { onProgress: (phase, fraction) => phases.push(`${phase} ${fraction}`) });
    const { id } = spawner.current.last;
    spawner.current.send({ type: 'progress', id, phase: 'forward', fraction: 0.5 });
    spawner.current.answer();
    await running;
    expect(phases).toEqual(['forward 0.5']);
    expect(seen.map(({ worker, variant, activity }) => [worker, variant, activity?.phase, activity?.fraction])).toEqual(
      [
        ['ready', 'simd', undefined, undefined],
        ['ready', 'simd', '', 0],
        ['ready', 'simd', 'forward', 0.5],
        ['ready', 'simd', undefined, undefined],
      ],
    );
    unsubscribe();
    await computed();
    expect(seen).toHaveLength(4);
  });

  test('dispose ends everything', async () => {
    const running = client.compute(request());
    client.dispose();
    expect(await running).toEqual({ status: 'dropped', why: 'cancelled' });
    expect(spawner.current.terminated).toBe(true);
  });
});

describe('memory', () => {
  test('that the module of a huge problem holds is given back with its worker; nothing is lost', async () => {
    spawner.current.ready();
    const huge = client.compute(request());
    spawner.current.answer({ held: 2 ** 31, used: 2 ** 31 - 2 ** 29 });
    await huge;
    expect(spawner.workers).toHaveLength(1);
    const small = client.compute(request());
    spawner.current.answer({ held: 2 ** 31, used: 2 ** 20 });
    const outcome = await small;
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    // The question is about the problem that the worker before held.
    const revision = outcome.status === 'done' ? outcome.result.revision : 0;
    const question = client.ask(products(revision));
    expect(spawner.current.last).toMatchObject({ id: revision, request: { type: 'compute', x: image, w: filter } });
    spawner.current.answer();
    expect(spawner.current.last.request).toMatchObject({ type: 'question', revision });
    spawner.current.answer();
    expect(await question).toMatchObject({ status: 'done' });
    await computed();
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', w: 'resident' });
    expect(spawner.workers).toHaveLength(2);
  });

  test('is given back before what waits is computed', async () => {
    const first = client.compute(request());
    const next = client.compute(request());
    spawner.current.answer({ held: 2 ** 31, used: 2 ** 20 });
    await first;
    expect(spawner.current.last.request).toMatchObject({ type: 'compute', x: image });
    spawner.current.answer();
    expect(await next).toMatchObject({ status: 'done' });
    expect(spawner.workers).toHaveLength(2);
  });
});

describe('an edit and a question that is being answered', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('the question may finish if it is quick', async () => {
    const revision = await computed();
    const question = client.ask(products(revision));
    const edit = client.compute(request());
    vi.advanceTimersByTime(20);
    spawner.current.answer();
    expect(await question).toMatchObject({ status: 'done' });
    vi.advanceTimersByTime(1000);
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
    expect(spawner.workers).toHaveLength(1);
  });

  test('the question may still finish when another worker is already in reserve, which then goes', async () => {
    const revision = await computed();
    const question = client.ask(products(revision));
    const edit = client.compute(request());
    vi.advanceTimersByTime(100);
    const [first, reserve] = spawner.workers;
    if (!first) throw new Error('no worker');
    expect(reserve?.received).toEqual([]);
    first.answer();
    expect(await question).toMatchObject({ status: 'done' });
    expect(reserve?.terminated).toBe(true);
    first.answer();
    expect(await edit).toMatchObject({ status: 'done' });
    expect(spawner.workers).toHaveLength(2);
  });

  test('the worker in reserve is ready by the time that the other is given up', async () => {
    spawner.current.ready();
    const revision = await computed();
    void client.ask(products(revision));
    const edit = client.compute(request());
    vi.advanceTimersByTime(100);
    spawner.current.ready();
    expect(client.status.worker).toBe('ready');
    expect(spawner.current.received).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(client.status).toMatchObject({ worker: 'ready', activity: { type: 'compute' } });
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
  });

  test('a worker in reserve that dies is not taken', async () => {
    const revision = await computed();
    void client.ask(products(revision));
    const edit = client.compute(request());
    vi.advanceTimersByTime(100);
    spawner.current.crash('gone');
    vi.advanceTimersByTime(100);
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, true, false]);
  });

  test('an edit does not wait for the computation before it either', async () => {
    const before = client.compute(request());
    const edit = client.compute(request({ w: new Float32Array(9).fill(2) }));
    vi.advanceTimersByTime(300);
    expect(await before).toEqual({ status: 'dropped', why: 'superseded' });
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
  });

  test('the edit does not wait for a long one: the worker is given up, and the edit goes to the next', async () => {
    const revision = await computed();
    const question = client.ask(products(revision));
    const edit = client.compute(request({ w: new Float32Array(9).fill(2) }));
    vi.advanceTimersByTime(300);
    expect(await question).toEqual({ status: 'dropped', why: 'superseded' });
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    expect(spawner.current.last.request).toMatchObject({ type: 'compute', x: image });
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
  });

  test('one that follows another edit is not stopped for the first', async () => {
    const revision = await computed();
    void client.ask(products(revision));
    const edit = client.compute(request());
    spawner.current.answer();
    vi.advanceTimersByTime(300);
    expect(spawner.workers).toHaveLength(1);
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
  });

  test('a question can be stopped without the edit that waits behind it', async () => {
    const revision = await computed();
    const question = client.ask(products(revision));
    const edit = client.compute(request());
    client.stopQuestion();
    expect(await question).toEqual({ status: 'dropped', why: 'cancelled' });
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
    client.stopQuestion();
    expect(spawner.workers).toHaveLength(2);
  });
});
