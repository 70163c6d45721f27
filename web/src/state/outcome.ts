import type { ConvError } from '../protocol/errors';
import type { ComputeResult } from '../protocol/messages';
import type { Problem } from './problem';

/** Inputs and what the library made of exactly these inputs: the only thing that views draw. */
export interface Shown {
  readonly problem: Problem;
  readonly result: ComputeResult;
}

/** How far the current problem has come. `revision` is the store's own count of edits. */
export type Outcome =
  | { readonly status: 'computing'; readonly revision: number }
  | { readonly status: 'ready'; readonly revision: number }
  /** There is no picture of the current problem: the page shows the error in its place. */
  | { readonly status: 'failed'; readonly revision: number; readonly error: ConvError };

/** An edit that could not be accepted: what was typed, beside its field, while the last valid problem stays in force. */
export interface Draft {
  /** The control's field: a name of ConvDesc ("stride_h", "padding.top"), of a tensor, or '' . */
  readonly field: string;
  /** What the user typed or asked for, as text. */
  readonly text: string;
  readonly error: ConvError;
}
