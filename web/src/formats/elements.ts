import { countOf, type PrecisionLoss, viewOf } from './format';

/** Element types of binary files. */

export interface Element {
  readonly name: string;
  readonly bytes: number;
  readonly get: (view: DataView, at: number, little: boolean) => number;
  /** The exact value of a type that float64 cannot represent. */
  readonly whole?: (view: DataView, at: number, little: boolean) => bigint;
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

const element = (name: string, bytes: number, get: Element['get']): Element => ({ name, bytes, get });
const wide = (name: string, whole: NonNullable<Element['whole']>): Element => ({
  ...element(name, 8, (view, at, little) => Number(whole(view, at, little))),
  whole,
});

export const ELEMENTS = {
  float16: element('float16', 2, (view, at, little) => float16(view.getUint16(at, little))),
  bfloat16: element('bfloat16', 2, (view, at, little) => fromBits((view.getUint16(at, little) << 16) >>> 0)),
  float32: element('float32', 4, (view, at, little) => view.getFloat32(at, little)),
  float64: element('float64', 8, (view, at, little) => view.getFloat64(at, little)),
  int8: element('int8', 1, (view, at) => view.getInt8(at)),
  int16: element('int16', 2, (view, at, little) => view.getInt16(at, little)),
  int32: element('int32', 4, (view, at, little) => view.getInt32(at, little)),
  int64: wide('int64', (view, at, little) => view.getBigInt64(at, little)),
  uint8: element('uint8', 1, (view, at) => view.getUint8(at)),
  uint16: element('uint16', 2, (view, at, little) => view.getUint16(at, little)),
  uint32: element('uint32', 4, (view, at, little) => view.getUint32(at, little)),
  uint64: wide('uint64', (view, at, little) => view.getBigUint64(at, little)),
  bool: element('bool', 1, (view, at) => (view.getUint8(at) === 0 ? 0 : 1)),
} as const;

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
    values[position] = value;
    const kept = values[position] ?? 0;
    if (kept !== value && !Number.isNaN(value)) {
      loss.rounded += 1;
      if (!Number.isFinite(kept)) loss.overflowed += 1;
    }
    if (element.whole && kept === value && element.whole(view, at, little) !== BigInt(kept)) loss.rounded += 1;
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
