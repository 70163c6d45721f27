import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ComputeClient } from '../../../web/src/compute/client';
import type { ComputeWorker } from '../../../web/src/compute/spare-worker';
import { SessionHeap } from '../../../web/src/engine/session-heap';
import { toConvError } from '../../../web/src/engine/validate';
import { parseLink } from '../../../web/src/link/parse-link';
import type { WorkerMessage, WorkerRequest } from '../../../web/src/protocol/messages';
import { PASSES, type Pass } from '../../../web/src/protocol/problem';
import { requestOf } from '../../../web/src/state/exchange';
import { createStore, type Store } from '../../../web/src/state/store';
import type { MainModule } from '../../../web/src/wasm/module';
import { buffersOf, ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { randomOf } from '../../e2e/support/random';
import { layerIn, load } from '../contract/support';
import { layerOf } from '../support/problems';

// The cost of an edit: the passes that run and the bytes that are sent in both directions, from the page's store to the library.

let module: MainModule;
beforeAll(async () => {
  ({ module } = await load('simd'));
});

/** A worker with the real library. */
class NearWorker implements ComputeWorker {
  onmessage: ComputeWorker['onmessage'] = null;
  onmessageerror: ComputeWorker['onmessageerror'] = null;
  onerror: ComputeWorker['onerror'] = null;
  readonly #engine = new ConvEngine(module, null, hide);
  bytes = 0;

  postMessage(message: WorkerRequest, transfer: Transferable[]): void {
    this.#count(transfer);
    const { id, request } = structuredClone(message, { transfer });
    const reply = (data: WorkerMessage, buffers: ArrayBuffer[] = []): void => {
      this.#count(buffers);
      const event = new MessageEvent('message', { data: structuredClone(data, { transfer: buffers }) });
      queueMicrotask(() => this.onmessage?.(event));
    };
    try {
      const result = this.#engine.answer(request, id);
      reply({ type: 'result', id, result, memory: this.#engine.memory }, buffersOf(result));
    } catch (thrown) {
      reply({ type: 'error', id, error: toConvError(thrown) });
    }
  }

  terminate(): void {
    this.#engine.dispose();
  }

  #count(buffers: readonly Transferable[]): void {
    for (const buffer of buffers) this.bytes += (buffer as ArrayBuffer).byteLength;
  }
}

const ran: Pass[] = [];
const run = SessionHeap.prototype.run;

beforeEach(() => {
  ran.length = 0;
  vi.spyOn(SessionHeap.prototype, 'run').mockImplementation(function (this: SessionHeap, pass, ...rest) {
    ran.push(pass);
    return run.call(this, pass, ...rest);
  });
  return () => vi.restoreAllMocks();
});

/** 12 x 12 x 2 -> 3 filters of 3 x 3, without padding: y has 10 x 10 x 3 cells. */
const LINK = 'h=12&w=12&c=2&k=3&kh=3&x=random:1&weights=random:2&bias=ramp&dy=random:3';
const X = 12 * 12 * 2 * 4;
const W = 3 * 3 * 2 * 3 * 4;
const B = 3 * 4;
const Y = 10 * 10 * 3 * 4;

async function opened(link = LINK) {
  const store = createStore(parseLink(link).problem);
  const worker = new NearWorker();
  const client = new ComputeClient(() => worker);
  store.connect((request) => client.compute(request));
  await settled(store);
  return { store, worker, client };
}

const settled = (store: Store) => vi.waitUntil(() => store.progress.peek().status !== 'computing', { interval: 1 });

/** The passes that an edit runs, in order, and the bytes that it sends. */
async function costOf(link: string, edit: (store: Store) => void) {
  const { store, worker } = await opened(link);
  [ran.length, worker.bytes] = [0, 0];
  edit(store);
  await settled(store);
  return { ran: [...ran], bytes: worker.bytes };
}

const setCell = (tensor: 'x' | 'w' | 'b' | 'dy', value: number) => (store: Store) => {
  const geometry = store.shown.peek()?.geometry;
  if (!geometry) throw new Error('nothing is shown');
  store.setCells({ tensor, indices: [1], geometry }, value);
};

const LOSS = LINK.replace('dy=random:3', 'dy=mse:0');

describe('an edit', () => {
  test.each([
    // x: y and dw follow; w: y and dx; b: y; dy: dx, dw and db.
    ['a cell of x', LINK, setCell('x', 5), ['forward', 'backward_weights'], X + Y + W],
    ['a cell of w', LINK, setCell('w', 5), ['forward', 'backward_data'], W + Y + X],
    ['a cell of b', LINK, setCell('b', 5), ['forward'], B + Y],
    ['a cell of dy', LINK, setCell('dy', 5), PASSES.slice(1), Y + Y + X + W + B],
    [
      'another source of dy',
      LINK,
      (store: Store) => store.setLoss({ kind: 'given', dy: { kind: 'random', seed: 9 } }),
      PASSES.slice(1),
      Y + X + W + B,
    ],
    [
      'another loss',
      LOSS,
      (store: Store) => store.setLoss({ kind: 'log_cosh', target: null }),
      PASSES.slice(1),
      Y + X + W + B,
    ],
    // With a loss dy follows from y, and everything from x, w and b.
    ['a cell of x, with a loss', LOSS, setCell('x', 5), PASSES, X + Y + Y + X + W + B],
    ['a cell of w, with a loss', LOSS, setCell('w', 5), PASSES, W + Y + Y + X + W + B],
    ['a cell of b, with a loss', LOSS, setCell('b', 5), PASSES, B + Y + Y + X + W + B],
    ['an algorithm of dx', LINK, (store: Store) => store.setAlgorithm('backward_data', 'gather'), ['backward_data'], X],
    ['an algorithm of y', LINK, (store: Store) => store.setAlgorithm('forward', 'direct'), ['forward'], Y],
    [
      'an algorithm of y, with a loss',
      LOSS,
      (store: Store) => store.setAlgorithm('forward', 'direct'),
      PASSES,
      Y + Y + X + W + B,
    ],
    // y has 5 x 5 x 3 cells then.
    [
      'a stride',
      LINK,
      (store: Store) => store.setDesc({ stride_h: 2, stride_w: 2 }),
      PASSES,
      2 * (5 * 5 * 3 * 4) + X + W + B,
    ],
    ['a new attempt', LINK, (store: Store) => store.retry(), [], 0],
  ] as const)('of %s runs what follows from it and sends that alone', async (_, link, edit, passes, bytes) => {
    const cost = await costOf(link, edit as (store: Store) => void);
    expect(cost.ran).toEqual(passes);
    expect(cost.bytes).toBe(bytes);
  });

  test('keeps the arrays of unaffected tensors', async () => {
    const { store } = await opened();
    const before = store.shown.peek();
    setCell('b', 5)(store);
    await settled(store);
    const after = store.shown.peek();
    for (const name of ['dy', 'dx', 'dw', 'db'] as const) expect(after?.tensors[name]).toBe(before?.tensors[name]);
    expect(after?.tensors.y).not.toBe(before?.tensors.y);
    expect(after?.runs).toMatchObject({ backward_data: before?.runs.backward_data });
  });

  test('that hides a value sends no tensor with it, without computing again', async () => {
    const { client, store } = await opened();
    const request = requestOf(store.problem.peek());
    ran.length = 0;
    const hidden = await client.compute({ ...request, hidden: [{ layer: 0, tensor: 'y', index: 7 }] });
    const result = hidden.status === 'done' ? layerIn(hidden.result) : null;
    expect(result?.tensors.y?.data[7]).toBeNaN();
    expect(result?.tensors.y?.data[8]).toBe(store.shown.peek()?.tensors.y?.data[8]);
    const told = await client.compute(request);
    expect(told).toMatchObject({
      result: { layers: [{ tensors: { y: { data: store.shown.peek()?.tensors.y?.data } } }] },
    });
    expect(ran).toEqual([]);
  });
});

test('after any edits all values are bitwise those of a fresh computation', async () => {
  const { below, one } = randomOf(20261123);
  const { store } = await opened();
  const others = new ConvEngine(module);
  const edits: readonly ((store: Store) => void)[] = [
    ...(['x', 'w', 'b', 'dy'] as const).map((tensor) => (to: Store) => setCell(tensor, below(9) - 4)(to)),
    (to) => to.setLoss({ kind: 'given', dy: { kind: 'random', seed: below(9) } }),
    (to) => to.setLoss({ kind: 'given', dy: { kind: 'ones' } }),
    (to) => to.setLoss({ kind: one(['mse', 'log_cosh']), target: null }),
    (to) => to.setAlgorithm(one(PASSES), one(['direct', 'reference', 'magic', null])),
    (to) => to.setDesc({ stride_h: 1 + below(2) }),
    (to) => (layerOf(to.problem.peek()).b ? to.removeBias() : to.setSource('b', { kind: 'constant', value: below(9) })),
    (to) => to.undo(),
    (to) => to.redo(),
  ];
  for (let i = 0; i < 300; i += 1) {
    one(edits)(store);
    await settled(store);
    expect(store.progress.peek()).toEqual({ status: 'ready' });
    const shown = store.shown.peek();
    expect(shown?.problem).toBe(store.problem.peek());
    const { tensors, loss, input_stats, geometry } = layerIn(others.compute(requestOf(store.problem.peek()), i));
    expect(shown?.geometry).toMatchObject(geometry);
    expect(shown?.loss?.value ?? null).toBe(loss);
    for (const name of ['x', 'w', 'b'] as const) expect(shown?.tensors[name]?.stats ?? null).toEqual(input_stats[name]);
    for (const [name, { data, stats }] of Object.entries(tensors)) {
      expect(shown?.tensors[name as 'y'], `${name} after ${i} edits`).toMatchObject({ data, stats });
    }
  }
});
