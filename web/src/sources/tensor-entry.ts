import type { Logical, ValueAt } from './logical';

/** Inputs that are made of numbers of their own; dy has sources of other kinds. */
export type TensorInput = 'x' | 'w' | 'b';

/** One source of the numbers of x, w or b: all that the page knows about it stands in its entry. */
export interface TensorEntry<Source extends { readonly kind: string }> {
  readonly kind: Source['kind'];
  /** Inputs that can have it. */
  readonly inputs: readonly TensorInput[];
  /** What a menu offers; empty for what is chosen elsewhere. `cells`: how many the input has. */
  readonly menu: readonly MenuItem<Source>[];
  /** What a menu says that has no such item. */
  title(source: Source): string;
  /** "Shuffle": the next of its kind. */
  another?(source: Source): Source;
  /** In a link: a word, which one of `words`, and what follows its colon. */
  readonly words: readonly string[];
  write(source: Source): readonly [word: string, argument?: string];
  read(word: string, argument: string | undefined): Source | null;
  /** Its numbers cannot be made again: they stay where sizes change, and `values` has what comes beside them. */
  readonly kept?: true;
  /** The value of each position, or all of them in the order of nhwc (weights: tap row, tap column, channel, filter). */
  values(source: Source, to: Logical): ValueAt | Float32Array;
}

export interface MenuItem<Source> {
  readonly label: string;
  is(source: Source): boolean;
  make(cells: number): Source;
}
