/** Types shared by page and worker. Names and units are those of cpp/include/conv2d (elements, not bytes). */

/** The order of a tensor's sizes in memory. */
export type Layout = 'nhwc' | 'nchw';
export const PADDING_MODES = ['explicit_sides', 'valid', 'same', 'full'] as const;
export type PaddingMode = (typeof PADDING_MODES)[number];

/** The sizes that are numbers of ConvDesc, in the order of the library. size-table.ts describes them. */
export const COUNTS = [
  ...(['n', 'h', 'w', 'c', 'k', 'kh', 'kw'] as const),
  ...(['stride_h', 'stride_w', 'dilation_h', 'dilation_w', 'groups'] as const),
] as const;
export type CountName = (typeof COUNTS)[number];

export const SIDES = ['top', 'bottom', 'left', 'right'] as const satisfies readonly (keyof Padding)[];
/** In cells. */
export interface Padding {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}
export const NO_PADDING: Padding = { top: 0, bottom: 0, left: 0, right: 0 };
/** "h", "stride_w", "padding.top". */
export type SizeName = CountName | `padding.${keyof Padding}`;

/** Describes a 2-D convolution (cross-correlation); see conv2d::ConvDesc. */
export interface ConvDesc extends Readonly<Record<CountName, number>> {
  readonly layout: Layout;
  readonly padding_mode: PaddingMode;
  /** Read only when padding_mode is 'explicit_sides'. */
  readonly padding: Padding;
}

/** A validated ConvDesc with all derived sizes; see conv2d::Geometry. Always computed by the library. */
export interface Geometry extends Readonly<Record<CountName, number>> {
  readonly layout: Layout;
  readonly padding: Padding;
  readonly oh: number;
  readonly ow: number;
  readonly group_c: number;
  readonly group_k: number;
  readonly dilated_kh: number;
  readonly dilated_kw: number;
  readonly remainder_h: number;
  readonly remainder_w: number;
}

export type Pass = 'forward' | 'backward_data' | 'backward_weights' | 'backward_bias';
export const PASSES: readonly Pass[] = ['forward', 'backward_data', 'backward_weights', 'backward_bias'];

export type TensorName = 'x' | 'w' | 'b' | 'y' | 'dy' | 'dx' | 'dw' | 'db';

/** Intermediate tensors; see conv2d::Stage. */
export type StageName =
  | 'x_padded'
  | 'x_col'
  | 'w_col'
  | 'y_col'
  | 'dy_col'
  | 'dx_col'
  | 'dw_col'
  | 'dy_upsampled'
  | 'dy_extended'
  | 'dy_inserted'
  | 'w_exchanged'
  | 'w_flipped'
  | 'dx_padded'
  | 'dw_uncropped'
  | 'dw_per_image';

/**
 * Algorithms that can be stopped after t steps; see conv2d::Process. dx_full_conv_unflipped is the mistake of not flipping the
 * kernel: its result is NOT the gradient.
 */
export type ProcessName =
  | 'forward'
  | 'dx_scatter'
  | 'dx_col2im'
  | 'dx_gather'
  | 'dx_full_conv'
  | 'dx_full_conv_unflipped'
  | 'dw_accumulate'
  | 'dw_dilated_dy'
  | 'db_accumulate';

/** How col2im combines several contributions to one cell; only 'sum' gives the gradient. */
export type FoldMode = 'sum' | 'average' | 'overwrite';

/** The parameter of a gradient check. */
export type ParameterName = 'x' | 'w' | 'b';

export type ColumnOrder = 'kh_kw_c' | 'c_kh_kw';

/** Four sizes in the layout's order. */
export type Shape = readonly [number, number, number, number];

export interface TensorStats {
  readonly min: number;
  readonly max: number;
  readonly max_abs: number;
  readonly not_finite: number;
}

export interface Tensor {
  /** b and db are [1,1,1,k], matrices of a stage [groups, rows, columns, 1]. */
  readonly shape: Shape;
  /** Row-major float32 values as the library computed them. */
  readonly data: Float32Array;
  /** Computed by the library, for color scales and legends. */
  readonly stats: TensorStats;
}

/** The tensors of a problem: which are given, which each pass computes, and their shapes. */

/** Tensors with editable cells. */
export const INPUTS = ['x', 'w', 'b', 'dy'] as const;
export type InputName = (typeof INPUTS)[number];

/** Computed tensors. */
export const RESULTS = ['y', 'dx', 'dw', 'db'] as const;
export type ResultName = (typeof RESULTS)[number];

