import type { ComputeWorker } from '../../../web/src/compute/spare-worker';
import type { Memory, Result, WorkerMessage, WorkerRequest } from '../../../web/src/protocol/messages';
import type { ConvError } from '../../../web/src/protocol/problem';

/** A worker that answers on request of the test. Transfers detach buffers, as in a browser. */
export class FakeWorker implements ComputeWorker {
  onmessage: ComputeWorker['onmessage'] = null;
  onmessageerror: ComputeWorker['onmessageerror'] = null;
  onerror: ComputeWorker['onerror'] = null;
  readonly received: WorkerRequest[] = [];
  terminated = false;

  postMessage(message: WorkerRequest, transfer: Transferable[]): void {
    this.received.push(structuredClone(message, { transfer }));
  }

  terminate(): void {
    this.terminated = true;
  }

  get last(): WorkerRequest {
    const request = this.received.at(-1);
    if (request === undefined) throw new Error('the worker has received nothing');
    return request;
  }

  send(message: WorkerMessage): void {
    this.onmessage?.(new MessageEvent('message', { data: message }));
  }

  ready(): void {
    this.send({ type: 'ready', variant: 'simd' });
  }

  /** Answers the last request with a result of its type and arbitrary content. */
  answer(memory: Memory = { held: 2 ** 24, used: 2 ** 20 }): void {
    const { id, request } = this.last;
    this.send({
      type: 'result',
      id,
      result: { type: request.type, revision: id, layers: [] } as unknown as Result,
      memory,
    });
  }

  refuse(error: ConvError): void {
    this.send({ type: 'error', id: this.last.id, error });
  }

  crash(message: string): void {
    this.onerror?.(Object.assign(new Event('error'), { message }) as ErrorEvent);
  }
}

/** Creates fake workers and lists them in order. */
export class Spawner {
  readonly workers: FakeWorker[] = [];

  readonly spawn = (): FakeWorker => {
    const worker = new FakeWorker();
    this.workers.push(worker);
    return worker;
  };

  get current(): FakeWorker {
    const worker = this.workers.at(-1);
    if (worker === undefined) throw new Error('no worker has been started');
    return worker;
  }
}
