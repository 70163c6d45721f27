import { floatText } from '../formats/number-text';
import type { TensorName } from '../protocol/problem';

/** Tensors as literals in a script, without loss. */

export interface TensorLiteral {
  readonly name: TensorName;
  /** b and db have one axis of k values. */
  readonly sizes: readonly number[];
  readonly data: Float32Array;
}

/** Larger tensors are written as base64. */
const MOST_READ = 4096;
const WIDEST = 96;

export const isReadable = ({ data }: TensorLiteral): boolean => data.length <= MOST_READ;

/** The values separated by commas, in lines of limited length, with one row of the tensor on each line if it fits. */
export function listText({ data, sizes }: TensorLiteral, indent: string): string {
  const row = rowOf(sizes);
  const lines: string[] = [];
  let line = '';
  data.forEach((value, at) => {
    const text = floatText(value);
    const begins = line === '' || at % row === 0 || line.length + text.length > WIDEST;
    if (begins && line !== '') lines.push(line);
    line = begins ? `${indent}${text},` : `${line} ${text},`;
  });
  return [...lines, line].join('\n');
}

/** Length of a row: the last two axes; more if they have size 1. */
function rowOf(sizes: readonly number[]): number {
  let row = 1;
  for (let axis = sizes.length - 1; axis >= 0 && (axis >= sizes.length - 2 || row === 1); axis -= 1)
    row *= sizes[axis] ?? 1;
  return row;
}

/** The bytes of the values, little-endian, as base64. */
export function bytesText({ data }: TensorLiteral): string {
  const bytes = new Uint8Array(data.length * 4);
  const view = new DataView(bytes.buffer);
  data.forEach((value, at) => {
    view.setFloat32(4 * at, value, true);
  });
  const parts: string[] = [];
  // Multiples of three bytes, few enough for the arguments of a call.
  for (let at = 0; at < bytes.length; at += 24_576) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  }
  return parts.join('');
}
