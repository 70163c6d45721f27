import type { ConvError } from '../protocol/errors';
import type {
  ComputeRequest,
  ComputeResult,
  Memory,
  QuestionRequest,
  Request,
  ResultOf,
  WorkerMessage,
} from '../protocol/messages';
import type { Outcome } from './outcome';
import { type InputName, pack } from './pack';
import { Reserve } from './reserve';
import { Residents } from './residents';
import { type ComputeWorker, spawnWorker } from './spawn-worker';
import { type ClientStatus, STARTING, StatusSource } from './status';

export interface AskOptions {
  readonly onProgress?: (phase: string, fraction: number) => void;
}

interface Job {
  readonly request: Request;
  readonly onProgress: (phase: string, fraction: number) => void;
  readonly end: (outcome: Outcome<never>) => void;
  readonly done: (message: Extract<WorkerMessage, { type: 'result' }>) => void;
}

interface Running {
  readonly id: number;
  readonly job: Job;
  readonly sent: ReadonlyMap<InputName, Float32Array>;
}

/**
 * How long an edit waits for what is under way about the problem before it, which nobody needs any more. A quick answer may
 * finish: it costs less than another worker. One in reserve is started early enough to be ready then (80 to 130 ms).
 */
const PATIENCE_MS = 150;
const RESERVE_AFTER_MS = 30;

/**
 * Memory of a module can only be given back with its worker. What is computed unasked takes 64 MiB there (protocol/work.ts counts
 * both sides), and perhaps as much for the work itself: a worker that holds more than both for nothing, and more than it needs
 * now, had a huge problem. To start another costs 0.1 s of a processor that has nothing else to do.
 */
const MOST_UNUSED = 2 ** 27;

const isWasteful = ({ held, used }: Memory): boolean => held - used > Math.max(MOST_UNUSED, used);

const isQuestion = (request: Request): request is QuestionRequest => request.type === 'question';

const NOT_STARTED =
  'what computes did not start: its file could not be fetched, or arrived damaged. Check the connection, then try again';

/** Why, is for programmers: the browser's console has it. */
const DIED: ConvError = {
  code: 'internal',
  field: '',
  message: 'what computes stopped unexpectedly, and was started again',
};

const notSent = (thrown: unknown): ConvError =>
  thrown instanceof RangeError
    ? { code: 'out_of_memory', field: '', message: 'the browser did not give the page the memory to send its inputs' }
    : { code: 'internal', field: '', message: `the inputs could not be sent to what computes (${thrown})` };

/**
 * The page's side of the one compute worker. One request runs at a time; the rest waits here, where a newer one can
 * take its place. Requests of one type supersede each other while they wait.
 * The running one finishes, unless it is cancelled or an edit waits for it too long: a worker cannot be interrupted, so it is
 * given up for another one, to which inputs are sent again.
 */
export class ComputeClient {
  readonly #reserve: Reserve;
  readonly #status = new StatusSource();
  readonly #residents = new Residents();
  #worker: ComputeWorker;
  #waiting: Job[] = [];
  #running: Running | null = null;
  #lastId = 0;
  /** The last compute that succeeded: a restarted worker is given it again when somebody asks about it. */
  #last: { readonly id: number; readonly request: ComputeRequest } | null = null;

  constructor(spawn: () => ComputeWorker = spawnWorker) {
    this.#reserve = new Reserve(spawn);
    this.#worker = this.#listenTo(this.#reserve.take().worker);
  }

  get status(): ClientStatus {
    return this.#status.current;
  }

  /** Calls `listener` at every change of `status`; the returned function ends that. */
  subscribe(listener: (status: ClientStatus) => void): () => void {
    return this.#status.subscribe(listener);
  }

  /**
   * Computes a problem. Whatever waits about the problem before it is dropped: its picture is about to go. What is under way
   * may finish, but an edit does not wait for it for long.
   */
  compute(request: ComputeRequest, options: AskOptions = {}): Promise<Outcome<ComputeResult>> {
    this.#drop((job) => isQuestion(job.request), 'superseded');
    const before = this.#running;
    const computed = this.#enqueue(request, options);
    if (before) this.#beImpatient(before);
    return computed;
  }

