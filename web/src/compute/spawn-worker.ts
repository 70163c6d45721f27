import type { WorkerRequest } from '../protocol/messages';

/** The part of a Worker that the client uses; tests give it a fake one. */
export interface ComputeWorker {
  postMessage(message: WorkerRequest, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** The real one. The bundler finds the worker by this very form of expression. */
export const spawnWorker = (): ComputeWorker =>
  new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'conv2d compute' });
