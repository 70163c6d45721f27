import { startWorker } from '../loading/start-worker';
import type { WorkerMessage, WorkerRequest } from '../protocol/messages';
import workerAddress from '../worker/worker.ts?worker&url';

/** Milliseconds for which an unused spare worker is kept: the next step of a drag may need it. */
const KEEP_MS = 5000;

/** A spare worker that starts before the current one is given up, to hide its start-up time. */
export class SpareWorker {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #worker: ComputeWorker | null = null;
  #messages: WorkerMessage[] = [];

  constructor(private readonly spawn: () => ComputeWorker) {}

  start(): void {
    clearTimeout(this.#timer);
    if (this.#worker) return;
    this.#worker = this.spawn();
    this.#worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#messages.push(data);
    // The next take() starts another worker, which reports the error.
    this.#worker.onerror = () => this.drop();
  }

  /** A worker, and the messages that it has sent so far. */
  take(): { readonly worker: ComputeWorker; readonly messages: readonly WorkerMessage[] } {
    const taken = { worker: this.#worker ?? this.spawn(), messages: this.#messages };
    this.#reset();
    return taken;
  }

  /** Ends the spare worker after KEEP_MS. */
  release(): void {
    clearTimeout(this.#timer);
    if (this.#worker) this.#timer = setTimeout(() => this.drop(), KEEP_MS);
  }

  drop(): void {
    this.#worker?.terminate();
    this.#reset();
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#worker = null;
    this.#messages = [];
  }
}

/** The part of Worker that the client uses; tests use a fake. */
export interface ComputeWorker {
  postMessage(message: WorkerRequest, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export const spawnWorker = (): ComputeWorker => startWorker(workerAddress, 'conv2d compute');
