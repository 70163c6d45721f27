import { floatText } from '../formats/number-text';
import type { TensorName } from '../protocol/problem';

/** Tensors written into a script so that it has every bit of them. */

export interface Numbers {
  readonly name: TensorName;
  /** b and db are k numbers. */
  readonly sizes: readonly number[];
  readonly data: Float32Array;
}

/** More numbers than these are not for reading. */
const MOST_READ = 4096;
const WIDEST = 96;

export const isRead = ({ data }: Numbers): boolean => data.length <= MOST_READ;

/** The numbers between commas, in lines of a readable length, a row of the tensor a line where that fits. */
export function listText({ data, sizes }: Numbers, indent: string): string {
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

/** Numbers of the last two axes; of more, while those have but one. */
function rowOf(sizes: readonly number[]): number {
  let row = 1;
  for (let axis = sizes.length - 1; axis >= 0 && (axis >= sizes.length - 2 || row === 1); axis -= 1)
    row *= sizes[axis] ?? 1;
  return row;
}

/** The bytes of the numbers, the smallest first, as base64. */
export function bytesText({ data }: Numbers): string {
  const bytes = new Uint8Array(data.length * 4);
  const view = new DataView(bytes.buffer);
  data.forEach((value, at) => {
    view.setFloat32(4 * at, value, true);
  });
  const parts: string[] = [];
  // Pieces of whole groups of three bytes, few enough for the arguments of a call.
  for (let at = 0; at < bytes.length; at += 24_576) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  }
  return parts.join('');
}
