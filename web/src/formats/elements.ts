import { countOf, type PrecisionLoss, viewOf } from './format';

/** Element types of binary files. */

export interface Element {
  readonly name: string;
  readonly bytes: number;
  readonly get: (view: DataView, at: number, little: boolean) => number | bigint;
}

const SCRATCH = new DataView(new ArrayBuffer(4));

function fromBits(bits: number): number {
  SCRATCH.setUint32(0, bits);
  return SCRATCH.getFloat32(0);
}

/** IEEE 754 binary16. Exact in float32. */
function float16(bits: number): number {
  const [sign, exponent, fraction] = [(bits & 0x8000) << 16, (bits >> 10) & 31, bits & 1023];
  // Subnormal: the fraction is in units of 2^-24.
  if (exponent === 0) return (sign ? -1 : 1) * fraction * 2 ** -24;
  const widened = exponent === 31 ? 255 : exponent + 112;
  return fromBits((sign | (widened << 23) | (fraction << 13)) >>> 0);
}

type Getter = Exclude<keyof DataView & `get${string}`, undefined>;

/** By names in .safetensors files: name, bytes, and how they are read. A number of 64 bits is exact as a bigint. */
const TYPES: Readonly<Record<string, readonly [name: string, bytes: number, read: Getter | Element['get']]>> = {
  F16: ['float16', 2, (view, at, little) => float16(view.getUint16(at, little))],
  BF16: ['bfloat16', 2, (view, at, little) => fromBits((view.getUint16(at, little) << 16) >>> 0)],
  F32: ['float32', 4, 'getFloat32'],
  F64: ['float64', 8, 'getFloat64'],
  I8: ['int8', 1, 'getInt8'],
  I16: ['int16', 2, 'getInt16'],
  I32: ['int32', 4, 'getInt32'],
  I64: ['int64', 8, 'getBigInt64'],
  U8: ['uint8', 1, 'getUint8'],
  U16: ['uint16', 2, 'getUint16'],
  U32: ['uint32', 4, 'getUint32'],
  U64: ['uint64', 8, 'getBigUint64'],
  BOOL: ['bool', 1, (view, at) => Math.sign(view.getUint8(at))],
};

export const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  Object.entries(TYPES).map(([type, [name, bytes, read]]) => [
    type,
    { name, bytes, get: typeof read === 'string' ? (view, at, little) => view[read](at, little) : read },
  ]),
);

export interface StoredArray {
  readonly element: Element;
  readonly little: boolean;
  readonly order: 'c' | 'fortran';
  readonly shape: readonly number[];
}

/** Converts to float32 in row-major order and counts the loss. */
export function decode(bytes: Uint8Array, { element, little, order, shape }: StoredArray) {
  const view = viewOf(bytes);
  const values = new Float32Array(countOf(shape));
  const loss = { rounded: 0, overflowed: 0 };
  const placeOf = order === 'c' || shape.length < 2 ? (index: number) => index : fromFortran(shape);
  for (let index = 0; index < values.length; index += 1) {
    const at = index * element.bytes;
    const value = element.get(view, at, little);
    const position = placeOf(index);
    values[position] = Number(value);
    const kept = values[position] ?? 0;
    // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number exactly
    if (kept != value && !Number.isNaN(value)) {
      loss.rounded += 1;
      if (!Number.isFinite(kept)) loss.overflowed += 1;
    }
  }
  return { values, loss: loss as PrecisionLoss };
}

/** Maps indices of a Fortran-order array to row-major indices. */
function fromFortran(shape: readonly number[]): (index: number) => number {
  const strides = shape.map((_, axis) => countOf(shape.slice(axis + 1)));
  return (index) => {
    let rest = index;
    let at = 0;
    for (const [axis, size] of shape.entries()) {
      at += (rest % size) * (strides[axis] ?? 0);
      rest = Math.floor(rest / size);
    }
    return at;
  };
}
