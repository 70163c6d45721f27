import type { ParameterName } from './problem';

/**
 * Compares the analytic gradient with central differences (L(v + e) - L(v - e)) / 2e, for one or several steps e. In a network L is
 * the loss at its end, and y and dy are those of the last layer.
 */
export interface GradientCheckAsk {
  readonly parameter: ParameterName;
  /** By its name in the library: linear uses the session's dy; the others need `target`. */
  readonly loss: string;
  /**
   * Of y's length; null for the linear loss. 'near_y' generates a target within 1 of y in each cell, where log(cosh) is
   * curved: far away it is linear.
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
  /** The gradient of the kernel for the linear loss, if that pass ran; else that of the reference implementation. */
  readonly analytic: Float64Array;
  readonly numeric: Float64Array;
  readonly absolute_error: Float64Array;
  /** |a - n| / max(|a|, |n|, smallest normal) */
  readonly relative_error: Float64Array;
  /** The parts of the error: rounding of the losses, and curvature of the loss within the step. 0 where the error alone confirms. */
  readonly rounding: Float64Array;
  readonly truncation: Float64Array;
  /** Indices into VERDICTS. */
  readonly verdict: Float64Array;
  /** Of the cells at a kink or a tie: what bends the loss. Absent while values are hidden. */
  readonly bends?: {
    /** The first layer that bends between the two values, counted from 0; the number of layers: the loss itself; -1: none. */
    readonly layer: Int32Array;
    /**
     * ReLU: the cell of its input that changes sign. Max pooling: the cell of its output with another winner. The loss: the cell of
     * the last output that reaches its target.
     */
    readonly cell: Int32Array;
    /** 1: the loss bends at the value itself, because the input of ReLU is 0, two cells are equal, or an output is its target. No step avoids that. */
    readonly at_value: Int32Array;
    /** Max pooling: the two cells of its input. */
    readonly winner_above: Int32Array;
    readonly winner_below: Int32Array;
    /** Of all cells: (L(v + e) - L(v)) / e, and the same downwards. */
    readonly slope_above: Float64Array;
    readonly slope_below: Float64Array;
  };
}

export interface GradientCheckRun {
  readonly epsilon: number;
  readonly cells: GradientCheckCells;
  /** Over all cells; NaN when any is NaN. */
  readonly max_absolute_error: number;
  /** Without cells that are within rounding. */
  readonly max_relative_error: number;
  /** The worst verdict: an index into VERDICTS. */
  readonly verdict: number;
}

export interface GradientCheck {
  readonly runs: readonly GradientCheckRun[];
}
