import { SessionHeap } from '../engine/session-heap';
import {
  ConvFailure,
  checkFields,
  checkFloats,
  checkLength,
  checkList,
  checkMember,
  checkText,
  plainGeometry,
  refuse,
} from '../engine/validate';
import type {
  ComputeRequest,
  ComputeResult,
  DecodeImageRequest,
  Memory,
  Request,
  Result,
  RunReport,
} from '../protocol/messages';
import {
  type ConvDesc,
  PASSES,
  type Pass,
  RESULT_OF,
  type Shape,
  type Tensor,
  type TensorName,
} from '../protocol/problem';
import type { AnswerOf, Question } from '../protocol/questions';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/module';
import { type Beside, type Host, type OnProgress, type Problem, Progress, type QuestionContext } from './answerer';
import type { answerQuestion } from './answers';
import type { ChainAnswers } from './chain-answers';
import { type ComputedState, checkDySource, isSameProblem, needsOutput, outdatedBy, writeDy } from './dy';
import type { hide as HideNumbers } from './masks';

/** Requests that the engine handles alone. Image files are first decoded by the browser (decode-image.ts). */
export type EngineRequest = Exclude<Request, DecodeImageRequest>;

/** Tensors that a session keeps from one problem to the next. */
const RESIDENTS = ['x', 'w', 'b', 'dy', 'target'] as const;
const quiet: OnProgress = () => undefined;

interface CurrentProblem extends Omit<QuestionContext, 'heap'> {
  readonly revision: number;
  readonly computed: ComputedState;
}

/**
 * Synchronous, typed access to one session of the module; runs in the compute worker and in Node. Throws ConvFailure.
 * Everything that it returns is a copy: no result aliases the module's heap.
 */
export class ConvEngine implements Host {
  #heap: SessionHeap;
  /** The module for the next problem; null: no change. */
  #next: MainModule | null = null;
  #current: CurrentProblem | null = null;
  /** The network engine of the worker (network.ts); null until the first network. */
  beside: Beside | null = null;
  answering: Beside | null = null;

  /**
   * `answers` answers questions; the worker loads it after the first result (answers.ts). `hide` is loaded for the first
   * request with hidden values.
   */
  constructor(
    module: MainModule,
    public answers: typeof answerQuestion | null = null,
    public hide: typeof HideNumbers | null = null,
  ) {
    this.#heap = new SessionHeap(module);
  }

