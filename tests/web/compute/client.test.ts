import { describe, expect, test } from 'vitest';
import type { ClientStatus } from '../../../web/src/compute/client';
import type { SentLayer } from '../../../web/src/protocol/layers';
import { among, changed, makeDesc, RELU, sentConv } from '../contract/requests';
import { client, computed, filter, image, imageRequest, products, request, spawner, startClients } from './fake-client';

startClients();

describe('latest wins', () => {
  test('runs one request, then the newest waiting one, and drops the others', async () => {
    const outcomes = [1, 2, 3, 4].map((seed) =>
      client.compute(request({ loss: { kind: 'given', dy: { kind: 'random', seed } } })),
    );
    expect(spawner.current.received).toHaveLength(1);
    spawner.current.answer();
    expect(spawner.current.received).toHaveLength(2);
    expect(spawner.current.last.request).toMatchObject({ loss: { dy: { seed: 4 } } });
    spawner.current.answer();
    const superseded = { status: 'dropped', why: 'superseded' };
    const done = { status: 'done', result: { type: 'compute' } };
    expect(await Promise.all(outcomes)).toMatchObject([done, superseded, superseded, done]);
  });

  test('the next question replaces a waiting one', async () => {
    const revision = await computed();
    void client.ask(products(revision));
    const older = client.ask(products(revision));
    const newer = client.ask(products(revision));
    for (let i = 0; i < 2; i += 1) spawner.current.answer();
    expect(await older).toEqual({ status: 'dropped', why: 'superseded' });
    expect(await newer).toMatchObject({ status: 'done' });
  });

  test('a new problem drops only waiting questions about the previous one', async () => {
    const revision = await computed();
    void client.ask(products(revision));
    const question = client.ask(products(revision));
    const decoded = client.ask(imageRequest(1));
    const next = client.compute(request());
    for (let i = 0; i < 3; i += 1) spawner.current.answer();
    expect(await question).toEqual({ status: 'dropped', why: 'superseded' });
    expect(await decoded).toMatchObject({ status: 'done' });
    expect(await next).toMatchObject({ status: 'done' });
  });

  test('a question about an older problem is dropped without asking the worker', async () => {
    const old = await computed();
    await computed({ loss: { kind: 'given', dy: { kind: 'random', seed: 1 } } });
    expect(await client.ask(products(old))).toEqual({ status: 'dropped', why: 'stale' });
    expect(spawner.current.received).toHaveLength(2);
  });
});

describe('resident inputs', () => {
  test('sends each array once', async () => {
    await computed();
    const other = new Float32Array(9);
    await computed({ w: other });
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', layers: [{ w: other }] });
    await computed({ w: other });
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', layers: [{ w: 'resident', b: null }] });
  });

  /** x, the weights of each layer, and dy or the target, as the last request has them. */
  const sentInputs = () => {
    const { request: last } = spawner.current.last;
    if (last.type !== 'compute') return [];
    return [last.x, ...last.layers.map(({ w }: SentLayer) => w), 'dy' in last.loss ? last.loss.dy : last.loss.target];
  };

  test('are x, dy and the weights of each layer, by its number', async () => {
    const second = Float32Array.of(2);
    const conv = sentConv({ desc: makeDesc({ h: 2, w: 2, kh: 1, kw: 1 }), w: second, b: null });
    const ones = { kind: 'ones' } as const;
    const three = among(request({ loss: { kind: 'given', dy: ones } }), { after: [RELU, conv] });
    await computed(three);
    expect(sentInputs()).toEqual([image, filter, null, second, ones]);
    await computed(three);
    expect(sentInputs()).toEqual(['resident', 'resident', null, 'resident', 'resident']);
    const other = new Float32Array(9).fill(1);
    await computed(changed(three, { w: other }));
    expect(sentInputs()).toEqual(['resident', other, null, 'resident', 'resident']);
    // Without the layer between, the number of the last one is another, and the session frees what had its number.
    const two = among(changed(three, { w: other }), { after: [conv] });
    await computed(two);
    expect(sentInputs()).toEqual(['resident', 'resident', second, ones]);
    await computed(three);
    expect(sentInputs()).toEqual(['resident', filter, null, second, ones]);
  });

  test('are a target, also for another loss, until dy is given', async () => {
    const target = new Float32Array(4);
    const sent: unknown[] = [];
    const given = { kind: 'given', dy: { kind: 'ones' } } as const;
    for (const loss of [{ kind: 'mse', target }, { kind: 'log_cosh', target }, given, { kind: 'mse', target }]) {
      await computed({ loss });
      sent.push(...sentInputs().slice(2));
    }
    expect(sent).toEqual([target, 'resident', given.dy, target]);
  });

  test("the page's own arrays stay usable", async () => {
    await computed({ loss: { kind: 'mse', target: image }, b: Float32Array.of(1) });
    expect(image).toHaveLength(16);
    expect(filter).toHaveLength(9);
  });

  test('sends rejected inputs again, but not resident ones', async () => {
    await computed();
    const other = new Float32Array(9);
    const refused = client.compute(request({ w: other }));
    const error = { code: 'invalid_stride', field: 'stride_h', message: 'stride_h is 0' } as const;
    spawner.current.refuse(error);
    expect(await refused).toEqual({ status: 'failed', error });
    void client.compute(request({ w: other }));
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', layers: [{ w: other }] });
  });

  test('sends a removed bias again', async () => {
    const b = Float32Array.of(1);
    await computed({ b });
    await computed({ b: null });
    await computed({ b });
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', layers: [{ b }] });
  });
});

