import type { ConvDesc } from '../protocol/problem';

/** What numbers are read from and what is made of them. Every reader answers with tensors or with a refusal: none throws. */

export type Place = { readonly line: number; readonly column: number } | { readonly byte: number };

/** Why something was not read, for a person, and where it stands if it stands somewhere. */
export interface Refusal {
  readonly reason: string;
  readonly place: Place | null;
}

export interface Refused {
  readonly refusal: Refusal;
}

export const refuse = (reason: string, place: Place | null = null): Refused => ({ refusal: { reason, place } });

/** "line 3, column 7: a bracket …" */
export function sentenceOf({ reason, place }: Refusal): string {
  if (place === null) return reason;
  return `${'byte' in place ? `byte ${place.byte}` : `line ${place.line}, column ${place.column}`}: ${reason}`;
}

/** A file whose parts are fetched when they are needed: a Blob, or a part of an archive. */
export interface Source {
  readonly name: string;
  readonly size: number;
  /** May reject: a disk was pulled out. */
  readonly bytes: (from: number, to: number) => Promise<Uint8Array | Refused>;
}

/** What became of numbers that float32 cannot hold. */
export interface Loss {
  /** So many are another number than in the file. */
  readonly rounded: number;
  /** So many of those were too large and are infinite. */
  readonly overflowed: number;
}

export const NO_LOSS: Loss = { rounded: 0, overflowed: 0 };

export interface FileTensor {
  /** As the file calls it; '' where it has no name. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Row-major, whatever the order in the file. */
  readonly values: Float32Array;
  readonly loss: Loss;
}

/** A tensor that a file holds, known by its header: its numbers are read when somebody chooses it. */
export interface Listed {
  readonly name: string;
  readonly shape: readonly number[];
  /** What its numbers are in the file: "float64", "decimal". */
  readonly stored: string;
  /** Their order in the file. */
  readonly order: 'c' | 'fortran';
  readonly read: () => Promise<FileTensor | Refused>;
}

export interface Opened {
  readonly tensors: readonly Listed[];
  /** What was passed over or taken for granted, in sentences. */
  readonly notes: readonly string[];
  /** The convolution that the file says its tensors belong to. */
  readonly desc: ConvDesc | null;
  /** What opens its problem here as it was looked at; '' where the file does not say. */
  readonly link: string;
}

export interface Format {
  /** For "not a NumPy array (.npy): …" */
  readonly name: string;
  readonly endings: readonly string[];
  /** Whether a file begins as these do; a text begins with anything. */
  readonly begins: (head: Uint8Array) => boolean;
  readonly open: (source: Source) => Promise<Opened | Refused>;
}

export const countOf = (shape: readonly number[]): number => shape.reduce((count, size) => count * size, 1);

export const shapeText = (shape: readonly number[]): string => `[${shape.join(', ')}]`;
