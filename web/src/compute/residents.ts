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

  /**
   * A request with copied arrays for transfer, and the inputs that it sends: the page keeps its own, because a transferred buffer
   * is lost if the worker crashes. Inputs that the worker already has (the same array object) are not sent.
   */
  pack(request: Request) {
    // The worker's x and dy are then those of the open layer, before and after.
    if ('network' in request) this.clear();
    const transfer: Transferable[] = [];
    const sent = new Map<ParameterName, Float32Array>();
    const copy = <A extends Float32Array | Int32Array>(array: A): A => {
      const copy = array.slice() as A;
      transfer.push(copy.buffer);
      return copy;
    };
    const input = <V extends TensorInput | null>(name: ParameterName, value: V): V | TensorInput => {
      if (!(value instanceof Float32Array)) return value;
      if (this.#inputs.get(name) === value) return 'resident';
      sent.set(name, value);
      return copy(value);
    };
    let packed = request;
    if (request.type === 'question') packed = { ...request, question: copied(request.question, copy) };
    if (request.type === 'compute') {
      const { x, w, b, dy, desc } = request;
      const hasDy = dy === 'resident' || (this.#dy?.desc === desc && isSameSource(this.#dy.source, dy));
      const inputs = { x: input('x', x), w: input('w', w), b: input('b', b) };
      packed = { ...request, ...inputs, dy: hasDy ? 'resident' : copied(dy, copy) };
    }
    return { request: packed, transfer, sent };
  }

  /** A compute was sent: forget the tensors that it overwrites. */
  posted(request: ComputeRequest, sent: ReadonlyMap<ParameterName, Float32Array>): void {
    this.revision = null;
    this.#dy = null;
    for (const name of sent.keys()) this.#inputs.delete(name);
    if (request.b === null) this.#inputs.delete('b');
  }

  stored(id: number, { dy, desc, network }: ComputeRequest, sent: ReadonlyMap<ParameterName, Float32Array>): void {
    this.revision = id;
    if (network) return;
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

/** Plain data with every array in it copied. */
function copied<V>(value: V, copy: <A extends Float32Array | Int32Array>(array: A) => A): V {
  if (value instanceof Float32Array || value instanceof Int32Array) return copy(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, copy)])) as V;
}
