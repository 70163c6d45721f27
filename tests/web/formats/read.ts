import { readFileSync } from 'node:fs';
import {
  type FileContents,
  type FileTensor,
  type Refused,
  refusalText,
  type Source,
} from '../../../web/src/formats/format';
import { openFile, openText } from '../../../web/src/formats/formats';
import { sourceOf } from './source';

/** Helpers for tests of files and texts. */

const MADE = new URL('./made/', import.meta.url);

export const bytesOfMade = (file: string): Uint8Array => readFileSync(new URL(file, MADE));
export const textOfMade = (file: string): string => readFileSync(new URL(file, MADE), 'utf8');

/** All tensors, or the sentence of the first refusal. */
export async function allOf(opened: FileContents | Refused): Promise<readonly FileTensor[] | string> {
  if ('refusal' in opened) return refusalText(opened.refusal);
  const tensors: FileTensor[] = [];
  for (const { read } of opened.tensors) {
    const tensor = await read();
    if ('refusal' in tensor) return refusalText(tensor.refusal);
    tensors.push(tensor);
  }
  return tensors;
}

export const readBytes = async (name: string, bytes: Uint8Array) => allOf(await openFile(sourceOf(name, bytes)));
export const readMade = (file: string) => readBytes(file, bytesOfMade(file));
export const readString = async (text: string) => allOf(await openText(text));
export const bytesFrom = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A file that counts the bytes that are read. */
export function watched(source: Source) {
  const seen = { bytes: 0 };
  const bytes = (from: number, to: number) => {
    seen.bytes += to - from;
    return source.bytes(from, to);
  };
  return { seen, source: { ...source, bytes } };
}
