import type { ComputeRequest, DySource } from '../protocol/messages';
import type { ConvDesc, ParameterName } from '../protocol/problem';

/**
 * The tensors that the worker has, as known by the page: input arrays by identity (the page never changes tensors in place), and
 * the revision of the problem.
 */
export class Residents {
  readonly #inputs = new Map<ParameterName, Float32Array>();
  #dy: { readonly source: DySource; readonly desc: ConvDesc } | null = null;
  /** The id of the compute of the worker's problem. */
  revision: number | null = null;

  get inputs(): ReadonlyMap<ParameterName, Float32Array> {
    return this.#inputs;
  }

  /** Whether the worker has dy from the same source and sizes. */
  hasDy({ dy, desc }: ComputeRequest): boolean {
    return this.#dy !== null && dy !== 'resident' && this.#dy.desc === desc && isSameSource(this.#dy.source, dy);
  }

  /** A compute was sent: forget the tensors that it overwrites. */
  posted(request: ComputeRequest, sent: ReadonlyMap<ParameterName, Float32Array>): void {
    this.revision = null;
    this.#dy = null;
    for (const name of sent.keys()) this.#inputs.delete(name);
    if (request.b === null) this.#inputs.delete('b');
  }

  /** The compute succeeded. */
  stored(id: number, { dy, desc }: ComputeRequest, sent: ReadonlyMap<ParameterName, Float32Array>): void {
    this.revision = id;
    this.#dy = dy === 'resident' ? null : { source: dy, desc };
    for (const [name, array] of sent) this.#inputs.set(name, array);
  }

  /** A new worker has no tensors. */
  clear(): void {
    this.revision = null;
    this.#dy = null;
    this.#inputs.clear();
  }
}

/** Loss sources are new objects in each request, with the same target. */
const isSameSource = (a: DySource, b: DySource): boolean =>
  a === b || ('target' in a && 'target' in b && a.kind === b.kind && a.target === b.target);
