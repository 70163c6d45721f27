import { FILE_LIMITS } from '../protocol/file-limits';
import type { NamedArgument } from '../protocol/judge';
import type { ConvDesc } from '../protocol/problem';

/** Types and helpers of the file readers. A reader throws `ReadError`; `readable` makes a value of it, at the ends of this room. */

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

/** Ends the reading of a file. */
export class ReadError extends Error implements Refused {
  readonly refusal: Refusal;
  constructor(reason: string, position: TextPosition | null = null) {
    super(reason);
    this.refusal = { reason, position };
  }
}

/** What is read, or why it cannot be. */
export async function readable<Read>(read: () => Read | Promise<Read>): Promise<Read | Refused> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof ReadError) return { refusal: thrown.refusal };
    throw thrown;
  }
}

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
  readonly bytes: (from: number, to: number) => Promise<Uint8Array>;
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

/** A tensor of a file, known by its header; its values are read on demand. `Read`: within this room, a refusal is thrown. */
export interface TensorHeader<Read = FileTensor | Refused> {
  readonly name: string;
  readonly shape: readonly number[];
  /** Element type in the file: "float64", "decimal". */
  readonly stored: string;
  readonly read: () => Promise<Read>;
}

export interface FileContents<Read = FileTensor | Refused> {
  readonly tensors: readonly TensorHeader<Read>[];
  /** Sentences about skipped parts and assumptions. */
  readonly notes: readonly string[];
  readonly desc: ConvDesc | null;
  /** Arguments of the convolution that are no arrays. */
  readonly given: readonly NamedArgument[];
  /** The link of the problem, or ''. */
  readonly link: string;
}

export type Header = TensorHeader<FileTensor>;
export type Contents = FileContents<FileTensor>;

export interface Format {
  readonly endings: readonly string[];
  /** Tests the first bytes of a file. */
  readonly begins: (head: Uint8Array) => boolean;
  readonly open: (source: Source) => Promise<Contents>;
}

export const countOf = (shape: readonly number[]): number => shape.reduce((count, size) => count * size, 1);

export const shapeText = (shape: readonly number[]): string => `[${shape.join(', ')}]`;

/** Refuses a shape from a file. Call it before allocating. `name`: of the tensor, or ''. */
export function checkShape(shape: readonly number[], name = '', position: TextPosition | null = null): void {
  const refuse = (fault: string) => new ReadError(`${name && `${name}: `}the tensor ${fault}`, position);
  if (shape.length > FILE_LIMITS.rank) throw refuse(`has ${shape.length} axes; the limit is ${FILE_LIMITS.rank}`);
  const odd = shape.find((size) => !Number.isSafeInteger(size) || size < 0);
  if (odd !== undefined) throw refuse(`has a size of ${odd}, which is not valid`);
  const most = FILE_LIMITS.elements;
  if (countOf(shape) > most)
    throw refuse(`${shapeText(shape)} has more numbers than the limit of ${most.toLocaleString('en')}`);
}

/** Reads a range of bytes. */
export async function bytesIn(source: Source, from: number, to: number): Promise<Uint8Array> {
  const bytes = await source.bytes(from, to).catch((thrown: unknown) => {
    if (thrown instanceof ReadError) throw thrown;
    throw new ReadError(`${source.name} could not be read. It may have been moved or changed`);
  });
  const byte = from + bytes.length;
  if (byte !== to) throw new ReadError(`the file ends after ${byte} bytes, but ${to} are needed`, { byte });
  return bytes;
}

export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const NOT_TEXT = 'this is not text, and not a supported file format';

/** Decodes a text file: UTF-8, or UTF-16 with a byte order mark ("Unicode text" of spreadsheets). */
export async function fullText(source: Source): Promise<string> {
  if (source.size > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    throw new ReadError(
      `the file has ${source.size.toLocaleString('en')} bytes, but the limit for text is ${most}. Save large arrays as .npy`,
    );
  }
  const bytes = await bytesIn(source, 0, source.size);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const zero = bytes.indexOf(0);
  if (zero !== -1) throw new ReadError(NOT_TEXT, { byte: zero });
  return new TextDecoder().decode(bytes);
}

export const textFormat = (endings: readonly string[], read: (text: string) => Contents): Format => ({
  endings,
  begins: () => false,
  open: async (source) => read(await fullText(source)),
});

export function arrayHeader(
  name: string,
  shape: readonly number[],
  stored: string,
  read: () => Pick<FileTensor, 'values' | 'loss'>,
): Header {
  return { name, shape, stored, read: async () => ({ name, shape, ...read() }) };
}

export const opened = (tensors: readonly Header[], others: Partial<Contents> = {}): Contents => ({
  ...{ tensors, notes: [], desc: null, given: [], link: '' },
  ...others,
});
