import type { ConvDesc } from '../protocol/problem';

/** Types of the file readers. A reader returns tensors or a refusal; it does not throw. */

export type TextPosition = { readonly line: number; readonly column: number } | { readonly byte: number };

/** The reason why a file was not read, and the position of the error, if known. */
export interface Refusal {
  readonly reason: string;
  readonly position: TextPosition | null;
}

export interface Refused {
  readonly refusal: Refusal;
}

export const refuse = (reason: string, position: TextPosition | null = null): Refused => ({
  refusal: { reason, position: position },
});

/** "line 3, column 7: a bracket …" */
export function sentenceOf({ reason, position }: Refusal): string {
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
  /** Order in the file. */
  readonly order: 'c' | 'fortran';
  readonly read: () => Promise<FileTensor | Refused>;
}

export interface FileContents {
  readonly tensors: readonly TensorHeader[];
  /** Sentences about skipped parts and assumptions. */
  readonly notes: readonly string[];
  /** The convolution of the tensors, if the file contains it. */
  readonly desc: ConvDesc | null;
  /** The link of the problem, or ''. */
  readonly link: string;
}

export interface Format {
  /** For "not a NumPy array (.npy): …" */
  readonly name: string;
  readonly endings: readonly string[];
  /** Tests the first bytes of a file. */
  readonly begins: (head: Uint8Array) => boolean;
  readonly open: (source: Source) => Promise<FileContents | Refused>;
}

export const countOf = (shape: readonly number[]): number => shape.reduce((count, size) => count * size, 1);

export const shapeText = (shape: readonly number[]): string => `[${shape.join(', ')}]`;