  #beImpatient(before: Running): void {
    const ifStill = (act: () => void) => () => {
      if (this.#running === before) act();
    };
    setTimeout(
      ifStill(() => this.#reserve.start()),
      RESERVE_AFTER_MS,
    );
    setTimeout(
      ifStill(() => this.#restart({ status: 'dropped', why: 'superseded' })),
      PATIENCE_MS,
    );
  }

  /** Any other request; questions quote the revision of the ComputeResult that they look into. */
  ask<R extends Exclude<Request, ComputeRequest>>(request: R, options: AskOptions = {}): Promise<Outcome<ResultOf<R>>> {
    return this.#enqueue(request, options);
  }

  /**
   * Stops everything at once: the worker is terminated and a new one started, to which the inputs and, when somebody
   * asks about it, the last problem are sent again. Also the way out after a failed start.
   */
  cancel(): void {
    if (this.#running === null && this.#waiting.length === 0 && this.status.worker !== 'failed') return;
    this.#drop(() => true, 'cancelled');
    this.#restart({ status: 'dropped', why: 'cancelled' });
  }

  /** Stops the question that is being answered, if one is; what waits goes on in a new worker. */
  stopQuestion(): void {
    if (this.#running && isQuestion(this.#running.job.request)) this.#restart({ status: 'dropped', why: 'cancelled' });
  }

  /** Ends the worker for good. */
  dispose(): void {
    this.#drop(() => true, 'cancelled');
    this.#running?.job.end({ status: 'dropped', why: 'cancelled' });
    this.#running = null;
    this.#reserve.drop();
    this.#stop();
  }

  #enqueue<R extends Request>(request: R, options: AskOptions): Promise<Outcome<ResultOf<R>>> {
    return new Promise((resolve) => {
      const { onProgress = () => undefined } = options;
      this.#drop((job) => job.request.type === request.type, 'superseded');
      // The worker answers with the id of the request, hence with the result type of the request.
      const done: Job['done'] = ({ result }) => resolve({ status: 'done', result: result as ResultOf<R> });
      this.#waiting.push({ request, onProgress, end: resolve, done });
      this.#next();
    });
  }

  #listenTo(worker: ComputeWorker): ComputeWorker {
    // A message that was under way when its worker was terminated must not be taken for one of the next worker.
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

  /** Gives the running request its end, if one is running, and continues with a new worker. */
  #restart(outcome: Outcome<never> | null): void {
    const running = this.#running;
    this.#running = null;
    this.#stop();
    const { worker, said } = this.#reserve.take();
    this.#worker = this.#listenTo(worker);
    this.#status.set(STARTING);
    for (const message of said) this.#receive(message);
    if (outcome) running?.job.end(outcome);
    this.#next();
  }

  #crashed(): void {
    // A worker that dies before it is ready would die again: that is for a person to judge.
    if (this.status.worker === 'ready') this.#restart({ status: 'failed', error: DIED });
    else this.#fail({ code: 'module_unavailable', field: '', message: NOT_STARTED });
  }

  #fail(error: ConvError): void {
    this.#status.set({ worker: 'failed', error, activity: null });
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
      if (this.status.activity !== null) this.#status.set({ activity: null });
      return;
    }
    const { error } = this.status;
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

  /** Computes the last problem again under its old id, for a worker that does not hold it, because `asking` needs it. */
  #restore(id: number, request: ComputeRequest, asking: Job): void {
    const end = (outcome: Outcome<never>): void => {
      this.#waiting = this.#waiting.filter((job) => job !== asking);
      asking.end(outcome);
    };
    this.#post(id, { request, onProgress: () => undefined, end, done: () => undefined });
  }

  #post(id: number, job: Job): void {
    try {
      const { request, transfer, sent } = pack(job.request, this.#residents.inputs);
      this.#worker.postMessage({ id, request }, transfer);
      if (request.type === 'compute') this.#residents.posted(request, sent);
      this.#running = { id, job, sent };
    } catch (thrown) {
      job.end({ status: 'failed', error: notSent(thrown) });
      this.#next();
      return;
    }
    this.#status.set({ activity: { type: job.request.type, phase: '', fraction: 0 } });
  }

  #receive(message: WorkerMessage): void {
    if (message.type === 'ready') this.#status.set({ worker: 'ready', variant: message.variant });
    else if (message.type === 'failed_to_start') this.#fail(message.error);
    else if (this.#running !== null && message.id === this.#running.id) this.#ofRunning(message, this.#running);
  }

  #ofRunning(message: Extract<WorkerMessage, { id: number }>, { id, job, sent }: Running): void {
    if (message.type === 'progress') {
      const { phase, fraction } = message;
      this.#status.set({ activity: { type: job.request.type, phase, fraction } });
      job.onProgress(phase, fraction);
      return;
    }
    if (message.type === 'error' && message.error.code === 'internal') {
      // The module may be in any state after a failure that nobody foresaw.
      this.#restart({ status: 'failed', error: message.error });
      return;
    }
    this.#running = null;
    this.#reserve.drop();
    if (message.type === 'error') {
      const stale = message.error.code === 'stale';
      job.end(stale ? { status: 'dropped', why: 'stale' } : { status: 'failed', error: message.error });
    } else {
      if (job.request.type === 'compute') {
        this.#residents.stored(id, sent);
        this.#last = { id, request: job.request };
      }
      job.done(message);
      if (job.request.type === 'compute' && isWasteful(message.memory)) this.#restart(null);
    }
    this.#next();
  }
}
