import { SessionHeap } from '../engine/session-heap';
import { ConvFailure, checkLength } from '../engine/validate';
import type { Extras } from '../protocol/layers';
import type {
  ComputeRequest,
  ComputeResult,
  LayerResult,
  Memory,
  Request,
  Result,
  RunReport,
  SentLoss,
} from '../protocol/messages';
import { PASSES, type Pass, type Tensor, type TensorName, type TensorStats } from '../protocol/problem';
import type { AnswerOf, Question } from '../protocol/questions';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/module';
import { type Beside, type Host, type OnProgress, Progress, problemIn, type QuestionContext, rowOf } from './answerer';
import type { answerQuestion } from './answers';
import { type Chain, chainOf } from './chain';
import { lossName, writeLoss } from './loss';
import type { hide as HideNumbers } from './masks';

const quiet: OnProgress = () => undefined;

/** A session in another module with the resident tensors of `from` (threads.ts); null: the session stays. */
export type Move = (from: SessionHeap, chain: Chain, loss: SentLoss) => SessionHeap | null;

/** What the page has of the last request. */
interface Computed {
  /** The sizes of all layers, as text. */
  readonly sizes: string;
  readonly x_stats: TensorStats;
  /** Versions of the tensors that were sent without hiding, by layer. */
  readonly sent: readonly ReadonlyMap<TensorName, number>[];
  readonly layers: readonly LayerResult[];
}

interface CurrentProblem extends QuestionContext {
  readonly revision: number;
  readonly computed: Computed;
}

/**
 * Synchronous, typed access to one session of the module; runs in the compute worker and in Node. Throws ConvFailure.
 * Everything that it returns is a copy: no result aliases the module's heap.
 */
export class ConvEngine implements Host {
  /** The session, as its first layer. */
  #heap: SessionHeap;
  /** Moves the session with the next problem; null: it stays. */
  #move: Move | null = null;
  #current: CurrentProblem | null = null;
  answering: Beside | null = null;

  /**
   * `answers` answers questions; the worker loads it after the first result (answers.ts). `hide` is loaded for the first request with
   * hidden values.
   */
  constructor(
    module: MainModule,
    public answers: typeof answerQuestion | null = null,
    public hide: typeof HideNumbers | null = null,
  ) {
    this.#heap = new SessionHeap(module);
  }

  /**
   * Sets a problem and computes all results. `revision` identifies the problem in later requests. If the request is
   * invalid (fields, geometry), the previous problem stays current.
   */
  compute(request: ComputeRequest, revision: number, onProgress: OnProgress = quiet): ComputeResult {
    const hides = request.hidden.length > 0;
    if (hides && !this.hide) throw new ConvFailure('unsupported', 'hidden', 'this engine cannot hide values');
    const { input, loss } = request;
    const layers = request.layers.map(({ kind, window, options }) => ({ kind, window, options }));
    const chain: Chain = { input, layers };
    this.#moveWith(chain, loss);
    const [heap, current] = [this.#heap, this.#current];
    const sizes = JSON.stringify(chain);
    const before = current?.computed.sizes === sizes ? current.computed : null;
    if (before) heap.setLoss(lossName(loss));
    else heap.setChain(...chainOf(heap.module, chain), lossName(loss));
    current?.kept.end?.();
    this.#current = null;
    writeInputs(heap, request);
    writeLoss(heap.end, loss, rowOf(heap.end).y_shape);
    const { result, computed } = computeProblem(heap, { request, sizes, before }, onProgress);
    const hidden = hides ? this.hide?.(heap, request, result) : null;
    this.#current = {
      ...{ heap, revision, problem: problemIn(heap), chain, computed, kept: {} },
      masks: hidden?.masks ?? null,
    };
    this.answering?.clear();
    return { ...(hidden?.result ?? result), revision };
  }

  get memory(): Memory {
    const { module } = this.#heap;
    const { held = 0, used = 0 } = this.answering ?? {};
    return { held: module.HEAPU8.length + held, used: module.heap_in_use() + used };
  }

  /** Moves to another module with the next problem that it can hold. */
  adopt(move: Move): void {
    this.#move = move;
  }

