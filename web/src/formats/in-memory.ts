import type { ConvDesc } from '../protocol/problem';
import { shapeFault } from './check-shape';
import { countOf, type FileTensor, type Listed, type Opened, type Refused, refuse, type Source } from './format';
import type { Literals, Numbers } from './literal';

/** What texts and files have in common on their way to tensors. */

/** Bytes of a file, or why they cannot be had. */
export async function bytesOf(source: Source, from: number, to: number): Promise<Uint8Array | Refused> {
  try {
    const bytes = await source.bytes(from, to);
    if ('refusal' in bytes || bytes.length === to - from) return bytes;
    return refuse(`the file ends after ${from + bytes.length} bytes, but ${to} are needed`, {
      byte: from + bytes.length,
    });
  } catch {
    return refuse(`${source.name} could not be read: was it moved or changed meanwhile?`);
  }
}

/** A file in memory. */
export const sourceOf = (name: string, bytes: Uint8Array): Source => ({
  name,
  size: bytes.length,
  bytes: async (from, to) => bytes.subarray(from, to),
});

/** Numbers of a text, as a tensor whose sizes may be said elsewhere. */
export function listedOf(
  name: string,
  numbers: Numbers,
  from: Literals['numbers'],
  shape: readonly number[] = numbers.shape,
): Listed | Refused {
  const fault = shapeFault(shape);
  if (fault) return refuse(name === '' ? fault : `${name}: ${fault}`);
  const count = numbers.to - numbers.from;
  if (count !== countOf(shape)) {
    return refuse(`${name} has ${count} numbers, but its sizes ${shape.join(' × ')} need ${countOf(shape)}`);
  }
  return listed(name, shape, numbers.type || 'decimal', () => from.floats(numbers.from, numbers.to, numbers.rounded));
}

export function listed(
  name: string,
  shape: readonly number[],
  stored: string,
  read: () => Pick<FileTensor, 'values' | 'loss'>,
): Listed {
  return { name, shape, stored, order: 'c', read: async () => ({ name, shape, ...read() }) };
}

export const opened = (
  tensors: readonly Listed[],
  notes: readonly string[] = [],
  desc: ConvDesc | null = null,
  link = '',
): Opened => ({ tensors, notes, desc, link });