describe('cancel', () => {
  test('ends the worker, the running and the waiting requests, and starts another worker', async () => {
    const running = client.compute(request());
    const waiting = client.ask(imageRequest(3));
    client.cancel();
    expect(await running).toEqual({ status: 'dropped', why: 'cancelled' });
    expect(await waiting).toEqual({ status: 'dropped', why: 'cancelled' });
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
  });

  test('sends everything to the new worker again', async () => {
    await computed();
    void client.compute(request());
    client.cancel();
    await computed();
    expect(spawner.current.last.request).toMatchObject({ x: image, layers: [{ w: filter }] });
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

  test('does nothing without requests', () => {
    client.cancel();
    expect(spawner.workers).toHaveLength(1);
  });

  test('ignores a late message of the ended worker', async () => {
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
  test('a crash fails the running request; the others continue in a new worker', async () => {
    spawner.current.ready();
    const running = client.compute(request());
    const waiting = client.compute(request());
    spawner.current.crash('out of memory');
    expect(await running).toMatchObject({ status: 'failed', error: { code: 'internal' } });
    spawner.current.answer();
    expect(await waiting).toMatchObject({ status: 'done' });
    expect(spawner.workers).toHaveLength(2);
  });

  test('an unexpected error restarts the worker', async () => {
    spawner.current.ready();
    const running = client.compute(request());
    const error = { code: 'internal', field: '', message: 'unreachable' } as const;
    spawner.current.refuse(error);
    expect(await running).toEqual({ status: 'failed', error });
    expect(spawner.workers).toHaveLength(2);
  });

  test('a worker that cannot start is not restarted automatically', async () => {
    const first = client.compute(request());
    const error = { code: 'module_unavailable', field: '', message: 'no SIMD' } as const;
    spawner.current.send({ type: 'failed_to_start', error });
    expect(await first).toEqual({ status: 'failed', error });
    expect(await client.compute(request())).toEqual({ status: 'failed', error });
    expect(client.status.value).toMatchObject({ worker: 'failed', error });
    expect(spawner.workers).toHaveLength(1);
    client.cancel();
    await computed();
    expect(spawner.workers).toHaveLength(2);
  });

  test('a script that cannot be loaded is a failure to start', async () => {
    const first = client.compute(request());
    spawner.current.crash('');
    expect(await first).toMatchObject({ status: 'failed', error: { code: 'module_unavailable' } });
    expect(client.status.value.worker).toBe('failed');
  });

  test('a request that cannot be copied fails alone', async () => {
    const unclonable = client.ask({ ...imageRequest(1), pixels: (() => 1) as unknown as ImageData });
    expect(await unclonable).toMatchObject({ status: 'failed', error: { code: 'internal' } });
    await computed();
  });
});

describe('status', () => {
  test('reports start, variant, activity and idle state', async () => {
    const seen: ClientStatus[] = [];
    const unsubscribe = client.status.subscribe((status) => seen.push(status));
    seen.length = 0;
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
  test('of a huge problem is freed with its worker, without losing results', async () => {
    spawner.current.ready();
    const huge = client.compute(request());
    spawner.current.answer({ held: 2 ** 31, used: 2 ** 31 - 2 ** 29 });
    await huge;
    expect(spawner.workers).toHaveLength(1);
    const small = client.compute(request());
    spawner.current.answer({ held: 2 ** 31, used: 2 ** 20 });
    const outcome = await small;
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    // The question is about the problem of the previous worker.
    const revision = outcome.status === 'done' ? outcome.result.revision : 0;
    const question = client.ask(products(revision));
    expect(spawner.current.last).toMatchObject({
      id: revision,
      request: { type: 'compute', x: image, layers: [{ w: filter }] },
    });
    spawner.current.answer();
    expect(spawner.current.last.request).toMatchObject({ type: 'question', revision });
    spawner.current.answer();
    expect(await question).toMatchObject({ status: 'done' });
    await computed();
    expect(spawner.current.last.request).toMatchObject({ x: 'resident', layers: [{ w: 'resident' }] });
    expect(spawner.workers).toHaveLength(2);
  });

  test('is freed before the next request is computed', async () => {
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
