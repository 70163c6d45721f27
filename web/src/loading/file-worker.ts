// The workers of the page in one file, in place of ./start-worker.ts (web/site/single-file.ts).

import { scriptAddress } from './script-address';

/** What the code of a worker uses of its `self`. */
interface WorkerSelf {
  readonly crossOriginIsolated: false;
  readonly location: Location;
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, options?: StructuredSerializeOptions): void;
}

/** Runs the code of a worker in the page (web/src/boot/single.ts). */
declare function conv2dRun(address: string, self: WorkerSelf): void;

interface Running {
  postMessage(message: unknown, transfer: Transferable[]): void;
  end(): void;
}

/** Whether workers of blobs may start; null until the first has, or could not. */
let mayStart: boolean | null = null;
const undecided = new Set<FileWorker>();

function decide(start: boolean): void {
  mayStart = start;
  for (const worker of undecided) worker.begin(start);
  undecided.clear();
}

/**
 * A worker of a blob. The policy of a site around the page, or of its server, may forbid those: the code then runs in the page, which
 * does not react while it computes. The compute worker, the first, sends a message when it has started.
 */
class FileWorker {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onmessageerror: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #address: string;
  readonly #worker: Worker | null = null;
  /** Messages that were sent before the worker could start. */
  #waiting: [unknown, Transferable[]][] = [];
  #running: Running | null = null;

  constructor(address: string, name: string) {
    this.#address = address;
    if (mayStart === false) {
      this.begin(false);
      return;
    }
    undecided.add(this);
    try {
      this.#worker = this.#started(name);
      if (mayStart) this.begin(true);
    } catch {
      queueMicrotask(() => decide(false));
    }
  }

  #started(name: string): Worker {
    // Classic: Chromium starts no module from a blob of a document without an origin.
    const worker = new Worker(scriptAddress(this.#address), { name });
    worker.onmessage = (event) => {
      if (mayStart === null) decide(true);
      this.onmessage?.(event);
    };
    worker.onmessageerror = (event) => this.onmessageerror?.(event);
    worker.onerror = (event) => (mayStart === null ? decide(false) : this.onerror?.(event));
    return worker;
  }

  /** Sends what has waited to the worker, or to its code in the page. */
  begin(start: boolean): void {
    undecided.delete(this);
    const worker = this.#worker;
    this.#running =
      start && worker
        ? { postMessage: (message, transfer) => worker.postMessage(message, transfer), end: () => worker.terminate() }
        : this.#inPage();
    for (const [message, transfer] of this.#waiting) this.#running.postMessage(message, transfer);
    this.#waiting = [];
  }

  #inPage(): Running {
    this.#worker?.terminate();
    const { port1, port2 } = new MessageChannel();
    const self: WorkerSelf = {
      crossOriginIsolated: false,
      location,
      onmessage: null,
      postMessage: (message, options) => port2.postMessage(message, options),
    };
    port2.onmessage = (event) => self.onmessage?.(event);
    port1.onmessage = (event) => this.onmessage?.(event);
    conv2dRun(this.#address, self);
    return {
      postMessage: (message, transfer) => port1.postMessage(message, transfer),
      end: () => {
        port1.close();
        port2.close();
      },
    };
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    if (this.#running) this.#running.postMessage(message, transfer);
    else this.#waiting.push([message, transfer]);
  }

  terminate(): void {
    undecided.delete(this);
    this.#worker?.terminate();
    this.#running?.end();
  }
}

export const startWorker = (address: string, name: string): FileWorker => new FileWorker(address, name);
