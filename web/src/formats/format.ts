import { FILE_LIMITS } from '../protocol/file-limits';
import type { NamedArgument } from '../protocol/judge';
import type { ConvDesc } from '../protocol/problem';

/** Types and helpers of the file readers. A reader returns tensors or a refusal; it does not throw. */

export type TextPosition = { readonly line: number; readonly column: number } | { readonly byte: number };

/** The reason why a file was not read, and the position of the error, if known. */
export interface Refusal {
  readonly reason: string;
  readonly position: TextPosition | null;
}

export interface Refused {
  readonly refusal: Refusal;
}

export const refusedBecause = (reason: string, position: TextPosition | null = null): Refused => ({
  refusal: { reason, position },
});

/** "line 3, column 7: a bracket …" */
export function refusalText({ reason, position }: Refusal): string {
  if (position === null) return reason;
  return `${'byte' in position ? `byte ${position.byte}` : `line ${position.line}, column ${position.column}`}: ${reason}`;
}

/** A file that is read in parts: a Blob, or an entry of an archive. */
export interface Source {
  readonly name: string;
  readonly size: number;
  /** May reject, for example if a disk was removed. */
  readonly bytes: (from: number, to: number) => Promise<Uint8Array | Refused>;
}

/** Counts of values that float32 cannot represent. */
export interface PrecisionLoss {
  /** Values that differ from the file. */
  readonly rounded: number;
  /** Those that became infinite. */
  readonly overflowed: number;
}

export const NO_LOSS: PrecisionLoss = { rounded: 0, overflowed: 0 };

export interface FileTensor {
  /** The name in the file, or ''. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: Float32Array;
  readonly loss: PrecisionLoss;
}

/** A tensor of a file, known by its header; its values are read on demand. */
export interface TensorHeader {
  readonly name: string;
  readonly shape: readonly number[];
  /** Element type in the file: "float64", "decimal". */
  readonly stored: string;
  readonly read: () => Promise<FileTensor | Refused>;
}

export interface FileContents {
  readonly tensors: readonly TensorHeader[];
  /** Sentences about skipped parts and assumptions. */
  readonly notes: readonly string[];
  readonly desc: ConvDesc | null;
  /** Arguments of the convolution that are no arrays. */
  readonly given: readonly NamedArgument[];
  /** The link of the problem, or ''. */
  readonly link: string;
}

export interface Format {
  readonly endings: readonly string[];
  /** Tests the first bytes of a file. */
  readonly begins: (head: Uint8Array) => boolean;
  readonly open: (source: Source) => Promise<FileContents | Refused>;
}

export const countOf = (shape: readonly number[]): number => shape.reduce((count, size) => count * size, 1);

export const shapeText = (shape: readonly number[]): string => `[${shape.join(', ')}]`;

/** The error of a shape from a file, or null. Call it before allocating. */
export function shapeError(shape: readonly number[]): string | null {
  if (shape.length > FILE_LIMITS.rank) {
    return `the tensor has ${shape.length} axes; the limit is ${FILE_LIMITS.rank}`;
  }
  const odd = shape.find((size) => !Number.isSafeInteger(size) || size < 0);
  if (odd !== undefined) return `the tensor has a size of ${odd}, which is not valid`;
  const count = countOf(shape);
  if (count <= FILE_LIMITS.elements) return null;
  const most = FILE_LIMITS.elements.toLocaleString('en');
  return `the tensor ${shapeText(shape)} has more numbers than the limit of ${most}`;
}

/** Reads a range of bytes. */
export async function bytesIn(source: Source, from: number, to: number): Promise<Uint8Array | Refused> {
  try {
    const bytes = await source.bytes(from, to);
    if ('refusal' in bytes || bytes.length === to - from) return bytes;
    return refusedBecause(`the file ends after ${from + bytes.length} bytes, but ${to} are needed`, {
      byte: from + bytes.length,
    });
  } catch {
    return refusedBecause(`${source.name} could not be read. It may have been moved or changed`);
  }
}

export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const NOT_TEXT = 'this is not text, and not a supported file format';

/** Decodes a text file: UTF-8, or UTF-16 with a byte order mark ("Unicode text" of spreadsheets). */
export async function fullText(source: Source): Promise<string | Refused> {
  if (source.size > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    return refusedBecause(
      `the file has ${source.size.toLocaleString('en')} bytes, but the limit for text is ${most}. Save large arrays as .npy`,
    );
  }
  const bytes = await bytesIn(source, 0, source.size);
  if ('refusal' in bytes) return bytes;
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const zero = bytes.indexOf(0);
  if (zero !== -1) return refusedBecause(NOT_TEXT, { byte: zero });
  return new TextDecoder().decode(bytes);
}

export const textFormat = (endings: readonly string[], read: (text: string) => FileContents | Refused): Format => ({
  endings,
  begins: () => false,
  open: async (source) => {
    const text = await fullText(source);
    return typeof text === 'string' ? read(text) : text;
  },
});

export function arrayHeader(
  name: string,
  shape: readonly number[],
  stored: string,
  read: () => Pick<FileTensor, 'values' | 'loss'>,
): TensorHeader {
  return { name, shape, stored, read: async () => ({ name, shape, ...read() }) };
}

export const opened = (tensors: readonly TensorHeader[], others: Partial<FileContents> = {}): FileContents => ({
  ...{ tensors, notes: [], desc: null, given: [], link: '' },
  ...others,
});
