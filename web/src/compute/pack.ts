import type { ComputeRequest, Request, TensorInput } from '../protocol/messages';

export type InputName = 'x' | 'w' | 'b';

/** A request whose arrays nobody else holds, and their buffers. */
export interface Packed {
  readonly request: Request;
  readonly transfer: Transferable[];
  /** Inputs that really travel. */
  readonly sent: ReadonlyMap<InputName, Float32Array>;
}

/**
 * Copies the arrays of a request for transfer: the page's own must stay usable, and a buffer that was transferred to a
 * worker that dies is gone. Inputs that the worker already holds (the same array object as in `residents`) stay behind.
 */
export function pack(request: Request, residents: ReadonlyMap<InputName, Float32Array>): Packed {
  const transfer: Transferable[] = [];
  const copy = <A extends Float32Array | Int32Array>(array: A): A => {
    const copied = array.slice() as A;
    transfer.push(copied.buffer);
    return copied;
  };
  switch (request.type) {
    case 'compute': {
      const sent = new Map<InputName, Float32Array>();
      const input = <V extends TensorInput | null>(name: InputName, value: V): V | TensorInput => {
        if (!(value instanceof Float32Array)) return value;
        if (residents.get(name) === value) return 'resident';
        sent.set(name, value);
        return copy(value);
      };
      const packed: ComputeRequest = {
        ...request,
        x: input('x', request.x),
        w: input('w', request.w),
        b: input('b', request.b),
        dy: copyDy(request.dy, copy),
      };
      return { request: packed, transfer, sent };
    }
    case 'question':
      return { request: { ...request, question: copied(request.question, copy) }, transfer, sent: new Map() };
    default:
      return { request, transfer, sent: new Map() };
  }
}

function copyDy(dy: ComputeRequest['dy'], copy: (array: Float32Array) => Float32Array): ComputeRequest['dy'] {
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
