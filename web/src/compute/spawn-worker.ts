import type { WorkerRequest } from '../protocol/messages';
import { scriptAddress } from '../trust/script-address';
import workerAddress from '../worker/worker.ts?worker&url';

/** The part of a Worker that the client uses; tests give it a fake one. */
export interface ComputeWorker {
  postMessage(message: WorkerRequest, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** The real one. */
export const spawnWorker = (): ComputeWorker =>
  new Worker(scriptAddress(workerAddress), { type: 'module', name: 'conv2d compute' });
