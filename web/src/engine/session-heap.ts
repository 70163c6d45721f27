import type { RunReport } from '../protocol/messages';
import { type ConvDesc, PASSES, type Pass, type Shape, type Tensor, type TensorStats } from '../protocol/problem';
import type { AlgorithmInfo } from '../protocol/questions';
import { type MainModule, type Status, textOf } from '../wasm/module';
import { ConvFailure, embindLayer, nameOfMember } from './validate';

export type Slot = keyof MainModule['Slot'];
export type LayerRow = ReturnType<MainModule['set_problem']>['layers'][number];
/** What a session sets: the sizes of x, and the layers. */
type Args = Parameters<MainModule['set_problem']>;
export type ChainInput = Args[1];
export type ChainLayers = Args[2];

/** The steps of a layer, in the order of the module's enumeration; the first four are the passes. */
const OPERATIONS = [...PASSES, 'loss'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface LayerStep {
  readonly layer: number;
  readonly operation: Operation;
}

/** Called between blocks of work; must not throw. */
export type Step = (done: number, total: number) => void;

export type Checked = Status | { readonly status: Status };

/** The result of a call, or its status. Throws a ConvFailure unless it is ok. */
export function must<Result extends Checked>({ ErrorCode }: Pick<MainModule, 'ErrorCode'>, result: Result): Result {
  const { code, field, message } = 'status' in result ? result.status : result;
  const name = code === ErrorCode.ok ? 'ok' : nameOfMember(ErrorCode, code);
  if (name !== 'ok') throw new ConvFailure(name, textOf(field), textOf(message));
  return result;
}

export const plainStats = ({ min, max, max_abs, not_finite }: TensorStats): TensorStats => ({
  min,
  max,
  max_abs,
  not_finite,
});

/** The error of a chain of one layer: neither its field nor its message names the layer. */
function withoutLayer({ code, field, message }: ConvFailure): ConvFailure {
  return new ConvFailure(code, field.replace(/^layers\[0\]\.?/, ''), message.replace(/^layers\[0\] \(\w+\): /, ''));
}

/**
 * A layer of a session that throws failures and copies values. Views of the heap are created when needed and never stored,
 * because growing memory detaches them. Tensors that are not current are empty.
 */
export class SessionHeap {
  readonly session: Session;
  /** What the session has set. */
  readonly #chain: { rows: readonly LayerRow[]; set?: [ChainInput, ChainLayers, loss: string] };

  /** Opens a session, and stands for its first layer. */
  constructor(
    readonly module: MainModule,
    readonly layer = 0,
    of?: SessionHeap,
  ) {
    this.session = of?.session ?? openSession(module);
    this.#chain = of ? of.#chain : { rows: [] };
  }

  /** Another layer of the same session, counted from 0. */
  at(layer: number): SessionHeap {
    return layer === this.layer ? this : new SessionHeap(this.module, layer, this);
  }

  /** The last layer. */
  get end(): SessionHeap {
    return this.at(Math.max(0, this.rows.length - 1));
  }

  get rows(): readonly LayerRow[] {
    return this.#chain.rows;
  }

  close(): void {
    this.session.close_session();
  }

  must<Result extends Checked>(result: Result): Result {
    try {
      return must(this.module, result);
    } catch (thrown) {
      throw thrown instanceof ConvFailure && this.rows.length < 2 ? withoutLayer(thrown) : thrown;
    }
  }

  /** Sets a chain of one convolution. If it throws, the session still has the previous problem. */
  setProblem(desc: ConvDesc): LayerRow {
    const layer = embindLayer(this.module, desc);
    const { layout, n, h, w, c } = layer.windows;
    const [row] = this.setChain({ layout, n, h, w, c }, [layer]);
    if (!row) throw new ConvFailure('internal', '', 'the module has set no layer');
    return row;
  }

  /** As setProblem. Keeps the loss. */
  setChain(input: ChainInput, layers: ChainLayers, loss = this.#chain.set?.[2] ?? 'linear'): readonly LayerRow[] {
    const before = this.rows;
    if (layers.length < 2) this.#chain.rows = [];
    try {
      this.#chain.rows = this.must(this.session.set_problem(input, layers, loss)).layers;
      this.#chain.set = [input, layers, loss];
    } catch (thrown) {
      this.#chain.rows = before;
      throw thrown;
    }
    return this.rows;
  }

  slot(name: Slot): MainModule['Slot'][Slot] {
    return this.module.Slot[name];
  }

  view(name: Slot): Float32Array {
    return this.session.values(this.layer, this.slot(name));
  }

  length(name: Slot): number {
    return this.view(name).length;
  }

  /** Another number for each write and run; 0 for a tensor without values. */
  version(name: Slot): number {
    return this.session.version(this.layer, this.slot(name));
  }

  /** Memory to be written. */
  reserve(name: Slot, length: number): Float32Array {
    // Calling reserve takes longer than writing a small tensor.
    if (this.length(name) !== length) this.must(this.session.reserve(this.layer, this.slot(name), length));
    return this.session.writable(this.layer, this.slot(name));
  }

  write(name: Slot, values: Float32Array): void {
    this.reserve(name, values.length).set(values);
  }

  writeIndices(which: keyof MainModule['IndexSlot'], indices: Int32Array): void {
    const slot = this.module.IndexSlot[which];
    this.must(this.session.reserve_indices(slot, indices.length));
    this.session.indices(slot).set(indices);
  }

  /** Copies a tensor from another session, of any module. */
  take(name: Slot, from: SessionHeap): void {
    const to = this.reserve(name, from.length(name));
    to.set(from.view(name));
  }

  release(name: Slot): void {
    if (this.length(name) > 0) this.must(this.session.reserve(this.layer, this.slot(name), 0));
  }

  copy(name: Slot): Float32Array {
    return this.view(name).slice();
  }

  stats(name: Slot): TensorStats {
    return plainStats(this.session.stats(this.layer, this.slot(name)));
  }

  read(name: Slot, shape: Shape): Tensor {
    return { shape, data: this.copy(name), stats: this.stats(name) };
  }

  /** Reads a tensor and frees its memory. */
  drain(name: Slot, shape: Shape): Tensor {
    const tensor = this.read(name, shape);
    this.release(name);
    return tensor;
  }

  /** The loss that dy of the last layer is the gradient of; linear: that dy is written. */
  setLoss(loss: string): void {
    const { set } = this.#chain;
    if (set && loss !== set[2]) this.setChain(set[0], set[1], loss);
  }

  /** The name of its loss; 'linear' without one. */
  get lossName(): string {
    return this.#chain.set?.[2] ?? 'linear';
  }

  /** Runs the loss, and returns it. */
  runLoss(): number {
    this.#runQuickly('loss');
    return this.session.loss();
  }

  /** Allocates no memory. '': the plan chooses the algorithm. */
  setAlgorithm(pass: Pass, name: string): void {
    this.must(this.session.set_algorithm(this.layer, this.module.Pass[pass], name));
  }

  /** How a pass runs. */
  plan(pass: Pass) {
    const planned = this.session.report(this.layer, this.module.Pass[pass]);
    return { ...planned, algorithm: textOf(planned.algorithm) };
  }

  /** The first step, of any layer, that is not current; null: all are. */
  next(): LayerStep | null {
    const step = this.module._conv2d_next(this.session.handle, 2 ** OPERATIONS.length - 1);
    const operation = OPERATIONS[step % OPERATIONS.length];
    return operation === undefined ? null : { layer: Math.floor(step / OPERATIONS.length), operation };
  }

  /** Runs a pass, current or not. */
  runPlanned(pass: Pass): void {
    this.#runQuickly(pass);
  }

  /** Runs a pass, current or not. The time is that of the run. */
  run(pass: Pass, step: Step): RunReport {
    const start = performance.now();
    const status = this.session.run(this.layer, OPERATIONS.indexOf(pass), hookOf(step));
    const milliseconds = performance.now() - start;
    this.must(status);
    const { algorithm, threads } = this.plan(pass);
    return { algorithm, milliseconds, threads };
  }

  /** All algorithms of a pass, evaluated for the problem. */
  algorithms(pass: Pass): AlgorithmInfo[] {
    return this.session.algorithms(this.layer, this.module.Pass[pass]).map((row) => ({
      ...row,
      name: textOf(row.name),
      description: textOf(row.description),
      reason: textOf(row.reason),
    }));
  }

  /**
   * A call through Embind takes longer than a small convolution. The export returns only a code, so a failed run is repeated for
   * its message.
   */
  #runQuickly(operation: Operation): void {
    const number = OPERATIONS.indexOf(operation);
    const code = this.module._conv2d_run(this.session.handle, this.layer, number);
    if (code !== 0) this.must(this.session.run(this.layer, number, () => true));
  }
}

const hookOf = (step: Step) => (done: number, total: number) => {
  step(done, total);
  return true;
};

/** All functions of a module that take a session handle first. */
type CallName<Module> = {
  [Name in keyof Module]: Name extends `${'HEAP' | '_'}${string}`
    ? never
    : Module[Name] extends (...args: infer Args) => unknown
      ? Args extends [session: number, ...unknown[]]
        ? Name
        : never
      : never;
}[keyof Module];

/** A session of a module: its functions without the handle, as if they were methods. `close_session` frees it. */
export type Session<Module = MainModule> = {
  readonly [Name in CallName<Module>]: Module[Name] extends (session: number, ...args: infer Args) => infer Value
    ? (...args: Args) => Value
    : never;
} & { readonly handle: number };

export function openSession<Module extends { open_session(): number }>(module: Module): Session<Module> {
  const handle = module.open_session();
  return new Proxy({ handle } as Session<Module>, {
    get: (target, name: CallName<Module>) =>
      target[name] ?? ((...args: never[]) => (module[name] as (...all: never[]) => unknown)(handle as never, ...args)),
  });
}
