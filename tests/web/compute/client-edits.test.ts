import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { client, computed, image, products, request, spawner, startClients } from './fake-client';

startClients();

describe('an edit during a question', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('waits for a quick question', async () => {
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

  test('waits for a question after the spare worker has started, and ends the spare worker later', async () => {
    const revision = await computed();
    const question = client.ask(products(revision));
    const edit = client.compute(request());
    vi.advanceTimersByTime(100);
    const [first, reserve] = spawner.workers;
    if (!first) throw new Error('no worker');
    expect(reserve?.received).toEqual([]);
    first.answer();
    expect(await question).toMatchObject({ status: 'done' });
    first.answer();
    expect(await edit).toMatchObject({ status: 'done' });
    expect(spawner.workers).toHaveLength(2);
    vi.advanceTimersByTime(4000);
    expect(reserve?.terminated).toBe(false);
    vi.advanceTimersByTime(2000);
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([false, true]);
  });

  test('uses one spare worker for all steps of a drag', async () => {
    const [first] = spawner.workers;
    if (!first) throw new Error('no worker');
    let revision = await computed();
    for (let step = 0; step < 50; step += 1) {
      const question = client.ask(products(revision));
      const edit = client.compute(request());
      vi.advanceTimersByTime(120);
      first.answer();
      expect(await question).toMatchObject({ status: 'done' });
      first.answer();
      const outcome = await edit;
      revision = outcome.status === 'done' ? outcome.result.revision : 0;
    }
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([false, false]);
  });

  test('the spare worker is ready when the other is given up', async () => {
    spawner.current.ready();
    const revision = await computed();
    void client.ask(products(revision));
    const edit = client.compute(request());
    vi.advanceTimersByTime(100);
    spawner.current.ready();
    expect(client.status.value.worker).toBe('ready');
    expect(spawner.current.received).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(client.status.value).toMatchObject({ worker: 'ready', activity: { type: 'compute' } });
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
  });

  test('a crashed spare worker is not used', async () => {
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

  test('gives up the worker of a long question, and sends the edit to the next', async () => {
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

  test('does not stop a question that follows the edit', async () => {
    const revision = await computed();
    void client.ask(products(revision));
    const edit = client.compute(request());
    spawner.current.answer();
    vi.advanceTimersByTime(300);
    expect(spawner.workers).toHaveLength(1);
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
  });

  test('a question can be stopped without the waiting edit', async () => {
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

describe('an edit during a computation', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('finishes each started step of a drag', async () => {
    const [worker] = spawner.workers;
    if (!worker) throw new Error('no worker');
    let done = 0;
    let began = 0;
    // An edit every 16 ms for two seconds; each computation takes 320 ms.
    for (let now = 0; now < 2000; now += 16) {
      void client.compute(request()).then(({ status }) => {
        if (status === 'done') done += 1;
      });
      vi.advanceTimersByTime(16);
      if (now + 16 - began < 320) continue;
      worker.answer();
      began = now + 16;
      await Promise.resolve();
      await Promise.resolve();
    }
    // 2000 / 320
    expect(done).toBe(6);
    expect(spawner.workers).toHaveLength(1);
  });

  test('gives up a long computation one second after the first waiting edit', async () => {
    const before = client.compute(request());
    void client.compute(request());
    vi.advanceTimersByTime(600);
    const edit = client.compute(request({ w: new Float32Array(9).fill(2) }));
    vi.advanceTimersByTime(300);
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([false, false]);
    vi.advanceTimersByTime(200);
    expect(await before).toEqual({ status: 'dropped', why: 'superseded' });
    expect(spawner.workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
  });

  test('finishes a computation that is half done by then', async () => {
    const before = client.compute(request());
    const { id } = spawner.current.last;
    const edit = client.compute(request());
    vi.advanceTimersByTime(700);
    spawner.current.send({ type: 'progress', id, phase: 'forward', fraction: 0.5 });
    vi.advanceTimersByTime(900);
    expect(spawner.workers).toHaveLength(1);
    spawner.current.answer();
    expect(await before).toMatchObject({ status: 'done' });
    spawner.current.answer();
    expect(await edit).toMatchObject({ status: 'done' });
  });
});
