import { ConvFailure } from '../engine/failure';
import { SessionHeap } from '../engine/session-heap';
import { checkFields } from '../engine/validate';
import type { ComputeRequest, ComputeResult, DecodeImageRequest, Memory, Request, Result } from '../protocol/messages';
import type { Tensor } from '../protocol/problem';
import type { AnswerOf, Question } from '../protocol/questions';
import type { MainModule } from '../wasm/module';
import type { Masks, Problem } from './answerer';
import type { answerQuestion } from './answers';
import { computeProblem, setProblem } from './compute';
import type { hide as HideNumbers } from './masks';
import type { OnProgress } from './progress';

/** What the engine answers by itself; an image file is decoded by the browser first (decode-image.ts). */
export type EngineRequest = Exclude<Request, DecodeImageRequest>;

/** What a session keeps from one problem to the next. */
const RESIDENTS = ['x', 'w', 'b'] as const;
const quiet: OnProgress = () => undefined;

/**
 * Synchronous, typed access to one session of the module; runs in the compute worker and in Node. Throws ConvFailure.
 * Everything that it returns is a copy: no result aliases the module's heap.
 */
export class ConvEngine {
  #module: MainModule;
  #heap: SessionHeap;
  /** The module that the next problem is computed with. */
  #next: MainModule | null = null;
  #current: { readonly revision: number; readonly problem: Problem; readonly masks: Masks | null } | null = null;

  /**
   * `answers` is what `ask` answers with; the worker fetches it behind the first numbers (answers.ts). `hide` is fetched when
   * something is to be hidden.
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
   * Sets a problem and computes what the request asks for. `revision` names the problem for later requests. On an error
   * before anything of the session was touched (kinds, geometry), the problem before stays current.
   */
  compute(request: ComputeRequest, revision: number, onProgress: OnProgress = quiet): ComputeResult {
    if (this.#next !== null) this.#move(this.#next, request);
    const problem = setProblem(this.#module, this.#heap, request);
    this.#current = null;
    const whole = computeProblem(this.#module, this.#heap, problem, request, onProgress);
    if (request.hidden && !this.hide) throw new ConvFailure('unsupported', 'hidden', 'this engine hides nothing');
    const { result, masks } = (request.hidden && this.hide?.(this.#heap, problem, request, whole)) ?? {
      result: whole,
      masks: null,
    };
    this.#current = { revision, problem, masks };
    return { ...result, revision };
  }

  get memory(): Memory {
    return { held: this.#module.HEAPU8.length, used: this.#module.heap_in_use() };
  }

  /** Has the problems from the next one on computed by another module; the current one stays where it is until then. */
  adopt(module: MainModule): void {
    this.#next = module;
  }

  /**
   * Takes the tensors that requests may call resident over to `next`. What it refuses, the request or the memory, leaves
   * the session as it was.
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
  }

  /** Answers a question about the current problem. Error stale when `revision` is not the current one. */
  ask<Q extends Question>(revision: number, question: Q, onProgress: OnProgress = quiet): AnswerOf<Q> {
    const current = this.#current;
    if (current === null || current.revision !== revision) {
      const held = current === null ? 'none' : String(current.revision);
      const message = `the question is about revision ${revision}, but the session holds ${held}`;
      throw new ConvFailure('stale', 'revision', message);
    }
    if (this.answers === null)
      throw new ConvFailure('unsupported', '', 'this engine has nothing to answer questions with');
    const asked = { module: this.#module, heap: this.#heap, problem: current.problem, masks: current.masks };
    return this.answers(asked, question, onProgress);
  }

  /** Pixels (r, g, b, a) of 0..255 as an NHWC tensor of 0..1 with 1 (grey) or 3 channels. */
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
