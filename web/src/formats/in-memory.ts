import type { ConvDesc } from '../protocol/problem';
import { shapeError } from './check-shape';
import {
  countOf,
  type FileContents,
  type FileTensor,
  type Refused,
  refuse,
  type Source,
  type TensorHeader,
} from './format';
import type { Literals, NumbersLiteral } from './literal';

/** Helpers of the readers. */

/** Reads a range of bytes. */
export async function bytesOf(source: Source, from: number, to: number): Promise<Uint8Array | Refused> {
  try {
    const bytes = await source.bytes(from, to);
    if ('refusal' in bytes || bytes.length === to - from) return bytes;
    return refuse(`the file ends after ${from + bytes.length} bytes, but ${to} are needed`, {
      byte: from + bytes.length,
    });
  } catch {
    return refuse(`${source.name} could not be read. It may have been moved or changed`);
  }
}

/** Numbers of a text as a tensor. `shape`: overrides the shape of the text. */
export function listedOf(
  name: string,
  numbers: NumbersLiteral,
  from: Literals['numbers'],
  shape: readonly number[] = numbers.shape,
): TensorHeader | Refused {
  const fault = shapeError(shape);
  if (fault) return refuse(name === '' ? fault : `${name}: ${fault}`);
  const count = numbers.to - numbers.from;
  if (count !== countOf(shape)) {
    return refuse(`${name} has ${count} numbers, but its shape ${shape.join(' × ')} needs ${countOf(shape)}`);
  }
  return listed(name, shape, numbers.type || 'decimal', () => from.floats(numbers.from, numbers.to, numbers.rounded));
}

export function listed(
  name: string,
  shape: readonly number[],
  stored: string,
  read: () => Pick<FileTensor, 'values' | 'loss'>,
): TensorHeader {
  return { name, shape, stored, order: 'c', read: async () => ({ name, shape, ...read() }) };
}

export const opened = (
  tensors: readonly TensorHeader[],
  notes: readonly string[] = [],
  desc: ConvDesc | null = null,
  link = '',
): FileContents => ({ tensors, notes, desc, link });
