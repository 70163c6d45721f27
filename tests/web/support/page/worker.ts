import { loadModule } from '../../../../web/src/engine/load';
import { toConvError } from '../../../../web/src/engine/validate';
import type { WorkerMessage, WorkerRequest } from '../../../../web/src/protocol/messages';
import { answerQuestion, prepareAnswer } from '../../../../web/src/worker/answers';
import { buffersOf, ConvEngine } from '../../../../web/src/worker/conv-engine';
import { hide } from '../../../../web/src/worker/masks';
import { type Fault, withFault } from './broken-kernel';

let loading: ReturnType<typeof loadModule> | null = null;
let fault: Fault | null = null;

/** The workers that start from now on have this fault. */
export function breakKernel(next: Fault | null): void {
  fault = next;
}

/** In place of a Worker: the engine with the real module in this process, with copies of messages as between threads. */
export class InProcessWorker {
  /** All that were started and not ended. */
  static readonly running = new Set<InProcessWorker>();

  onmessage: ((event: MessageEvent<WorkerMessage>) => void) | null = null;
  onmessageerror: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly #engine: Promise<ConvEngine>;
  #waiting = 1;

  constructor() {
    InProcessWorker.running.add(this);
    loading ??= loadModule('simd');
    this.#engine = loading.then(
      ({ module }) => new ConvEngine(fault ? withFault(module, fault) : module, answerQuestion, hide),
    );
    void this.#engine.then(() => {
      this.#waiting -= 1;
      this.#send({ type: 'ready', variant: 'simd' });
    });
  }

  /** Whether one is starting or computing. */
  static isBusy(): boolean {
    return [...InProcessWorker.running].some((worker) => worker.#waiting > 0);
  }

  postMessage(message: WorkerRequest, transfer: Transferable[] = []): void {
    this.#waiting += 1;
    void this.#answer(structuredClone(message, { transfer })).finally(() => {
      this.#waiting -= 1;
    });
  }

  terminate(): void {
    if (!InProcessWorker.running.delete(this)) return;
    this.onmessage = null;
    void this.#engine.then((engine) => engine.dispose());
  }

  #send(message: WorkerMessage, transfer: Transferable[] = []): void {
    this.onmessage?.(new MessageEvent('message', { data: structuredClone(message, { transfer }) }));
  }

  async #answer({ id, request }: WorkerRequest): Promise<void> {
    const engine = await this.#engine;
    if (!InProcessWorker.running.has(this)) return;
    const onProgress = () => undefined;
    try {
      if (request.type === 'question') await prepareAnswer(request.question, engine);
      const result = engine.answer(request, id, onProgress);
      this.#send({ type: 'result', id, result, memory: engine.memory }, buffersOf(result));
    } catch (thrown) {
      this.#send({ type: 'error', id, error: toConvError(thrown) });
    }
  }
}
