import type { ComputeRequest, DySource, Request, TensorInput } from '../protocol/messages';
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

  stored(id: number, { dy, desc }: ComputeRequest, sent: ReadonlyMap<ParameterName, Float32Array>): void {
    this.revision = id;
    this.#dy = dy === 'resident' ? null : { source: dy, desc };
    for (const [name, array] of sent) this.#inputs.set(name, array);
  }

  clear(): void {
    this.revision = null;
    this.#dy = null;
    this.#inputs.clear();
  }
}

/** Loss sources are new objects in each request, with the same target. */
const isSameSource = (a: DySource, b: DySource): boolean =>
  a === b || ('target' in a && 'target' in b && a.kind === b.kind && a.target === b.target);

/** A request with copied arrays, and the buffers of these copies. */
export interface Packed {
  readonly request: Request;
  readonly transfer: Transferable[];
  /** Inputs that are sent, not resident. */
  readonly sent: ReadonlyMap<ParameterName, Float32Array>;
}

/**
 * Copies the arrays of a request for transfer: the page keeps its own, because a transferred buffer is lost if the worker
 * crashes. Inputs that the worker already has (the same array object as in `residents`) are not sent.
 */
export function pack(request: Request, residents: Residents): Packed {
  const transfer: Transferable[] = [];
  const copy = <A extends Float32Array | Int32Array>(array: A): A => {
    const copied = array.slice() as A;
    transfer.push(copied.buffer);
    return copied;
  };
  switch (request.type) {
    case 'compute': {
      const sent = new Map<ParameterName, Float32Array>();
      const input = <V extends TensorInput | null>(name: ParameterName, value: V): V | TensorInput => {
        if (!(value instanceof Float32Array)) return value;
        if (residents.inputs.get(name) === value) return 'resident';
        sent.set(name, value);
        return copy(value);
      };
      const packed: ComputeRequest = {
        ...request,
        x: input('x', request.x),
        w: input('w', request.w),
        b: input('b', request.b),
        dy: request.dy === 'resident' || residents.hasDy(request) ? 'resident' : copyDy(request.dy, copy),
      };
      return { request: packed, transfer, sent };
    }
    case 'question':
      return { request: { ...request, question: copied(request.question, copy) }, transfer, sent: new Map() };
    default:
      return { request, transfer, sent: new Map() };
  }
}

function copyDy(dy: DySource, copy: (array: Float32Array) => Float32Array): DySource {
  if (dy.kind === 'values') return { ...dy, data: copy(dy.data) };
  if (dy.kind === 'mse' || dy.kind === 'log_cosh') return { ...dy, target: dy.target && copy(dy.target) };
  return dy;
}

function copied<V>(value: V, copy: <A extends Float32Array | Int32Array>(array: A) => A): V {
  if (value instanceof Float32Array || value instanceof Int32Array) return copy(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, copy)])) as V;
}
