import type { Logical, ValueAt } from './logical';

/** Inputs with these sources; dy has sources of other kinds. */
export type TensorInput = 'x' | 'w' | 'b';

/** Everything about one source of x, w or b. */
export interface TensorEntry<Source extends { readonly kind: string }> {
  readonly kind: Source['kind'];
  /** Inputs that can have it. */
  readonly inputs: readonly TensorInput[];
  /** Menu items; empty if the source is chosen elsewhere. */
  readonly menu: readonly MenuItem<Source>[];
  /** Name of the source. */
  title(source: Source): string;
  /** For "Shuffle": the next source of this kind. */
  another?(source: Source): Source;
  /** Names in a link. A source is written as one of them, then ":" and an argument. */
  readonly words: readonly string[];
  write(source: Source): readonly [word: string, argument?: string];
  read(word: string, argument: string | undefined): Source | null;
  /** The values cannot be generated again: they stay when sizes change, and `values` fills new cells. */
  readonly persisted?: true;
  /** The value of each position, or all values in NHWC order (weights: tap row, tap column, channel, filter). */
  values(source: Source, to: Logical): ValueAt | Float32Array;
}

export interface MenuItem<Source> {
  readonly label: string;
  is(source: Source): boolean;
  make(cells: number): Source;
}