/** In display order. */
export const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];

export const isTensor = (name: string): name is TensorName => TENSORS.some((tensor) => tensor === name);

/** The tensor that each pass computes. */
export const RESULT_OF = {
  forward: 'y',
  backward_data: 'dx',
  backward_weights: 'dw',
  backward_bias: 'db',
} as const satisfies Readonly<Record<Pass, ResultName>>;

/** The pass that computes each result. */
export const PASS_OF = {
  y: 'forward',
  dx: 'backward_data',
  dw: 'backward_weights',
  db: 'backward_bias',
} as const satisfies Readonly<Record<ResultName, Pass>>;

export const isResult = (name: string): name is ResultName => Object.hasOwn(PASS_OF, name);

/** The tensors that each pass reads. */
export const READ_BY = {
  forward: ['x', 'w', 'b'],
  backward_data: ['dy', 'w'],
  backward_weights: ['x', 'dy'],
  backward_bias: ['dy'],
} as const satisfies Readonly<Record<Pass, readonly InputName[]>>;

/** pixels: n, row, col, channel; weights: tap row, tap col, channel in group, filter; bias: 1, 1, 1, filter. */
export type TensorKind = 'pixels' | 'weights' | 'bias';

export const KIND_OF = {
  ...{ x: 'pixels', dx: 'pixels', y: 'pixels', dy: 'pixels' },
  ...{ w: 'weights', dw: 'weights' },
  ...{ b: 'bias', db: 'bias' },
} as const satisfies Readonly<Record<TensorName, TensorKind>>;

/** All grids of cells. C is the convolution of one image as a matrix (geometry/conv-matrix.ts). */
export type GridName = TensorName | StageName | 'C';

/**
 * One cell of one grid. `index` is flat and row-major, in the layout's order for tensors. For the matrices of im2col (x_col,
 * w_col, y_col, ...) it is always that of the column order kh_kw_c, not transposed, independent of how they are shown.
 */
export interface Cell {
  readonly tensor: GridName;
  readonly index: number;
  /** The shown value of a cell of a stage: the page does not store the tensors of stages. */
  readonly value?: number;
  /** The revision of the problem of `value`. */
  readonly seenIn?: number;
}

/** An output of a layer, or its gradient, by its name in the view Network. */
export type NetworkTensor = `${'y' | 'dy'}${1 | 2 | 3 | 4}`;

/**
 * Hidden values, as the page names them: one cell, or all cells of a grid. Not for C: its entries are cells of w. In a network:
 * only outputs of layers, their gradients, and dx of its input.
 */
export interface Hidden {
  readonly tensor: GridName | NetworkTensor;
  /** Flat index as in Cell; null: all cells. */
  readonly index: number | null;
}

/** The same as the worker knows it: `tensor` by its name in the layer, counted from 0. */
export interface HiddenCells {
  readonly layer: number;
  readonly tensor: GridName;
  readonly index: number | null;
}

/** A cell, and the geometry of the view in which it was chosen: the current geometry may be another one by now. */
export interface AddressedCell extends Cell {
  readonly geometry: Geometry;
}

/** Codes of conv2d::ErrorCode and of the JavaScript API. */
export type EngineErrorCode =
  | 'invalid_size'
  | 'invalid_stride'
  | 'invalid_dilation'
  | 'invalid_padding'
  | 'invalid_groups'
  | 'channel_mismatch'
  | 'kernel_too_large'
  | 'input_size_mismatch'
  | 'length_mismatch'
  | 'overflow'
  | 'out_of_memory'
  | 'unknown_algorithm'
  | 'unsupported'
  | 'invalid_argument'
  | 'cancelled'
  | 'module_unavailable'
  /** The engine or layer was disposed before the call. */
  | 'disposed'
  | 'internal';

/** All codes, including those of the page. */
export type ErrorCode =
  | EngineErrorCode
  /** The question is about a problem that is no longer current. */
  | 'stale'
  /** Larger than the page shows; the library may support it. */
  | 'beyond_limits'
  /** Expensive: computed only after a confirmation. */
  | 'costly'
  | 'image_unreadable';

/** An error as a value: its code, the invalid field, and a message. */
export interface ConvError {
  readonly code: ErrorCode;
  /** A name of ConvDesc ("stride_h", "padding.top"), of a tensor ("dy"), or '' if there is no single one. */
  readonly field: string;
  readonly message: string;
}
