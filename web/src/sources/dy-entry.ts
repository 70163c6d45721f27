import type { DySource as DyInput } from '../protocol/messages';
import type { LossName, Shape } from '../protocol/problem';

/** What somebody has before them who chooses a source of dy. */
export interface DyBoard {
  /** Of y, and so of dy. */
  readonly shape: Shape;
  /** dy as it is; null while it is not known. */
  readonly dy: Float32Array | null;
}

/** The way from one output to another: cells keep their positions, new ones are 0. */
export interface Move {
  readonly to: Shape;
  data(values: Float32Array, shape: Shape): Float32Array;
  /** Of the whole y that was. */
  whole(values: Float32Array): Float32Array;
  /** The same cell, or the nearest one that is left. */
  index(index: number): number;
}

/** What a link says of a source: a word, a colon and an argument, and values. */
export interface DyText {
  readonly argument?: string;
  readonly values?: Float32Array;
}

export interface DyReading {
  readonly argument: string | undefined;
  /** Exactly so many values; null where the link has not. */
  values(count: number): Float32Array | null;
  readonly hasValues: boolean;
  /** Of y. */
  readonly shape: Shape;
}

/** Why a source is not one for this y. */
export interface Fault {
  readonly wrong: string;
  /** What a link needs instead. */
  readonly right: string;
}

interface Ones {
  readonly kind: 'ones';
}

/** One source of dy: all that the page knows about it stands in its entry. */
export interface DyEntry<Source extends { readonly kind: string }> {
  /** Also its word in a link. */
  readonly kind: Source['kind'];
  readonly label: string;
  /** Which loss has this gradient. */
  readonly sentence: string;
  /** What one can do about it where dy has the whole stage. */
  readonly hands?: string;
  /** Its text in a link, for somebody whose own was not understood. */
  readonly example: string;
  make(board: DyBoard): Source;
  write(source: Source): DyText;
  read(text: DyReading): Source | null;
  /** In place of values that are too many for a link. */
  bare(): Source | Ones;
  fault(source: Source, y: Shape): Fault | null;
  move(source: Source, move: Move): Source | Ones;
  /** What it keeps in memory. */
  arrays(source: Source): readonly Float32Array[];
  /** As the library is asked for it. */
  send(source: Source, y: Shape): DyInput;
  /** Of a gradient of a loss between y and a target (null: 0 everywhere). */
  readonly loss?: LossOf<Source>;
  /** "Shuffle": the next of its kind. */
  another?(source: Source): Source;
  /** A click on a cell of dy, where that chooses one. */
  click?(index: number): Source;
}

interface LossOf<Source> {
  readonly name: LossName;
  target(source: Source): Float32Array | null;
  toward(target: Float32Array | null): Source;
}
