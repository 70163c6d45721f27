import type { WorkerMessage } from '../protocol/messages';
import type { ComputeWorker } from './spawn-worker';

/** A worker that starts while the one before it may still have to be given up: then nobody waits for it to start. */
export class Reserve {
  readonly #spawn: () => ComputeWorker;
  #worker: ComputeWorker | null = null;
  #said: WorkerMessage[] = [];

  constructor(spawn: () => ComputeWorker) {
    this.#spawn = spawn;
  }

  start(): void {
    if (this.#worker) return;
    this.#worker = this.#spawn();
    this.#worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#said.push(data);
    // Whoever needs a worker then starts one, and is told why it does not work.
    this.#worker.onerror = () => this.drop();
  }

  /** A worker, started by now or not, and what it has said so far. */
  take(): { readonly worker: ComputeWorker; readonly said: readonly WorkerMessage[] } {
    const taken = { worker: this.#worker ?? this.#spawn(), said: this.#said };
    this.#forget();
    return taken;
  }

  /** It is not needed. */
  drop(): void {
    this.#worker?.terminate();
    this.#forget();
  }

  #forget(): void {
    this.#worker = null;
    this.#said = [];
  }
}
