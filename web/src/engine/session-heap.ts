import type { RunReport } from '../protocol/messages';
import type { Pass, Shape, Tensor, TensorStats } from '../protocol/problem';
import type { AlgorithmInfo } from '../protocol/questions';
import { type MainModule, type Status, textOf } from '../wasm/module';
import { ConvFailure, nameOfMember } from './validate';

export type Slot = keyof MainModule['Slot'];

/** Called between blocks of work; must not throw. */
export type Step = (done: number, total: number) => void;

/** Throws a ConvFailure unless the status is ok. */
export function must({ ErrorCode }: Pick<MainModule, 'ErrorCode'>, { code, field, message }: Status): void {
  const name = code === ErrorCode.ok ? 'ok' : nameOfMember(ErrorCode, code);
  if (name !== 'ok') throw new ConvFailure(name, textOf(field), textOf(message));
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
  readonly #module: MainModule;

  constructor(module: MainModule) {
    this.#module = module;
    this.session = openSession(module);
  }

  must(status: Status): void {
    must(this.#module, status);
  }

  slot(name: Slot): MainModule['Slot'][Slot] {
    return this.#module.Slot[name];
  }

  length(name: Slot): number {
    return this.session.view(this.slot(name)).length;
  }

  write(name: Slot, values: Float32Array): void {
    // Calling reserve takes longer than writing a small tensor.
    if (this.length(name) !== values.length) this.must(this.session.reserve(this.slot(name), values.length));
    this.session.view(this.slot(name)).set(values);
  }

  writeIndices(which: keyof MainModule['IndexSlot'], indices: Int32Array): void {
    const slot = this.#module.IndexSlot[which];
    this.must(this.session.reserve_indices(slot, indices.length));
    this.session.indices(slot).set(indices);
  }

  /** Copies a tensor from another session, of any module. */
  take(name: Slot, from: SessionHeap): void {
    this.write(name, from.session.view(from.slot(name)));
  }

  release(name: Slot): void {
    this.must(this.session.reserve(this.slot(name), 0));
  }

  copy(name: Slot): Float32Array {
    return this.session.view(this.slot(name)).slice();
  }

  stats(name: Slot): TensorStats {
    return plainStats(this.session.stats(this.slot(name)));
  }

  read(name: Slot, shape: Shape): Tensor {
    return { shape, data: this.copy(name), stats: this.stats(name) };
  }

  /** Plans and runs a pass. The reported time is that of the run, without allocation. */
  run(pass: Pass, algorithm: string, step: Step): RunReport {
    const member = this.#module.Pass[pass];
    const planned = this.session.plan(member, algorithm);
    this.must(planned.status);
    const start = performance.now();
    const status = this.session.run(member, (done, total) => {
      step(done, total);
      return true;
    });
    const milliseconds = performance.now() - start;
    this.must(status);
    return { algorithm: textOf(planned.algorithm), milliseconds, threads: planned.threads };
  }
}

/** All algorithms of a pass, evaluated for the session's problem. */
export function algorithmsOf(module: MainModule, heap: SessionHeap, pass: Pass): AlgorithmInfo[] {
  return heap.session.algorithms(module.Pass[pass]).map((row) => ({
    ...row,
    name: textOf(row.name),
    description: textOf(row.description),
    reason: textOf(row.reason),
  }));
}

/** All functions of the module that take a session handle first. */
type CallName = {
  [Name in keyof MainModule]: Name extends `${'HEAP' | '_'}${string}`
    ? never
    : MainModule[Name] extends (...args: infer Args) => unknown
      ? Args extends [session: number, ...unknown[]]
        ? Name
        : never
      : never;
}[keyof MainModule];

/** A session of the module: its functions without the handle, as if they were methods. `close_session` frees it. */
export type Session = {
  readonly [Name in CallName]: MainModule[Name] extends (session: number, ...args: infer Args) => infer Value
    ? (...args: Args) => Value
    : never;
} & { readonly handle: number };

export function openSession(module: MainModule): Session {
  const handle = module.open_session();
  return new Proxy({ handle } as Session, {
    get: (target, name: CallName) =>
      target[name] ?? ((...args: never[]) => (module[name] as (...all: never[]) => unknown)(handle as never, ...args)),
  });
}
