import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { refusalText, type Source } from '../../src/formats/format';
import { openFiles } from '../../src/formats/formats';
import type { NamedArgument, NamedArray } from '../../src/protocol/judge';
import type { ConvDesc } from '../../src/protocol/problem';
import { argumentList, type KnownArguments } from '../argument-list';

/** The arrays of a set of files, read by the readers of the page. */
export interface FileArrays {
  readonly arrays: readonly NamedArray[];
  readonly given: readonly NamedArgument[];
  /** Sentences about skipped parts and assumptions. */
  readonly notes: readonly string[];
}

export interface Unreadable {
  readonly fault: string;
}

/** Elements that are written as text. The others are named after their type: float32. */
const PRINTED = 'decimal';

export async function readArrays(paths: readonly string[]): Promise<FileArrays | Unreadable> {
  const sources: Source[] = [];
  for (const path of paths) {
    const source = await sourceOf(path);
    if ('fault' in source) return paths.length === 1 ? source : { fault: `${path}: ${source.fault}` };
    sources.push(source);
  }
  const contents = await openFiles(sources);
  if ('refusal' in contents) return { fault: refusalText(contents.refusal) };
  const arrays: NamedArray[] = [];
  for (const { name, stored, read } of contents.tensors) {
    const tensor = await read();
    if ('refusal' in tensor) return { fault: refusalText(tensor.refusal) };
    const { shape, values } = tensor;
    // As numpy.savez names them.
    arrays.push({ name: name || `arr_${arrays.length}`, shape, values, is_text: stored === PRINTED });
  }
  return {
    arrays,
    given: [...(contents.desc ? argumentList(argumentsOfCase(contents.desc)) : []), ...contents.given],
    notes: contents.notes,
  };
}

async function sourceOf(path: string): Promise<Source | Unreadable> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { fault: 'this is not a file' };
    return { name: basename(path), size: found.size, bytes: (from, to) => bytesOf(path, from, to) };
  } catch (thrown) {
    return { fault: faultOf(thrown) };
  }
}

async function bytesOf(path: string, from: number, to: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(to - from);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'the file may not be read',
};

function faultOf(thrown: unknown): string {
  const { code = '', message = String(thrown) } = thrown as NodeJS.ErrnoException;
  return FAULTS[code] ?? message;
}

/** Those of a case file are complete. */
function argumentsOfCase(desc: ConvDesc): KnownArguments {
  const { padding_mode: mode, padding, groups } = desc;
  return {
    stride: [desc.stride_h, desc.stride_w],
    dilation: [desc.dilation_h, desc.dilation_w],
    groups,
    // A case file names no other mode.
    padding: mode === 'same' || mode === 'valid' ? mode : padding,
  };
}
