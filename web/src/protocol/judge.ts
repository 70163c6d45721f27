/** Requests to the library conv2d_check, and its verdict on the arrays of a file: the data of the command conv2d-check. */

export interface JudgedArray {
  /** Not empty: sentences name the array. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: Float32Array;
  /** Printed as text: a 0 may be a rounded number. */
  readonly is_text: boolean;
}

/** "stride" with values [2], "padding" with the text "same". */
export interface JudgedArgument {
  readonly name: string;
  readonly values: readonly number[];
  /** '': `values` are read. */
  readonly text: string;
}

export interface JudgeRequest {
  readonly arrays: readonly JudgedArray[];
  readonly arguments: readonly JudgedArgument[];
  /** Whether the arguments are of the file, so that sentences mention them. */
  readonly says_arguments: boolean;
  /** x, w, b and dy of the page, for a file that does not have them. */
  readonly operands: readonly JudgedArray[];
  /** Of the operands, as sentences call it. */
  readonly owner: string;
}

export type JudgeMessage =
  | { readonly type: 'verdict'; readonly verdict: FileVerdict }
  | { readonly type: 'failed'; readonly message: string };

/** In the order in which they are listed. */
export const ROLES = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'] as const;
export type Role = (typeof ROLES)[number];
export type JudgedResult = 'y' | 'dx' | 'dw' | 'db';

/** The index of the array of each tensor, in the list of the request. */
export type ArraysOfLayer = Readonly<Partial<Record<Role, number>>>;

export type TensorJudgement =
  | 'matches'
  | 'scaled'
  | 'mistake'
  | 'partly_wrong'
  | 'differs'
  | 'cannot_tell'
  | 'does_not_fit';

/** NaN and infinities are texts. */
export type JudgedNumber = number | 'NaN' | 'Infinity' | '-Infinity';

export interface TensorVerdict {
  readonly verdict: TensorJudgement;
  readonly sentence: string;
  /** "float32", "bfloat16", "4 decimals" */
  readonly format: string;
  /** Mistakes that give the result. */
  readonly names?: readonly string[];
  /** Their steps in the lessons, each once: "gather.5". */
  readonly lessons: readonly string[];
  readonly cells?: number;
  readonly differing?: number;
  /** Index of the cell with the largest error, in the order of the array, with its value and the right one. */
  readonly worst?: number;
  readonly yours?: JudgedNumber;
  readonly right?: JudgedNumber;
  /** Of cannot_tell and does_not_fit: "dy is missing". */
  readonly reason?: string;
  readonly array: string;
  /** "x: A_prev", "dy: 1 (the loss y.sum())" */
  readonly operands: readonly string[];
}

export type LayerKind = 'conv' | 'conv1d' | 'conv_transpose' | 'relu' | 'max_pool' | 'average_pool';

/** Pairs are rows, columns. */
export interface LayerGeometry {
  readonly kernel: readonly [number, number];
  readonly stride: readonly [number, number];
  /** top, bottom, left, right */
  readonly padding: readonly [number, number, number, number];
  readonly dilation: readonly [number, number];
  readonly groups: number;
  /** "NCHW", "CHW", "NLC"; "OIHW", "HWCM", "OIL" */
  readonly order: { readonly x: string; readonly w?: string };
}

/** An alternative: another geometry, or other tensors. */
export interface LayerChoice {
  readonly words: string;
  readonly geometry?: LayerGeometry;
  readonly arrays?: ArraysOfLayer;
}

export interface LayerVerdict {
  /** What the names of its arrays share: "conv1"; often ''. */
  readonly name: string;
  readonly kind: LayerKind;
  readonly geometry: LayerGeometry | null;
  /** "stride 2, padding 1: the only one of 40 that gives y" */
  readonly evidence: string;
  readonly alternatives?: readonly string[];
  readonly choices?: readonly LayerChoice[];
  /** What would decide between the alternatives. */
  readonly told_apart_by?: string;
  readonly arrays: ArraysOfLayer;
  /** Where the upstream gradient comes from. */
  readonly dy: 'file' | 'ones' | 'mean' | 'y' | 'owner' | 'missing';
  readonly tensors: Readonly<Partial<Record<JudgedResult, TensorVerdict>>>;
}

export interface LayerJoin {
  readonly from: string;
  readonly to: string;
  /** "y -> x", "dx -> dy" */
  readonly tensors: string;
  readonly relation: 'equal' | 'relu' | 'differs';
}

export interface FileVerdict {
  readonly verdict: 'right' | 'wrong' | 'cannot_tell';
  readonly sentence: string;
  /** In the forward order. */
  readonly layers: readonly LayerVerdict[];
  /** Without layers: what the arrays would be the inputs of. */
  readonly inputs?: LayerVerdict;
  /** Names of arrays that are neither a tensor of a layer nor an argument. */
  readonly unused: readonly string[];
  /** What the arguments of the file say. */
  readonly arguments?: string;
  readonly joins?: readonly LayerJoin[];
  readonly first_wrong_forward?: string;
  readonly first_wrong_backward?: string;
}
