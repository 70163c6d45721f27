import type { DySource as DyInput } from '../protocol/messages';
import type { LossName, Shape } from '../protocol/problem';

/** The current state, for a new source of dy. */
export interface DyContext {
  /** Shape of y and dy. */
  readonly shape: Shape;
  /** The current dy; null if not computed yet. */
  readonly dy: Float32Array | null;
}

/** Resizes the arrays of a source: cells keep their positions, new cells are 0. */
export interface Resizer {
  readonly to: Shape;
  data(values: Float32Array, shape: Shape): Float32Array;
  /** For an array with the previous shape of y. */
  whole(values: Float32Array): Float32Array;
  /** The same cell, or the nearest one that still exists. */
  index(index: number): number;
}

/** A source in a link: kind, then ":" and the argument, then "~" and the values. */
export interface DyText {
  readonly argument?: string;
  readonly values?: Float32Array;
}

export interface DyReading {
  readonly argument: string | undefined;
  /** Exactly `count` values, or null. */
  values(count: number): Float32Array | null;
  readonly hasValues: boolean;
  /** Shape of y. */
  readonly shape: Shape;
}

/** The reason why a source does not fit y. */
export interface Fault {
  readonly wrong: string;
  /** What a link must contain instead. */
  readonly right: string;
}

interface Ones {
  readonly kind: 'ones';
}

/** Everything about one source of dy. */
export interface DyEntry<Source extends { readonly kind: string }> {
  /** Also its name in a link. */
  readonly kind: Source['kind'];
  make(board: DyContext): Source;
  write(source: Source): DyText;
  read(text: DyReading): Source | null;
  /** Replacement for values that are too many for a link. */
  bare(): Source | Ones;
  fault(source: Source, y: Shape): Fault | null;
  resize(source: Source, move: Resizer): Source | Ones;
  /** The arrays in memory. */
  arrays(source: Source): readonly Float32Array[];
  /** The source in a compute request. */
  send(source: Source, y: Shape): DyInput;
  /** For the gradient of a loss between y and a target (null: 0 everywhere). */
  readonly loss?: LossOf<Source>;
  /** For "Shuffle": the next source of this kind. */
  another?(source: Source): Source;
}

interface LossOf<Source> {
  readonly name: LossName;
  target(source: Source): Float32Array | null;
  toward(target: Float32Array | null): Source;
}
