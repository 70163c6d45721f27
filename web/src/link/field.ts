import { DEFAULT_LOOK, type Look } from '../look/look';
import type { Cell, ConvDesc, ConvError, Hidden, InputName, Pass, Shape } from '../protocol/problem';
import type { Work } from '../protocol/shapes';
import type { InputTensor } from '../sources/inputs';
import type { Loss } from '../sources/loss';
import { OPENING_CELL, openingProblem, type Problem } from '../state/problem';

/** Maximum size of a link that is read, and number of its faults that are listed. Links that the page creates are shorter. */
export const LINK_LIMITS = { characters: 2 ** 17, parts: 256, complaints: 8 } as const;

export interface LinkContent {
  readonly problem: Problem;
  readonly look: Look;
}

/** An input of the problem; of several layers, the weights or the bias of one by its number: "w2", "b2". */
export type LinkInput = InputName | `${'w' | 'b'}${number}`;

/** The keys of the inputs. "w" is the width. */
export const INPUT_KEYS: Readonly<Record<InputName, string>> = { x: 'x', w: 'weights', b: 'bias', dy: 'dy' };

/** An input that a link names but does not contain. */
export interface MissingInput {
  readonly input: LinkInput;
  /** The image file; '' if unknown; null for edited values. */
  readonly image: string | null;
  readonly numbers?: string;
}

/** Values that a link leaves out, from browser storage or from a problem file. */
export type KnownInputs = { readonly [Name in LinkInput]?: KnownInput };

export interface KnownInput {
  readonly data: Float32Array;
  readonly edited: boolean;
}

/** A link, with its errors and warnings. */
export interface ParsedLink extends LinkContent {
  /**
   * Why it does not open; problem and look are the defaults then. 'refused': the problem is not valid (see the
   * complaint). 'unread': the link reader failed to load. 'costly': the problem needs a confirmation (`costs`). null:
   * it opens.
   */
  readonly fault: 'refused' | 'unread' | 'costly' | null;
  readonly costs: Work | null;
  /** Parts of the look that the link sets; the rest of `look` is the default. */
  readonly lookChanges: Partial<Look>;
  /** The cell that the opening problem explains until the user hovers another one. */
  readonly suggested: Cell | null;
  /** One sentence for each part that was ignored; of many, the first ones and the number of the others. */
  readonly complaints: readonly string[];
  readonly missing: readonly MissingInput[];
  /** Values for these, as passed to the reader. */
  readonly knownInputs: KnownInputs;
  /** True if it has compressed values, perhaps more than the page writes into its address. */
  readonly packed: boolean;
}

/** The opening problem, in place of a link that does not open. */
export const openingLink = (fault: ParsedLink['fault'], complaints: readonly string[]): ParsedLink => ({
  problem: openingProblem(),
  look: DEFAULT_LOOK,
  lookChanges: {},
  suggested: OPENING_CELL,
  fault,
  costs: null,
  complaints,
  missing: [],
  knownInputs: {},
  packed: false,
});

/** The texts of a link by their keys. */
export type LinkTexts = ReadonlyMap<string, string>;
/** Takes a sentence about a part that is ignored. */
export type Complain = (sentence: string) => void;

/** A link that is being read. */
export interface PartialLink {
  /** Sizes that the link sets; the others follow from them. */
  readonly sizes: { -readonly [Name in keyof ConvDesc]?: ConvDesc[Name] };
  /** Complete after all size fields are read. */
  desc: ConvDesc;
  readonly tensors: { x?: InputTensor; w?: InputTensor; b?: InputTensor };
  loss: Loss;
  readonly algorithms: Partial<Record<Pass, string>>;
  /** Parts of the look that the link sets. */
  readonly look: { -readonly [Name in keyof Look]?: Look[Name] };
  readonly missing: MissingInput[];
  /** Used for values that the link leaves out, if the sizes match. */
  readonly knownInputs: KnownInputs;
  readonly unpack: Unpack;
  /** Set by the fields of the other layers. */
  network?: PartialNetwork;
}

/** A network that is being read; its sizes are complete, and `desc` is that of the shown layer. */
interface PartialNetwork {
  /** A descriptor with the sizes of the network's input. */
  readonly input: ConvDesc;
  /** The shape of the last output. */
  readonly end: Shape;
  readonly work: Work;
  /** Cells that can be hidden: "dy1.3", or "dy1" for all of its cells. */
  readonly parseCell: (text: string) => Hidden | null;
  /** The sizes of x, and all layers with their weights. */
  readonly layers: () => Pick<Problem, 'input' | 'layers'>;
}

/** Writes and reads the layers of a network; network-fields.ts sets it. Without it there is no network. */
export const networkFields: {
  code: {
    /** All fields of a problem of several layers. */
    readonly fields: readonly Field[];
    /** Reads the sizes of all layers into the draft. Returns the error of a layer that does not fit. */
    readonly read: (draft: PartialLink, texts: LinkTexts, complain: Complain) => ConvError | null;
  } | null;
} = { code: null };

/** Decompresses a text of the link to exactly `bytes` bytes; null: not available. */
export type Unpack = (text: string, bytes: number) => Uint8Array | null;

export interface FieldWriter {
  readonly omit: (input: LinkInput) => void;
  /** Values as compressed text, if there is one. */
  readonly pack: (values: Float32Array, input: LinkInput) => string | undefined;
}

/** Writes and reads one key of a link, or all keys with one prefix. */
export interface Field {
  /** "stride"; "dx." is the prefix of "dx.way", "dx.t" and so on. */
  readonly key: string;
  /** Short forms that people type. */
  readonly also?: readonly string[];
  /** The text, or a list of keys and texts; null for the default. */
  readonly write: (state: LinkContent, pen: FieldWriter) => string | FieldTexts | null;
  /** Reads the text of `key` into the draft; returns what it must be if it is not valid, else null. */
  readonly read: (text: string, draft: PartialLink, key: string) => string | null;
}

export type FieldTexts = readonly (readonly [key: string, text: string])[];

/** The texts of some fields by key; those with their default are missing. */
export const writeFields = (fields: readonly Field[], state: LinkContent, pen: FieldWriter): FieldTexts =>
  fields.flatMap(({ key, write }) => {
    const written = write(state, pen);
    return typeof written === 'string' ? [[key, written] as const] : (written ?? []);
  });
