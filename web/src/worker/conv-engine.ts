import { OPERATIONS, type Operation, SessionHeap } from '../engine/session-heap';
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
  DySource,
  Memory,
  Request,
  Result,
  RunReport,
  TensorInput,
} from '../protocol/messages';
import { PASSES, type Pass, RESULT_OF, type Shape, type Tensor, type TensorName } from '../protocol/problem';
import type { AnswerOf, Question } from '../protocol/questions';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/module';
import { type Beside, type Host, type OnProgress, type Problem, Progress, type QuestionContext } from './answerer';
import type { answerQuestion } from './answers';
import type { Net } from './chain';
import { checkDySource, needsOutput, writeDy } from './dy';
import type { hide as HideNumbers } from './masks';
import type { networks as Networks } from './network';

/** Requests that the engine handles alone. Image files are first decoded by the browser (decode-image.ts). */
export type EngineRequest = Exclude<Request, DecodeImageRequest>;

/** Inputs that move to another module. */
const RESIDENTS = ['x', 'w', 'b', 'target'] as const;
const quiet: OnProgress = () => undefined;

/** What the page has of the last request. */
interface Computed {
  /** The sizes of all layers, as text. */
  readonly sizes: string;
  readonly source: DySource['kind'];
  readonly algorithms: ComputeRequest['algorithms'];
  readonly stats: ComputeResult['input_stats'];
  readonly runs: ComputeResult['runs'];
  /** Versions of the tensors that were sent without hiding. */
  readonly sent: ReadonlyMap<TensorName, number>;
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
  #heap: SessionHeap;
  /** The module for the next problem; null: no change. */
  #next: MainModule | null = null;
  #current: CurrentProblem | null = null;
  answering: Beside | null = null;

  /**
   * `answers` answers questions; the worker loads it after the first result (answers.ts). `hide` and `networks` are loaded for the
   * first request with hidden values and with several layers.
   */
  constructor(
    module: MainModule,
    public answers: typeof answerQuestion | null = null,
    public hide: typeof HideNumbers | null = null,
    public networks: typeof Networks | null = null,
  ) {
    this.#heap = new SessionHeap(module);
  }

