import type { WorkerRequest } from '../protocol/messages';
import { scriptAddress } from '../trust/script-address';
import workerAddress from '../worker/worker.ts?worker&url';

/** The part of Worker that the client uses; tests use a fake. */
export interface ComputeWorker {
  postMessage(message: WorkerRequest, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Starts the compute worker. */
export const spawnWorker = (): ComputeWorker =>
  new Worker(scriptAddress(workerAddress), { type: 'module', name: 'conv2d compute' });
