import { type ReadonlySignal, signal } from '@preact/signals';
import type {
  ComputeRequest,
  ComputeResult,
  LayerResult,
  Memory,
  ModuleVariant,
  Outcome,
  QuestionRequest,
  Request,
  Result,
  ResultOf,
  Tensors,
  WorkerMessage,
} from '../protocol/messages';
import type { ConvError } from '../protocol/problem';
import { Residents } from './residents';
import { type ComputeWorker, SpareWorker, spawnWorker } from './spare-worker';

export interface Activity {
  readonly type: Request['type'];
  /** Name of the current step, for the user. */
  readonly phase: string;
  /** 0..1 over the whole request. */
  readonly fraction: number;
}

/** State of the worker for the page. Each change creates a new object. */
export interface ClientStatus {
  readonly worker: 'starting' | 'ready' | 'failed';
  /** The module variant; null until ready. */
  readonly variant: ModuleVariant | null;
  readonly error: ConvError | null;
  readonly activity: Activity | null;
}

export const STARTING: ClientStatus = { worker: 'starting', variant: null, error: null, activity: null };

export interface AskOptions {
  readonly onProgress?: (phase: string, fraction: number) => void;
}

interface Job {
  readonly request: Request;
  readonly onProgress: (phase: string, fraction: number) => void;
  readonly end: (outcome: Outcome<Result>) => void;
}

interface Running {
  readonly id: number;
  readonly job: Job;
  readonly inputs: ReadonlyMap<string, Float32Array>;
  fraction: number;
  awaited: boolean;
}

/**
 * Milliseconds for which an edit waits for a running request (`giveUp`), and after which a spare worker starts (`spare`; a start
 * takes 80 to 130 ms). A computation is painted while the next one runs, so it is given up only if it is long and less than half
 * done. Answers about the previous problem are not needed any more.
 */
const PATIENCE = { compute: { giveUp: 1000, spare: 850 }, other: { giveUp: 150, spare: 30 } };
const HALF_DONE = 0.5;

/**
 * A module's memory never shrinks; only ending its worker frees it. Problems that are computed without asking take 64 MiB in the
 * worker (protocol/shapes.ts counts page and worker), and perhaps as much for the workspace. A worker with more unused memory than
 * that, and than it uses, had a huge problem and is replaced. Starting another one takes 0.1 s of an idle processor.
 */
const MOST_UNUSED = 2 ** 27;

const isWasteful = ({ held, used }: Memory): boolean => held - used > Math.max(MOST_UNUSED, used);

const isQuestion = (request: Request): request is QuestionRequest => request.type === 'question';

const NOT_STARTED =
  import.meta.env.MODE === 'single'
    ? 'the compute engine failed to load. Reload the page, or try another browser'
    : 'the compute engine failed to load. Check your connection and try again';

/** The browser's console has the cause. */
const DIED: ConvError = { code: 'internal', field: '', message: 'the compute engine crashed and was restarted' };

const notSent = (thrown: unknown): ConvError =>
  thrown instanceof RangeError
    ? { code: 'out_of_memory', field: '', message: 'not enough memory for the inputs' }
    : { code: 'internal', field: '', message: `the inputs could not be sent to the compute engine (${thrown})` };

/**
 * The page's interface to the compute worker. One request runs at a time, the others wait here. A new request replaces a waiting
 * one of the same type.
 * The running request finishes, unless it is cancelled or an edit waits for it too long. A worker cannot be interrupted, so it is
 * then replaced by another one, to which the inputs are sent again. During a drag all results are painted one after the other.
 */
export class ComputeClient {
  readonly #spare: SpareWorker;
  readonly #status = signal(STARTING);
  readonly #residents = new Residents();
  #worker: ComputeWorker;
  #waiting: Job[] = [];
  #running: Running | null = null;
  #lastId = 0;
  /** The last successful compute, sent again to a restarted worker if a question needs it. */
  #last: { readonly id: number; readonly request: ComputeRequest; readonly result: ComputeResult } | null = null;

  constructor(spawn: () => ComputeWorker = spawnWorker) {
    this.#spare = new SpareWorker(spawn);
    this.#worker = this.#listenTo(this.#spare.take().worker);
  }

  get status(): ReadonlySignal<ClientStatus> {
    return this.#status;
  }