  #moveWith(chain: Chain, loss: SentLoss): void {
    const heap = this.#move?.(this.#heap, chain, loss);
    if (!heap) return;
    this.#heap.close();
    this.#heap = heap;
    this.#move = null;
    // Results are not moved: all of them run again and are sent.
    if (this.#current) this.#current = { ...this.#current, computed: { ...this.#current.computed, sent: [] } };
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
    return this.answers(current, question, onProgress);
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
  answer(request: Request, id: number, onProgress: OnProgress = quiet): Result {
    if (request.type === 'compute') return this.compute(request, id, onProgress);
    if (request.type === 'image') {
      const { data, width, height } = request.pixels;
      return { type: 'image', tensor: this.imageTensor(data, width, height, request.channels) };
    }
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

/** Writes x, and w and b of all layers. */
function writeInputs(heap: SessionHeap, { x, layers }: Pick<ComputeRequest, 'x' | 'layers'>): void {
  const inputs = heap.rows.flatMap((row, i) => {
    const [own, { w = null, b = null } = {}] = [heap.at(i), layers[i]];
    return [
      ...(i === 0 ? [{ own, name: 'x', input: x, length: shapeSize(row.x_shape) } as const] : []),
      ...(row.w_size > 0
        ? ([
            { own, name: 'w', input: w, length: row.w_size },
            { own, name: 'b', input: b, length: row.b_size },
          ] as const)
        : []),
    ];
  });
  // Check all lengths before the first write, so that a rejected request does not change resident tensors.
  for (const { own, name, input, length } of inputs) {
    if (input === null && name === 'b') continue;
    checkLength(input === 'resident' ? own.length(name) : (input?.length ?? 0), length, name);
  }
  for (const { own, name, input } of inputs) {
    if (input === null) own.release(name);
    else if (input !== 'resident') own.write(name, input);
  }
}

/** A request and what is known of it. `before`: what the page has of the same sizes. */
interface Work {
  readonly request: ComputeRequest;
  readonly sizes: string;
  readonly before: Computed | null;
}

/** Runs what is not current. */
function computeProblem(
  heap: SessionHeap,
  { request, sizes, before }: Work,
  onProgress: OnProgress,
): { readonly result: Omit<ComputeResult, 'revision'>; readonly computed: Computed } {
  const { layers, loss, hidden } = request;
  const { rows } = heap;
  layers.forEach(({ algorithms }, i) => {
    for (const pass of PASSES) {
      const name = algorithms[pass] ?? '';
      // The session knows the name that it has. Without weights, there is one algorithm.
      if (name !== '' || rows[i]?.w_size) heap.at(i).setAlgorithm(pass, name);
    }
  });

  const runs = layers.map((_, i): Partial<Record<Pass, RunReport>> => ({ ...before?.layers[i]?.runs }));
  const progress = new Progress(layers.length * PASSES.length + ('target' in loss ? 1 : 0), onProgress);
  for (let step = heap.next(); step; step = heap.next()) {
    const { layer, operation } = step;
    if (operation === 'loss') progress.part('dy', () => heap.runLoss());
    else {
      const run = progress.part(operation, (hook) => heap.at(layer).run(operation, hook));
      Object.assign(runs[layer] ?? {}, { [operation]: run });
    }
  }

  const hides = hidden.length > 0;
  const sent = layers.map(() => new Map<TensorName, number>());
  const results = layers.map((layer, i): LayerResult => {
    const [own, known] = [heap.at(i), before?.layers[i]?.stats];
    const { geometry, shapes } = problemIn(own);
    const tensors: Partial<Record<TensorName, Tensor>> = {};
    const unchanged: TensorName[] = [];
    for (const name of resultsOf(own)) {
      const version = own.version(name);
      // With hidden values all tensors are sent: values are removed while sending.
      if (hides || before?.sent[i]?.get(name) !== version) tensors[name] = own.read(name, shapes[name]);
      else unchanged.push(name);
      if (!hides) sent[i]?.set(name, version);
    }
    const statsOf = (name: 'w' | 'b') =>
      layer[name] === null ? null : (layer[name] === 'resident' && known?.[name]) || own.stats(name);
    return {
      ...{ geometry, tensors, unchanged, runs: runs[i] ?? {} },
      stats: { w: statsOf('w'), b: statsOf('b') },
      ...(tensors.y && { extras: extrasOf(own) }),
    };
  });
  heap.release('result');
  const x_stats = (request.x === 'resident' && before?.x_stats) || heap.stats('x');
  return {
    result: {
      ...{ type: 'compute', x_stats, layers: results },
      loss: 'target' in loss ? heap.session.loss() : null,
    },
    computed: { sizes, x_stats, sent, layers: results },
  };
}

/** The computed tensors of a layer, and dy. */
function resultsOf(heap: SessionHeap): readonly TensorName[] {
  const gradients = rowOf(heap).w_size > 0 ? (['dw', 'db'] as const) : [];
  return ['dy', 'y', ...(heap.layer === 0 ? (['dx'] as const) : []), ...gradients];
}

/** Sums of larger outputs are not sent. */
const MOST_AVERAGES = 2 ** 14;

function extrasOf(heap: SessionHeap): Extras {
  const { module, session, layer } = heap;
  const winners = session.winners(layer);
  if (winners.length > 0) return { winners: winners.slice() };
  if (heap.length('y') > MOST_AVERAGES || session.averages(layer).code !== module.ErrorCode.ok) return {};
  return { averages: { sums: heap.copy('result'), counts: session.indices(module.IndexSlot.a).slice() } };
}
