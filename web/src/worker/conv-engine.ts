import { ConvFailure } from '../engine/failure';
import { SessionHeap } from '../engine/session-heap';
import { checkFields } from '../engine/validate';
import type { ComputeRequest, ComputeResult, DecodeImageRequest, Memory, Request, Result } from '../protocol/messages';
import type { Tensor } from '../protocol/problem';
import type { AnswerOf, Question } from '../protocol/questions';
import type { MainModule } from '../wasm/module';
import type { Masks, OnProgress, Problem } from './answerer';
import type { answerQuestion } from './answers';
import { type ComputedState, checkRequest, computeProblem, isSameProblem, setProblem } from './compute';
import type { hide as HideNumbers } from './masks';

/** Requests that the engine handles alone. Image files are first decoded by the browser (decode-image.ts). */
export type EngineRequest = Exclude<Request, DecodeImageRequest>;

/** Tensors that a session keeps from one problem to the next. */
const RESIDENTS = ['x', 'w', 'b', 'dy', 'target'] as const;
const quiet: OnProgress = () => undefined;

interface CurrentProblem {
  readonly revision: number;
  readonly problem: Problem;
  readonly masks: Masks | null;
  readonly computed: ComputedState;
}

/**
 * Synchronous, typed access to one session of the module; runs in the compute worker and in Node. Throws ConvFailure.
 * Everything that it returns is a copy: no result aliases the module's heap.
 */
export class ConvEngine {
  #module: MainModule;
  #heap: SessionHeap;
  /** The module for the next problem; null: no change. */
  #next: MainModule | null = null;
  #current: CurrentProblem | null = null;

  /**
   * `answers` answers questions; the worker loads it after the first result (answers.ts). `hide` is loaded for the first
   * request with hidden values.
   */
  constructor(
    module: MainModule,
    public answers: typeof answerQuestion | null = null,
    public hide: typeof HideNumbers | null = null,
  ) {
    this.#module = module;
    this.#heap = new SessionHeap(module);
  }

  /**
   * Sets a problem and computes the requested results. `revision` identifies the problem in later requests. If the request is
   * invalid (types, geometry), the previous problem stays current.
   */
  compute(request: ComputeRequest, revision: number, onProgress: OnProgress = quiet): ComputeResult {
    checkRequest(this.#module, request);
    if (this.#next !== null) this.#move(this.#next, request);
    const [module, heap, current] = [this.#module, this.#heap, this.#current];
    const same = current !== null && isSameProblem(current.computed, request) ? current : null;
    const problem = same?.problem ?? setProblem(module, heap, request);
    this.#current = null;
    const state = { module, heap, problem, before: same?.computed ?? null };
    const { result: whole, computed } = computeProblem(state, request, onProgress);
    if (request.hidden && !this.hide) throw new ConvFailure('unsupported', 'hidden', 'this engine cannot hide values');
    const { result, masks } = (request.hidden && this.hide?.(this.#heap, problem, request, whole)) ?? {
      result: whole,
      masks: null,
    };
    this.#current = { revision, problem, masks, computed };
    return { ...result, revision };
  }

  get memory(): Memory {
    return { held: this.#module.HEAPU8.length, used: this.#module.heap_in_use() };
  }

  /** Uses another module from the next problem on. */
  adopt(module: MainModule): void {
    this.#next = module;
  }

  /**
   * Moves the resident tensors to `next`. If the request is invalid or memory is missing, the session is unchanged.
   */
  #move(next: MainModule, request: ComputeRequest): void {
    const heap = new SessionHeap(next);
    try {
      setProblem(next, heap, request);
      for (const name of RESIDENTS) heap.take(name, this.#heap);
    } catch (thrown) {
      heap.session.close_session();
      if (thrown instanceof ConvFailure) return;
      throw thrown;
    }
    this.#heap.session.close_session();
    this.#module = next;
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
    const context = { module: this.#module, heap: this.#heap, problem: current.problem, masks: current.masks };
    return this.answers(context, question, onProgress);
  }

  /** Pixels (r, g, b, a) of 0..255 as an NHWC tensor of 0..1 with 1 (gray) or 3 channels. */
  imageTensor(rgba: Uint8ClampedArray, width: number, height: number, channels: 1 | 3): Tensor {
    const { session } = this.#heap;
    this.#heap.must(session.reserve_pixels(rgba.length));
    session.pixels().set(rgba);
    this.#heap.must(session.tensor_of_pixels(channels));
    const tensor = this.#heap.read('result', [1, height, width, channels]);
    this.#heap.release('result');
    return tensor;
  }

  /** Dispatches on the type of the request; `id` becomes the revision of a compute. */
  answer(request: EngineRequest, id: number, onProgress: OnProgress = quiet): Result {
    if (request.type === 'compute') return this.compute(request, id, onProgress);
    checkFields(request, ['type', 'revision', 'question'], 'the request');
    return { type: 'question', answer: this.ask(request.revision, request.question, onProgress) };
  }

  /** Frees the session's memory; the engine must not be used afterwards. */
  dispose(): void {
    this.#current = null;
    this.#heap.session.close_session();
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