  /**
   * Computes a problem. Drops all waiting questions about the previous problem. A running request may finish, within the limits
   * of PATIENCE.
   */
  compute(request: ComputeRequest, options: AskOptions = {}): Promise<Outcome<ComputeResult>> {
    this.#drop((job) => isQuestion(job.request), 'superseded');
    const before = this.#running;
    const computed = this.#enqueue(request, options);
    if (before) this.#limitWait(before);
    return computed;
  }

  /** Starts the timers at the first edit that waits; a drag makes many edits. */
  #limitWait(before: Running): void {
    if (before.awaited) return;
    before.awaited = true;
    const isCompute = before.job.request.type === 'compute';
    const { giveUp, spare } = isCompute ? PATIENCE.compute : PATIENCE.other;
    const ifStill = (act: () => void) => () => {
      if (this.#running === before && !(isCompute && before.fraction >= HALF_DONE)) act();
    };
    setTimeout(
      ifStill(() => this.#spare.start()),
      spare,
    );
    setTimeout(
      ifStill(() => this.#restart({ status: 'dropped', why: 'superseded' })),
      giveUp,
    );
  }

  /** Any other request. Questions contain the revision of the ComputeResult that they are about. */
  ask<R extends Exclude<Request, ComputeRequest>>(request: R, options: AskOptions = {}): Promise<Outcome<ResultOf<R>>> {
    return this.#enqueue(request, options);
  }

  /**
   * Stops all requests: terminates the worker and starts a new one, to which inputs and the last problem are sent again when
   * needed. Also restarts after a failed start.
   */
  cancel(): void {
    if (this.#running === null && this.#waiting.length === 0 && this.#status.peek().worker !== 'failed') return;
    this.#drop(() => true, 'cancelled');
    this.#restart({ status: 'dropped', why: 'cancelled' });
  }

  /** Stops the running question, if any. Waiting requests continue in a new worker. */
  stopQuestion(): void {
    if (this.#running && isQuestion(this.#running.job.request)) this.#restart({ status: 'dropped', why: 'cancelled' });
  }

  dispose(): void {
    this.#drop(() => true, 'cancelled');
    this.#running?.job.end({ status: 'dropped', why: 'cancelled' });
    this.#running = null;
    this.#spare.drop();
    this.#stop();
  }

  #report(change: Partial<ClientStatus>): void {
    this.#status.value = { ...this.#status.peek(), ...change };
  }

  #enqueue<R extends Request>(request: R, options: AskOptions): Promise<Outcome<ResultOf<R>>> {
    return new Promise((resolve) => {
      const { onProgress = () => undefined } = options;
      this.#drop((job) => job.request.type === request.type, 'superseded');
      // The reply has the id of the request, so it has its result type.
      const end = resolve as Job['end'];
      this.#waiting.push({ request, onProgress, end });
      this.#next();
    });
  }

  #listenTo(worker: ComputeWorker): ComputeWorker {
    // Ignore late messages of a terminated worker.
    const ifCurrent =
      <E>(act: (event: E) => void) =>
      (event: E) => {
        if (worker === this.#worker) act(event);
      };
    worker.onmessage = ifCurrent((event: MessageEvent<WorkerMessage>) => this.#receive(event.data));
    worker.onmessageerror = ifCurrent(() => this.#crashed());
    worker.onerror = ifCurrent(() => this.#crashed());
    return worker;
  }

  #stop(): void {
    this.#worker.onmessage = null;
    this.#worker.onmessageerror = null;
    this.#worker.onerror = null;
    this.#worker.terminate();
    this.#residents.clear();
  }

  /** Ends the running request, if any, with `outcome` and continues with a new worker. */
  #restart(outcome: Outcome<never> | null): void {
    const running = this.#running;
    this.#running = null;
    this.#stop();
    const { worker, messages } = this.#spare.take();
    this.#worker = this.#listenTo(worker);
    this.#status.value = STARTING;
    for (const message of messages) this.#receive(message);
    if (outcome) running?.job.end(outcome);
    this.#next();
  }

  #crashed(): void {
    // A worker that crashes during its start would crash again: the user decides.
    if (this.#status.peek().worker === 'ready') this.#restart({ status: 'failed', error: DIED });
    else this.#fail({ code: 'module_unavailable', field: '', message: NOT_STARTED });
  }

  #fail(error: ConvError): void {
    this.#report({ worker: 'failed', error, activity: null });
    this.#running?.job.end({ status: 'failed', error });
    this.#running = null;
    this.#next();
  }

  #drop(which: (job: Job) => boolean, why: 'superseded' | 'cancelled'): void {
    const dropped = this.#waiting.filter(which);
    this.#waiting = this.#waiting.filter((job) => !dropped.includes(job));
    for (const job of dropped) job.end({ status: 'dropped', why });
  }

  #next(): void {
    if (this.#running !== null) return;
    const job = this.#waiting.shift();
    if (job === undefined) {
      if (this.#status.peek().activity !== null) this.#report({ activity: null });
      return;
    }
    const { error } = this.#status.peek();
    if (error !== null) {
      job.end({ status: 'failed', error });
      this.#next();
    } else if (!isQuestion(job.request) || job.request.revision === this.#residents.revision) {
      this.#lastId += 1;
      this.#post(this.#lastId, job);
    } else if (job.request.revision === this.#last?.id) {
      this.#waiting.unshift(job);
      this.#restore(this.#last.id, this.#last.request, job);
    } else {
      job.end({ status: 'dropped', why: 'stale' });
      this.#next();
    }
  }

  /** Computes the last problem again, with its id, in a new worker, because the question `asking` needs it. */
  #restore(id: number, request: ComputeRequest, asking: Job): void {
    const end: Job['end'] = (outcome) => {
      if (outcome.status === 'done') return;
      this.#waiting = this.#waiting.filter((job) => job !== asking);
      asking.end(outcome);
    };
    this.#post(id, { request, onProgress: () => undefined, end });
  }

  #post(id: number, job: Job): void {
    try {
      const { request, transfer, inputs, resident } = this.#residents.pack(job.request);
      this.#worker.postMessage({ id, request }, transfer);
      if (request.type === 'compute') this.#residents.posted(resident);
      this.#running = { id, job, inputs, fraction: 0, awaited: false };
    } catch (thrown) {
      job.end({ status: 'failed', error: notSent(thrown) });
      this.#next();
      return;
    }
    this.#report({ activity: { type: job.request.type, phase: '', fraction: 0 } });
  }