  /**
   * Sets a problem and computes the requested results. `revision` identifies the problem in later requests. If the request is
   * invalid (types, geometry), the previous problem stays current.
   */
  compute(request: ComputeRequest, revision: number, onProgress: OnProgress = quiet): ComputeResult {
    checkRequest(this.#heap.module, request);
    const { networks } = this;
    if (request.network && !networks) throw new ConvFailure('unsupported', 'network', 'this engine has one layer');
    if (request.hidden && !this.hide) throw new ConvFailure('unsupported', 'hidden', 'this engine cannot hide values');
    const net = request.network && networks ? networks.netOf(request, request.network) : null;
    if (this.#next !== null) this.#move(this.#next, request);
    const [heap, current] = [this.#heap, this.#current];
    const sizes = JSON.stringify([request.desc, net?.layers.map(({ w, b, ...sizes }) => sizes), net?.input]);
    const before = current?.computed.sizes === sizes ? current.computed : null;
    if (!before) {
      const chain = net && networks?.chainOf(heap.module, net);
      if (chain) heap.setChain(chain.input, chain.layers);
      else heap.setProblem(request.desc);
    }
    current?.kept.end?.();
    this.#current = null;
    const open = heap.at(net?.open ?? 0);
    const problem = before && current ? current.problem : problemOf(open);
    const source = request.dy === 'resident' ? before?.source : request.dy.kind;
    if (source === undefined) refuse('dy', 'dy is resident, but the session has none');
    writeInputs(heap, net?.layers ?? [request], request.x);
    const work = { request, sizes, source, net, before };
    const { result, computed } = computeProblem(open, problem, work, onProgress);
    const whole = net && networks ? networks.resultOf(heap, net, heapLoss(heap, source)) : null;
    const hiding = whole && request.hidden && networks ? networks.hide(heap, whole, request.hidden, open.layer) : null;
    const asked = hiding ? { ...request, hidden: hiding.own } : request;
    const hidden = request.hidden && this.hide?.(open, problem.shapes, asked, result);
    this.#current = {
      ...{ heap: open, revision, problem, computed, kept: {} },
      masks: hidden?.masks ?? null,
      network: net && networks ? networks.answers(heap, net) : null,
    };
    this.answering?.clear();
    const own = { ...(hidden?.result ?? result), revision };
    return whole ? withNetwork(own, hiding?.shown ?? whole, open.layer) : own;
  }

  get memory(): Memory {
    const { module } = this.#heap;
    const { held = 0, used = 0 } = this.answering ?? {};
    return { held: module.HEAPU8.length + held, used: module.heap_in_use() + used };
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
    const source = this.#current?.computed.source;
    try {
      // A network has no resident tensors.
      if (!request.network) {
        heap.setProblem(request.desc);
        for (const name of RESIDENTS) heap.take(name, this.#heap.at(0));
        if (source !== undefined && needsOutput(source)) heap.setLoss(source);
        else if (request.dy === 'resident') heap.take('dy', this.#heap.at(0));
      }
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
    if (!this.#current) return;
    const { computed } = this.#current;
    const sizes = request.network ? '' : computed.sizes;
    this.#current = { ...this.#current, computed: { ...computed, sizes, runs: {}, sent: new Map() } };
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
  const optional = (['hidden', 'network'] as const).filter((name) => request[name]);
  checkFields(request, [...REQUEST_FIELDS, ...optional], 'the request');
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

/** The problem of the open layer. */
function problemOf(open: SessionHeap): Problem {
  const row = open.rows[open.layer];
  if (!row) throw new ConvFailure('internal', '', 'the session has no such layer');
  const { x_shape: x, w_shape: w, y_shape: y } = row;
  const geometry = plainGeometry(open.module, row.geometry);
  const b: Shape = [1, 1, 1, geometry.k];
  return { geometry, shapes: { x, w, b, y, dy: y, dx: x, dw: w, db: b } };
}

/** Weights of a layer; null: it has none. */
interface Weights {
  readonly w: TensorInput | null;
  readonly b: TensorInput | null;
}

/** Writes x, and w and b of all layers. */
function writeInputs(heap: SessionHeap, layers: readonly Weights[], x: TensorInput): void {
  const inputs = heap.rows.flatMap((row, i) => {
    const own = heap.at(i);
    const layer = layers[i];
    return [
      ...(i === 0 ? [{ own, name: 'x', input: x, length: shapeSize(row.x_shape) } as const] : []),
      ...(row.w_size > 0
        ? ([
            { own, name: 'w', input: layer?.w ?? null, length: row.w_size },
            { own, name: 'b', input: layer?.b ?? null, length: row.b_size },
          ] as const)
        : []),
    ];
  });
  // Check all lengths before the first write, so that a rejected request does not change resident tensors.
  for (const { own, name, input, length } of inputs) {
    if (input === null) continue;
    checkLength(input === 'resident' ? own.length(name) : checkFloats(input, name).length, length, name);
  }
  for (const { own, name, input } of inputs) {
    if (input === null) own.release(name);
    else if (input !== 'resident') own.write(name, input);
  }
}

/** The loss at the end; null if dy is given. */
const heapLoss = (heap: SessionHeap, source: DySource['kind']): number | null =>
  needsOutput(source) ? heap.session.loss() : null;

/** A request and what is known of it. `before`: what the page has of the same sizes. */
interface Work {
  readonly request: ComputeRequest;
  readonly sizes: string;
  readonly source: DySource['kind'];
  readonly net: Net | null;
  readonly before: Computed | null;
}

/** Runs what is not current, of the passes that are wanted; of a network all. */
function computeProblem(
  open: SessionHeap,
  problem: Problem,
  { request, sizes, source, net, before }: Work,
  onProgress: OnProgress,
): { readonly result: Omit<ComputeResult, 'revision'>; readonly computed: Computed } {
  const { algorithms, dy, hidden } = request;
  const end = open.end;
  for (const pass of PASSES) {
    if (!before || before.algorithms[pass] !== algorithms[pass]) open.setAlgorithm(pass, algorithms[pass] ?? '');
  }

  const wanted = PASSES.filter((pass) => request.passes.includes(pass));
  const needed = OPERATIONS.filter(
    (operation) =>
      net !== null || wanted.some((pass) => pass === operation) || (needsOutput(source) && isOfLoss(operation)),
  );
  const runs: Partial<Record<Pass, RunReport>> = { ...before?.runs };
  const steps = needed.length * (net?.layers.length ?? 1);
  const progress = new Progress(steps, onProgress);
  const runAll = (operations: readonly Operation[]): void => {
    for (let step = open.next(operations); step; step = open.next(operations)) {
      const { layer, operation } = step;
      if (operation === 'loss') progress.part('dy', () => open.runLoss());
      else {
        const run = progress.part(operation, (hook) => open.at(layer).run(operation, hook));
        if (layer === open.layer) runs[operation] = run;
      }
    }
  };
  runAll(needed.filter((operation) => operation === 'forward'));
  if (dy !== 'resident') writeDy(end, dy, end.rows.at(-1)?.y_shape ?? problem.shapes.y);
  runAll(needed);

  const tensors: Partial<Record<TensorName, Tensor>> = {};
  const unchanged: TensorName[] = [];
  const sent = new Map<TensorName, number>();
  for (const name of ['dy', ...wanted.map((pass) => RESULT_OF[pass])] as const) {
    const version = open.version(name);
    // With hidden values all tensors are sent: values are removed while sending.
    if (hidden || before?.sent.get(name) !== version) tensors[name] = open.read(name, problem.shapes[name]);
    else unchanged.push(name);
    if (!hidden) sent.set(name, version);
  }
  open.release('result');
  const statsOf = (name: 'x' | 'w') => (before && request[name] === 'resident' ? before.stats[name] : open.stats(name));
  const stats = { x: statsOf('x'), w: statsOf('w'), b: request.b === null ? null : open.stats('b') };
  const reported = Object.fromEntries(Object.entries(runs).filter(([pass]) => needed.includes(pass as Pass)));
  const loss = open.layer === end.layer ? heapLoss(open, source) : null;
  return {
    result: {
      ...{ type: 'compute', geometry: problem.geometry, input_stats: stats },
      ...{ tensors, unchanged, loss, runs: reported },
    },
    computed: { sizes, source, algorithms, stats, runs, sent },
  };
}

const isOfLoss = (operation: Operation): boolean => operation === 'forward' || operation === 'loss';

/** The result of the open layer with its network, which computes its x. */
function withNetwork(own: ComputeResult, network: NonNullable<ComputeResult['network']>, open: number): ComputeResult {
  const x = network.values[open];
  const tensors = open > 0 && x ? { ...own.tensors, x: { ...x, data: x.data.slice() } } : own.tensors;
  return { ...own, tensors, network };
}
