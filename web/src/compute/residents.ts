import type { TensorInput } from '../protocol/layers';
import type { ComputeRequest, Request, SentDy } from '../protocol/messages';

/** x and target, and w and b of each layer by its number ("w0"). */
type Inputs = ReadonlyMap<string, Float32Array>;

/**
 * The tensors that the worker has, as known by the page: input arrays by identity (the page never changes tensors in place), and
 * the revision of the problem.
 */
export class Residents {
  #inputs: Inputs = new Map();
  /** A dy that is given. */
  #dy: { readonly dy: SentDy | 'resident'; readonly sizes: string } | null = null;
  /** The id of the compute of the worker's problem. */
  revision: number | null = null;

  /**
   * A request with copied arrays for transfer, its inputs, and those of them that the worker already has (the same array object), which
   * are not sent. The page keeps its own arrays, because a transferred buffer is lost if the worker crashes.
   */
  pack(request: Request) {
    const transfer: Transferable[] = [];
    const inputs = new Map<string, Float32Array>();
    const resident = new Map<string, Float32Array>();
    const copy = <A extends Float32Array | Int32Array>(array: A): A => {
      const copy = array.slice() as A;
      transfer.push(copy.buffer);
      return copy;
    };
    const input = <V extends TensorInput | null>(name: string, value: V): V | TensorInput => {
      if (!(value instanceof Float32Array)) return value;
      inputs.set(name, value);
      if (this.#inputs.get(name) !== value) return copy(value);
      resident.set(name, value);
      return 'resident';
    };
    let packed = request;
    if (request.type === 'question') packed = { ...request, question: copied(request.question, copy) };
    if (request.type === 'compute') {
      const { loss } = request;
      const isKnown = 'dy' in loss && loss.dy === this.#dy?.dy && this.#dy.sizes === sizesOf(request);
      packed = {
        ...request,
        x: input('x', request.x),
        layers: request.layers.map((layer, i) => ({
          ...layer,
          ...{ w: input(`w${i}`, layer.w), b: input(`b${i}`, layer.b) },
        })),
        loss:
          'dy' in loss
            ? { ...loss, dy: isKnown ? 'resident' : copied(loss.dy, copy) }
            : { ...loss, target: input('target', loss.target) },
      };
    }
    return { request: packed, transfer, inputs, resident };
  }

  /** A compute was sent: the worker frees or overwrites all other inputs. */
  posted(resident: Inputs): void {
    this.revision = null;
    this.#dy = null;
    this.#inputs = resident;
  }

  stored(id: number, request: ComputeRequest, inputs: Inputs): void {
    const { loss } = request;
    this.revision = id;
    this.#dy = 'dy' in loss ? { dy: loss.dy, sizes: sizesOf(request) } : null;
    this.#inputs = inputs;
  }

  clear(): void {
    this.posted(new Map());
  }
}

/** What the sizes of all tensors follow from, as text. */
const sizesOf = ({ input, layers }: ComputeRequest): string =>
  JSON.stringify([input, layers.map(({ kind, window, options }) => [kind, window, options])]);

/** Plain data with every array in it copied. */
function copied<V>(value: V, copy: <A extends Float32Array | Int32Array>(array: A) => A): V {
  if (value instanceof Float32Array || value instanceof Int32Array) return copy(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, copy)])) as V;
}