  /** Completes a result with the unchanged tensors of the previous result. */
  #whole(result: ComputeResult): ComputeResult {
    const layers = result.layers.map((layer, i): LayerResult => {
      const before = this.#last?.result.layers[i];
      const kept = layer.unchanged.map((name) => [name, before?.tensors[name]] as const);
      const tensors: Tensors = { ...Object.fromEntries(kept), ...layer.tensors };
      return { ...layer, tensors, extras: layer.extras ?? before?.extras ?? {} };
    });
    return { ...result, layers };
  }

  #receive(message: WorkerMessage): void {
    if (message.type === 'ready') this.#report({ worker: 'ready', variant: message.variant });
    else if (message.type === 'failed_to_start') this.#fail(message.error);
    else if (this.#running !== null && message.id === this.#running.id) this.#receiveResult(message, this.#running);
  }

  #receiveResult(message: Extract<WorkerMessage, { id: number }>, running: Running): void {
    const { id, job, inputs } = running;
    if (message.type === 'progress') {
      const { phase, fraction } = message;
      running.fraction = fraction;
      this.#report({ activity: { type: job.request.type, phase, fraction } });
      job.onProgress(phase, fraction);
      return;
    }
    if (message.type === 'error' && message.error.code === 'internal') {
      // After an unexpected failure the state of the module is unknown.
      this.#restart({ status: 'failed', error: message.error });
      return;
    }
    this.#running = null;
    this.#spare.release();
    if (message.type === 'error') {
      const stale = message.error.code === 'stale';
      job.end(stale ? { status: 'dropped', why: 'stale' } : { status: 'failed', error: message.error });
    } else {
      const { result } = message;
      const whole = result.type === 'compute' ? this.#whole(result) : result;
      if (job.request.type === 'compute' && whole.type === 'compute') {
        this.#residents.stored(id, job.request, inputs);
        // A restored problem is already on the page.
        if (this.#last?.id !== id) this.#last = { id, request: job.request, result: whole };
      }
      job.end({ status: 'done', result: whole });
      if (job.request.type === 'compute' && isWasteful(message.memory)) this.#restart(null);
    }
    this.#next();
  }
}
