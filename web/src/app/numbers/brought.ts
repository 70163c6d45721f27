import type { ResultName } from './offers';

/** A result from outside, in the order of what is computed here. */
export interface Brought {
  readonly made: ResultName;
  /** As the file calls it. */
  readonly name: string;
  /** Which axis was taken for which. */
  readonly text: string;
  readonly values: Float32Array;
  /** The other ways to read it that fit. */
  readonly others: readonly { readonly text: string; readonly values: Float32Array }[];
}