  /**
   * Sets a problem and computes the requested results. `revision` identifies the problem in later requests. If the request is
   * invalid (types, geometry), the previous problem stays current. `network`: the problem is the open layer of one.
   */
  compute(
    request: ComputeRequest,
    revision: number,
    onProgress: OnProgress = quiet,
    network: ChainAnswers | null = null,
  ): ComputeResult {
    checkRequest(this.#heap.module, request);
    if (this.#next !== null) this.#move(this.#next, request);
    const [heap, current] = [this.#heap, this.#current];
    const same = current !== null && isSameProblem(current.computed, request) ? current : null;
    const problem = same?.problem ?? setProblem(heap, request.desc);
    current?.kept.end?.();
    this.#current = null;
    const { result, computed } = computeProblem(heap, problem, same?.computed ?? null, request, onProgress);
    if (request.hidden && !this.hide) throw new ConvFailure('unsupported', 'hidden', 'this engine cannot hide values');
    const hidden = request.hidden && this.hide?.(heap, problem.shapes, request, result);
    this.#current = { revision, problem, masks: hidden?.masks ?? null, network, computed, kept: {} };
    if (!network) this.beside?.clear();
    this.answering?.clear();
    return { ...(hidden?.result ?? result), revision };
  }

  get memory(): Memory {
    const { module } = this.#heap;
    const { held = 0, used = 0 } = this.beside ?? {};
    const { held: more = 0, used: ofThese = 0 } = this.answering ?? {};
    return { held: module.HEAPU8.length + held + more, used: module.heap_in_use() + used + ofThese };
  }

  get isNetwork(): boolean {
    return !!this.#current?.network;
  }

  adopt(module: MainModule): void {
    this.#next = module;
  }

  /**
   * Moves the resident tensors to `next`. If the request is invalid or memory is missing, the session is unchanged; if memory
   * is missing, `next` is given up: each try takes a session and copies.
   */
  #move(next: MainModule, request: ComputeRequest): void {
    const heap = new SessionHeap(next);
    try {
      heap.setProblem(request.desc);
      for (const name of RESIDENTS) heap.take(name, this.#heap);
    } catch (thrown) {
      heap.close();
      if (!(thrown instanceof ConvFailure)) throw thrown;
      if (thrown.code === 'out_of_memory') this.#next = null;
      return;
    }
    this.#heap.close();
    this.#heap = heap;
    this.#next = null;
    // Results are not moved.
    if (this.#current)
      this.#current = { ...this.#current, computed: { ...this.#current.computed, runs: {}, sent: new Set() } };
  }

  /** Answers a question about the current problem. Error: stale, if `revision` is not the current one. */
  ask<Q extends Question>(revision: number, question: Q, onProgress: OnProgress = quiet): AnswerOf<Q> {
    const current = this.#current;
    if (current === null || current.revision !== revision) {
      const actual = current === null ? 'none' : String(current.revision);
      const message = `the question is about revision ${revision}, but the current revision is ${actual}`;
      throw new ConvFailure('stale', 'revision', message);
    }
    if (this.answers === null) throw new ConvFailure('unsupported', '', 'this engine cannot answer questions');
    return this.answers({ heap: this.#heap, ...current }, question, onProgress);
  }

  /** Pixels (r, g, b, a) of 0..255 as an NHWC tensor of 0..1 with 1 (gray) or 3 channels. */
  imageTensor(rgba: Uint8ClampedArray, width: number, height: number, channels: 1 | 3): Tensor {
    const { session } = this.#heap;
    this.#heap.must(session.reserve_pixels(rgba.length));
    session.pixels().set(rgba);
    this.#heap.must(session.tensor_of_pixels(channels));
    return this.#heap.drain('result', [1, height, width, channels]);
  }

  /** Dispatches on the type of the request; `id` becomes the revision of a compute. */
  answer(request: EngineRequest, id: number, onProgress: OnProgress = quiet): Result {
    if (request.type === 'compute') return this.compute(request, id, onProgress);
    checkFields(request, ['type', 'revision', 'question'], 'the request');
    return { type: 'question', answer: this.ask(request.revision, request.question, onProgress) };
  }

  /** Frees the session's memory; the engine must not be used afterwards. */
  dispose(): void {
    this.#current?.kept.end?.();
    this.#current = null;
    this.#heap.close();
  }
}

/** The buffers of every typed array in a result. All are copies, so they can be transferred. */
export function buffersOf(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && !found.includes(value.buffer)) found.push(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) buffersOf(member, found);
  }
  return found;
}

const REQUEST_FIELDS = ['type', 'desc', 'x', 'w', 'b', 'dy', 'passes', 'algorithms'];

/** Checks all types in a request, before the session is changed. */
function checkRequest(module: MainModule, request: ComputeRequest): void {
  checkFields(request, request.hidden ? [...REQUEST_FIELDS, 'hidden'] : REQUEST_FIELDS, 'the request');
  for (const name of ['x', 'w', 'b'] as const) {
    if (request[name] !== 'resident' && !(name === 'b' && request.b === null)) checkFloats(request[name], name);
  }
  if (request.dy !== 'resident') checkDySource(request.dy);
  for (const pass of checkList(request.passes, 'passes')) checkMember(module.Pass, pass, 'passes');
  for (const [pass, algorithm] of Object.entries(request.algorithms)) {
    checkMember(module.Pass, pass, 'algorithms');
    checkText(algorithm, `algorithms.${pass}`);
  }
}

function setProblem(heap: SessionHeap, desc: ConvDesc): Problem {
  const { geometry, x_shape: x, w_shape: w, y_shape: y } = heap.setProblem(desc);
  const b: Shape = [1, 1, 1, geometry.k];
  return { geometry: plainGeometry(heap.module, geometry), shapes: { x, w, b, y, dy: y, dx: x, dw: w, db: b } };
}

function writeInputs(heap: SessionHeap, problem: Problem, request: ComputeRequest): void {
  const names = ['x', 'w', 'b'] as const;
  // Check all lengths before the first write, so that a rejected request does not change resident tensors.
  for (const name of names) {
    const input = request[name];
    if (input === null) continue;
    checkLength(input === 'resident' ? heap.length(name) : input.length, shapeSize(problem.shapes[name]), name);
  }
  for (const name of names) {
    const input = request[name];
    if (input === null) heap.release(name);
    else if (input !== 'resident') heap.write(name, input);
  }
}

/**
 * Computes a request for the current problem. Reuses results that depend only on resident tensors. `before`: null if the session has
 * no results of the problem.
 */
function computeProblem(
  heap: SessionHeap,
  problem: Problem,
  before: ComputedState | null,
  request: ComputeRequest,
  onProgress: OnProgress,
): { readonly result: Omit<ComputeResult, 'revision'>; readonly computed: ComputedState } {
  const { desc, algorithms, dy, hidden } = request;
  const source = dy === 'resident' ? before?.source : dy.kind;
  if (source === undefined) refuse('dy', 'dy is resident, but the session has none');
  writeInputs(heap, problem, request);
  const wanted = PASSES.filter((pass) => request.passes.includes(pass));
  const needed = PASSES.filter((pass) => wanted.includes(pass) || (pass === 'forward' && needsOutput(source)));
  const outdated = outdatedBy(request, before, source);
  const due = needed.filter((pass) => outdated.passes.has(pass));
  // Release outdated results, so that no question reads them.
  for (const pass of outdated.passes) if (!needed.includes(pass)) heap.release(RESULT_OF[pass]);

  const progress = new Progress(due.length + Number(outdated.dy), onProgress);
  const runs: Partial<Record<Pass, RunReport>> = {};
  for (const pass of PASSES) {
    const kept = before?.runs[pass];
    if (kept && !outdated.passes.has(pass)) runs[pass] = kept;
  }
  const runPass = (pass: Pass): void => {
    runs[pass] = progress.part(pass, (step) => heap.run(pass, algorithms[pass] ?? '', step));
  };
  if (due.includes('forward')) runPass('forward');
  const loss = outdated.dy
    ? progress.part('dy', () => writeDy(heap, dy === 'resident' ? source : dy, problem.shapes.y))
    : (before?.loss ?? null);
  for (const pass of due) if (pass !== 'forward') runPass(pass);

  const tensors: Partial<Record<TensorName, Tensor>> = {};
  const unchanged: TensorName[] = [];
  const send = (name: TensorName, isNew: boolean): void => {
    // With hidden values all tensors are sent: values are removed while sending.
    if (isNew || hidden || !before?.sent.has(name)) tensors[name] = heap.read(name, problem.shapes[name]);
    else unchanged.push(name);
  };
  send('dy', outdated.dy);
  for (const pass of wanted) send(RESULT_OF[pass], due.includes(pass));
  heap.release('result');
  const statsOf = (name: 'x' | 'w') => (before && request[name] === 'resident' ? before.stats[name] : heap.stats(name));
  const stats = { x: statsOf('x'), w: statsOf('w'), b: request.b === null ? null : heap.stats('b') };
  const reported = Object.fromEntries(Object.entries(runs).filter(([pass]) => needed.includes(pass as Pass)));
  const sent = new Set<TensorName>(hidden ? [] : ['dy', ...wanted.map((pass) => RESULT_OF[pass])]);
  return {
    result: {
      ...{ type: 'compute', geometry: problem.geometry, input_stats: stats },
      ...{ tensors, unchanged, loss, runs: reported },
    },
    computed: { desc, algorithms, hasBias: request.b !== null, source, loss, stats, runs, sent },
  };
}
