import type { ComputeRequest, DySource, Request, TensorInput } from '../protocol/messages';
import type { ParameterName } from '../protocol/problem';
import type { Residents } from './residents';

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

/** Plain data with every array in it copied. */
function copied<V>(value: V, copy: <A extends Float32Array | Int32Array>(array: A) => A): V {
  if (value instanceof Float32Array || value instanceof Int32Array) return copy(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, copy)])) as V;
}
