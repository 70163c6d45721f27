import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SilenceNotice } from '../../../web/src/app/deferred/SilenceNotice';
import { ComputeClient } from '../../../web/src/compute/client';
import { openingProblem } from '../../../web/src/state/problem';
import { createStore } from '../../../web/src/state/store';
import { FakeWorker } from '../compute/fake-worker';

/** A worker that ends or hangs without an event. */

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  act(() => render(null, document.body));
  vi.useRealTimers();
});

function opened() {
  const workers: FakeWorker[] = [];
  const client = new ComputeClient(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  });
  const store = createStore(openingProblem());
  store.connect((request) => client.compute(request));
  workers[0]?.ready();
  act(() => render(<SilenceNotice client={client} store={store} />, document.body));
  return { workers, client, store };
}

const wait = (seconds: number) => act(async () => void (await vi.advanceTimersByTimeAsync(seconds * 1000)));
const said = () => document.querySelector('[role=status] p')?.textContent ?? '';
const press = (label: string) =>
  act(async () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)?.click());

/** The answer of a worker: an error ends the computation, too. */
const fail = (worker: FakeWorker | undefined) =>
  act(async () =>
    worker?.send({ type: 'error', id: worker.last.id, error: { code: 'invalid_stride', field: 'h', message: 'no' } }),
  );

test('is reported after half a minute, and the computation goes on', async () => {
  const { workers, client } = opened();
  await wait(29);
  expect(said()).toBe('');
  await wait(2);
  expect(said()).toMatch(/^The compute engine has reported nothing for 30 seconds/);
  expect([workers.length, client.status.value.activity?.type]).toEqual([1, 'compute']);
  await fail(workers[0]);
  expect(said()).toBe('');
});

test('Try again starts another worker with the same problem', async () => {
  const { workers, store } = opened();
  await wait(31);
  await press('Try again');
  expect(workers[0]?.terminated).toBe(true);
  const { input, layers } = store.problem.value;
  expect(workers[1]?.last.request).toMatchObject({ type: 'compute', input, layers: [{ window: layers[0]?.fields }] });
  expect(store.progress.value.status).toBe('computing');
  expect(said()).toBe('');
});

test('Wait asks again after the same time', async () => {
  const { workers } = opened();
  await wait(31);
  await press('Wait');
  expect(said()).toBe('');
  await wait(29);
  expect(said()).toBe('');
  await wait(2);
  expect(said()).not.toBe('');
  expect(workers[0]?.terminated).toBe(false);
});

test('long work that reports progress is not interrupted', async () => {
  const { workers } = opened();
  for (let i = 0; i < 10; i += 1) {
    await wait(20);
    await act(async () =>
      workers[0]?.send({ type: 'progress', id: workers[0].last.id, phase: 'forward', fraction: i / 10 }),
    );
    expect(said()).toBe('');
  }
});

test('nothing is reported while nothing is computed', async () => {
  const { workers } = opened();
  await fail(workers[0]);
  await wait(100);
  expect(said()).toBe('');
  expect(workers.length).toBe(1);
});
