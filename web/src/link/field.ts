import type { Look } from '../look/look';
import type { ConvDesc, Pass } from '../protocol/problem';
import type { DySource } from '../sources/dy-sources';
import type { InputTensor } from '../sources/inputs';
import type { InputName, Problem } from '../state/problem';

/** What a link says: the problem, and how one looks at it. */
export interface Linked {
  readonly problem: Problem;
  readonly look: Look;
}

/** Something that a link names but cannot carry. */
export interface Missing {
  readonly input: InputName;
  /** The file of a picture; '' when it is not known. Null for numbers that were changed by hand. */
  readonly picture: string | null;
  /** What numbers that were brought are called. */
  readonly numbers?: string;
}

/** Numbers that a link leaves out, as they were where they are kept. */
export type Carried = { readonly [Name in InputName]?: CarriedInput };

export interface CarriedInput {
  readonly data: Float32Array;
  /** Changed by hand. */
  readonly edited: boolean;
}

/** A link while it is read. */
export interface Draft {
  /** What was said of the sizes; the others follow from these. */
  readonly sizes: { -readonly [Name in keyof ConvDesc]?: ConvDesc[Name] };
  /** Complete as soon as all sizes have been read. */
  desc: ConvDesc;
  readonly tensors: { x?: InputTensor; w?: InputTensor; b?: InputTensor };
  dy: DySource;
  readonly algorithms: Partial<Record<Pass, string>>;
  /** What was said of the look. */
  readonly look: { -readonly [Name in keyof Look]?: Look[Name] };
  readonly missing: Missing[];
  /** To be taken for what the link leaves out, where it fits. */
  readonly carried: Carried;
  readonly unpack: Unpack;
}

/** So many bytes, which stand in the link compressed; null: they cannot be had. */
export type Unpack = (text: string, bytes: number) => Uint8Array | null;

/** What a field is written with. */
export interface Pen {
  /** Hears of numbers that stay behind. */
  readonly omit: (input: InputName) => void;
  /** Numbers as compressed text, where there is one. */
  readonly pack: (values: Float32Array, input: InputName) => string | undefined;
}

/** One key of a link, or all that begin alike: how it is written, and how it is read. */
export interface Field {
  /** "stride"; "dx." stands for "dx.way", "dx.t" and so on. */
  readonly key: string;
  /** Short forms that people type. */
  readonly also?: readonly string[];
  /** The text, or a list of keys and texts; null where leaving it out says the same. */
  readonly write: (state: Linked, pen: Pen) => string | Texts | null;
  /** Takes the text of `key` into the draft; returns what it must be when it cannot be read, else null. */
  readonly read: (text: string, draft: Draft, key: string) => string | null;
}

export type Texts = readonly (readonly [key: string, text: string])[];
