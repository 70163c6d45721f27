import type { FileVerdict } from './verdict';

/** Requests to the library conv2d_check. */

/** An array of a file: row-major. `is_text`: printed as text, so that zeros may be rounded numbers. */
export interface NamedArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
  readonly is_text: boolean;
}

/** An argument of a layer: whole numbers, or a text such as "same". See conv2d_check::Argument. */
export interface NamedArgument {
  readonly name: string;
  readonly values: readonly number[];
  readonly text: string;
}

export interface JudgeOptions {
  /** A further factor that has a reason, unless 0. */
  readonly learning_rate?: number;
  /** x, w, b and dy of the caller, for a file that does not have them. */
  readonly operands?: readonly NamedArray[];
  /** Of the operands, as sentences call it. */
  readonly owner?: string;
  /** False: the arguments are not of the file, and sentences do not mention them. */
  readonly says_arguments?: boolean;
}

/** To the worker that checks arrays. */
export interface JudgeRequest {
  readonly arrays: readonly NamedArray[];
  readonly given: readonly NamedArgument[];
  readonly options: JudgeOptions;
}

export type JudgeMessage =
  | { readonly type: 'verdict'; readonly verdict: FileVerdict }
  | { readonly type: 'failed'; readonly message: string };
