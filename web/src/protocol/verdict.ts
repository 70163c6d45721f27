/** The verdict on the arrays of a file, as conv2d_check::to_json writes it. Names are stable; members may be added. */

/** A tensor that an array of a file can be. */
export type Role = 'x' | 'w' | 'b' | 'y' | 'dy' | 'dx' | 'dw' | 'db';

/** In the order in which they are listed. */
export const ROLES: readonly Role[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];

/** The index of the array of each tensor, in the list of arrays. */
export type ArraysOfLayer = Readonly<Partial<Record<Role, number>>>;

/** The verdict on a whole file. */
export interface FileVerdict {
  readonly verdict: 'right' | 'wrong' | 'cannot_tell';
  /** The verdict in words. */
  readonly sentence: string;
  /** In the forward order. */
  readonly layers: readonly LayerVerdict[];
  /** Without layers: what the arrays would be the inputs of. */
  readonly inputs?: LayerVerdict;
  /** Names of arrays that are no tensor of a layer and no argument. */
  readonly unused: readonly string[];
  /** What the arguments beside the arrays say, and whether the values agree. */
  readonly arguments?: string;
  readonly joins?: readonly LayerJoin[];
  /** Name of the first wrong layer, if there are several layers. */
  readonly first_wrong_forward?: string;
  /** Name of the last layer with a wrong gradient: the first one backwards. */
  readonly first_wrong_backward?: string;
}

/** The verdict on one layer: which layer it is, and its results. */
export interface LayerVerdict {
  /** The part of the names that its arrays share; often empty. */
  readonly name: string;
  readonly kind: 'conv' | 'conv1d' | 'conv_transpose' | 'relu' | 'max_pool' | 'average_pool';
  /** Null: the layer has none, or fits none. */
  readonly geometry: LayerGeometry | null;
  /** "stride 2, padding 1: the only one of 40 that gives y" */
  readonly evidence: string;
  /** Other geometries, orders of axes or assignments that fit as well. */
  readonly alternatives?: readonly string[];
  /** Alternatives as data; those of pooling have words only. */
  readonly choices?: readonly LayerChoice[];
  /** What would decide between them. */
  readonly told_apart_by?: string;
  readonly arrays: ArraysOfLayer;
  /** Origin of the upstream gradient. 'ones', 'mean', 'y': that of the loss sum(y), mean(y), sum(y^2) / 2. */
  readonly dy: 'file' | 'ones' | 'mean' | 'y' | 'owner' | 'missing';
  readonly tensors: Readonly<Partial<Record<'y' | 'dx' | 'dw' | 'db', TensorVerdict>>>;
}

/** An alternative: another geometry, or other tensors. */
export interface LayerChoice {
  readonly words: string;
  readonly geometry?: LayerGeometry;
  readonly arrays?: ArraysOfLayer;
}

/** The geometry of a layer, found by the values. */
export interface LayerGeometry {
  /** Rows, columns. */
  readonly kernel: readonly number[];
  readonly stride: readonly number[];
  /** Top, bottom, left, right. */
  readonly padding: readonly number[];
  readonly dilation: readonly number[];
  readonly groups: number;
  readonly output_padding?: readonly number[];
  /** A letter for each axis: x NCHW, w OIHW. */
  readonly order: { readonly x: string; readonly w?: string };
}

/** 'matches': every cell is right, in `format`. The others are in order of preference. */
export type Judgement = 'matches' | 'scaled' | 'mistake' | 'partly_wrong' | 'differs' | 'cannot_tell' | 'does_not_fit';

/** The verdict on one result of a layer. */
export interface TensorVerdict {
  readonly verdict: Judgement;
  readonly sentence: string;
  /** Name of the array. */
  readonly array: string;
  /** "x: A_prev", "dy: ones" */
  readonly operands: readonly string[];
  /** "float32", "bfloat16", "float16", "tf32", "4 decimals", "5 digits" */
  readonly format: string;
  /** Names of mistakes: one, two one after the other (`in_sequence`), or several that all give the result. */
  readonly names?: readonly string[];
  readonly in_sequence?: boolean;
  /** Steps of lessons about these mistakes, each once: "gather.5". Of the page only. */
  readonly lessons?: readonly string[];
  readonly factor: number | string;
  /** "1 / the number of images", "a learning rate" */
  readonly factor_reason?: string;
  /** "columns from 24 on" */
  readonly where?: string;
  /** What the cells that differ are: "0", "2 times the right values". */
  readonly relation?: string;
  readonly reason?: string;
  readonly cells?: number;
  /** Number of cells outside the rounding of `format`. */
  readonly differing?: number;
  /** Flat index of the cell with the largest error, and its values. NaN and infinities are strings. */
  readonly worst?: number;
  readonly yours?: number | string;
  readonly right?: number | string;
}

/** Two layers that follow one another. */
export interface LayerJoin {
  readonly from: string;
  readonly to: string;
  /** "y -> x", "dx -> dy" */
  readonly tensors: string;
  /** 'sum': several layers read y, and dy is the sum of their dx. */
  readonly relation: 'equal' | 'relu' | 'sum' | 'differs';
}
