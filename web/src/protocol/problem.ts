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

/** linear: sum(y * dy); mse: sum((y - target)^2) / (2 * y_size); log_cosh: sum(log(cosh(y - target))) / y_size. */
export type LossName = 'linear' | 'mse' | 'log_cosh';

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
