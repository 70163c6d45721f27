import type { RunReport } from '../protocol/messages';
import type { ConvDesc, LossName, Pass, Shape, Tensor, TensorStats } from '../protocol/problem';
import type { AlgorithmInfo } from '../protocol/questions';
import { type MainModule, type Status, textOf } from '../wasm/module';
import { ConvFailure, embindDesc, nameOfMember } from './validate';

export type Slot = keyof MainModule['Slot'];

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

/**
 * A session of the module that throws failures and copies values. Views of the heap are created when needed and never stored,
 * because growing memory detaches them.
 */
export class SessionHeap {
  readonly session: Session;

  constructor(readonly module: MainModule) {
    this.session = openSession(module);
  }

  close(): void {
    this.session.close_session();
  }

  must<Result extends Checked>(result: Result): Result {
    return must(this.module, result);
  }

  /** If it throws, the session still has the previous problem. */
  setProblem(desc: ConvDesc) {
    return this.must(this.session.set_problem(embindDesc(this.module, desc)));
  }

  slot(name: Slot): MainModule['Slot'][Slot] {
    return this.module.Slot[name];
  }

  view(name: Slot): Float32Array {
    return this.session.view(this.slot(name));
  }

  length(name: Slot): number {
    return this.view(name).length;
  }

  write(name: Slot, values: Float32Array): void {
    // Calling reserve takes longer than writing a small tensor.
    if (this.length(name) !== values.length) this.must(this.session.reserve(this.slot(name), values.length));
    this.view(name).set(values);
  }

  writeIndices(which: keyof MainModule['IndexSlot'], indices: Int32Array): void {
    const slot = this.module.IndexSlot[which];
    this.must(this.session.reserve_indices(slot, indices.length));
    this.session.indices(slot).set(indices);
  }

  /** Copies a tensor from another session, of any module. */
  take(name: Slot, from: SessionHeap): void {
    this.write(name, from.view(name));
  }

  release(name: Slot): void {
    this.must(this.session.reserve(this.slot(name), 0));
  }

  copy(name: Slot): Float32Array {
    return this.view(name).slice();
  }

  stats(name: Slot): TensorStats {
    return plainStats(this.session.stats(this.slot(name)));
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

  /** Computes dy from y and the target, and returns the loss. */
  lossDy(loss: LossName): number {
    return this.must(this.session.loss_dy(this.module.Loss[loss])).value;
  }

  /** Allocates memory for an algorithm of a pass; '': chooses it. */
  plan(pass: Pass, name = '') {
    const planned = this.must(this.session.plan(this.module.Pass[pass], name));
    return { ...planned, algorithm: textOf(planned.algorithm) };
  }

  /**
   * Runs a planned pass. A call through Embind takes longer than a small convolution. The export returns only a code, so a failed run
   * is repeated for its message.
   */
  runPlanned(pass: Pass): void {
    const member = this.module.Pass[pass];
    const code = this.module._conv2d_run(this.session.handle, member.value);
    if (code !== 0) this.must(this.session.run(member, () => true));
  }

  /** Plans and runs a pass. The reported time is that of the run, without allocation. */
  run(pass: Pass, name: string, step: Step): RunReport {
    const { algorithm, threads } = this.plan(pass, name);
    const start = performance.now();
    const status = this.session.run(this.module.Pass[pass], (done, total) => {
      step(done, total);
      return true;
    });
    const milliseconds = performance.now() - start;
    this.must(status);
    return { algorithm, milliseconds, threads };
  }

  /** All algorithms of a pass, evaluated for the problem. */
  algorithms(pass: Pass): AlgorithmInfo[] {
    return this.session.algorithms(this.module.Pass[pass]).map((row) => ({
      ...row,
      name: textOf(row.name),
      description: textOf(row.description),
      reason: textOf(row.reason),
    }));
  }
}

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
