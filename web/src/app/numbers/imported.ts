import type { ResultName } from '../../protocol/tensors';

/** An imported result, in the axis order of this page. */
export interface Imported {
  readonly result: ResultName;
  /** Its name in the file. */
  readonly name: string;
  /** How its axes were read. */
  readonly text: string;
  readonly values: Float32Array;
  /** The other axis orders that fit. */
  readonly others: readonly { readonly text: string; readonly values: Float32Array }[];
}
