import type { ConvError } from './errors';
import type {
  ColumnOrder,
  FoldMode,
  LossName,
  ParameterName,
  Pass,
  ProcessName,
  StageName,
  Tensor,
  TensorName,
} from './problem';

/**
 * Requests about the problem that the session holds. Each quotes the `revision` of the ComputeResult it looks into;
 * when the session has moved on meanwhile, the answer is the error 'stale', never numbers of another problem.
 */

export interface StageRequest {
  readonly stage: StageName;
  readonly order: ColumnOrder;
  /** Matrices only: columns become rows. */
  readonly transposed: boolean;
}

export interface StageResult extends StageRequest {
  readonly tensor: Tensor;
}

export interface PartialRequest {
  readonly process: ProcessName;
  /** 0 .. the process's total. */
  readonly steps: number;
}

export interface PartialResult extends PartialRequest {
  /** Number of steps of the whole process. */
  readonly total: number;
  readonly tensor: Tensor;
}

/** dx_col carried back into dx: only mode 'sum' is the gradient. */
export interface FoldRequest {
  readonly mode: FoldMode;
  /** Rows of dx_col (output positions) folded so far, or 'all'. */
  readonly positions: number | 'all';
}

export interface FoldResult extends FoldRequest {
  /** Number of rows of dx_col. */
  readonly total: number;
  readonly tensor: Tensor;
}

/** More about the same tensors: stages, animation frames, ways to fold dx_col, how often each cell of x is read. */
export interface DetailsRequest {
  readonly type: 'details';
  readonly revision: number;
  readonly stages: readonly StageRequest[];
  readonly partials: readonly PartialRequest[];
  readonly folds: readonly FoldRequest[];
  readonly coverage: boolean;
}

export interface DetailsResult {
  readonly type: 'details';
  readonly stages: readonly StageResult[];
  readonly partials: readonly PartialResult[];
  readonly folds: readonly FoldResult[];
  /** [1, h, w, 1], whatever the layout; null when not asked for. */
  readonly coverage: Tensor | null;
}

/** Terms of an explained sum: pairs of cells, products computed by the library. A negative index is a factor in the padding. */
export interface ProductsRequest {
  readonly type: 'products';
  readonly revision: number;
  readonly a: TensorName;
  readonly b: TensorName;
  readonly index_a: Int32Array;
  readonly index_b: Int32Array;
}

export interface ProductsResult {
  readonly type: 'products';
  readonly products: Float32Array;
  readonly sum: number;
}

/** Run one pass by several algorithms and measure each against the reference. */
export interface CompareRequest {
  readonly type: 'compare';
  readonly revision: number;
  readonly pass: Pass;
  /** Names of the pass's algorithms, or 'all' that the list holds. */
  readonly algorithms: readonly string[] | 'all';
}

export interface CompareRow {
  readonly algorithm: string;
  readonly milliseconds: number;
  /** max |result - reference|, measured; NaN when a difference is NaN; null when the algorithm did not run. */
  readonly max_abs_difference: number | null;
  /** Why the algorithm did not run, else null. */
  readonly error: ConvError | null;
}

export interface CompareResult {
  readonly type: 'compare';
  readonly pass: Pass;
  readonly rows: readonly CompareRow[];
}

/** Central differences (L(v + e) - L(v - e)) / 2e beside the analytic gradient, for one step size or a sweep of them. */
export interface GradientCheckRequest {
  readonly type: 'gradient_check';
  readonly revision: number;
  readonly parameter: ParameterName;
  /** linear takes the session's dy; the others need `target`. */
  readonly loss: LossName;
  /**
   * Of y's length; null for the linear loss. 'near_y' makes one that y misses by less than 1 in each cell, where a curved
   * loss is curved: far away, log(cosh) is a straight line.
   */
  readonly target: Float32Array | 'near_y' | null;
  readonly precision: 'float32' | 'float64';
  /** One check per step size, each > 0. */
  readonly epsilons: readonly number[];
  /** Flat indices into the parameter, or 'all' its cells. */
  readonly indices: Int32Array | 'all';
}

/** One entry per checked cell, in the order asked for. float32 results are widened exactly. */
export interface GradientCheckCells {
  readonly index: Int32Array;
  readonly loss_plus: Float64Array;
  readonly loss_minus: Float64Array;
  /** For the linear loss what the kernel computed, where that pass ran; else the reference's gradient. */
  readonly analytic: Float64Array;
  readonly numeric: Float64Array;
  readonly absolute_error: Float64Array;
  /** |a - n| / max(|a|, |n|, smallest normal) */
  readonly relative_error: Float64Array;
}

export interface GradientCheckRun {
  readonly epsilon: number;
  readonly cells: GradientCheckCells;
  /** Over all cells; NaN when any is NaN. */
  readonly max_absolute_error: number;
  readonly max_relative_error: number;
}

export interface GradientCheckResult {
  readonly type: 'gradient_check';
  readonly runs: readonly GradientCheckRun[];
}
