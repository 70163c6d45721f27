import type { Tensor, TensorName } from './problem';

/**
 * Gradient descent on the squared error, starting at the problem's x, w and b, or at 0. The same settings give bitwise the same result.
 * Consecutive steps are fast, because the worker continues from its current state.
 */
export interface LearnAsk {
  /** x, or w and b of all layers. */
  readonly learns: 'x' | 'w';
  /**
   * The target is y of these weights, those of all layers one after the other, each times `scale`, and without a bias. null: the target of
   * the loss, or 0 if dy is given.
   */
  readonly teacher: { readonly weights: Float32Array; readonly scale: number } | null;
  /** The learned values start at 0 instead of those of the problem. */
  readonly fromZero: boolean;
  readonly rate: number;
  /** Mini-batch size for w, in images, taken in order; n or more: all images. */
  readonly batch: number;
  /** Amplitude of the random noise that is added to the target. */
  readonly noise: number;
  /** The weights of all layers start multiplied by it. */
  readonly scale: number;
  /** Flat indices of the learned values to record in the history. */
  readonly watch: Int32Array;
  readonly steps: number;
}

export interface Learned {
  /** Fewer than requested if the next step overflows float32. */
  readonly steps: number;
  /** The learned tensors and their gradients, y and dy, for all images; also w if x is learned from a teacher. */
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  /** null: another layer computes the end. */
  readonly target: Tensor | null;
  /** Of all images. */
  readonly loss: number;
  /** Some of the steps from 0 to this one, including both, ascending. */
  readonly history: {
    readonly steps: Int32Array;
    readonly losses: Float64Array;
    /** The watched values of each of these steps. */
    readonly watched: Float32Array;
    /** The norm of dw of each convolution, by step; empty if x is learned. */
    readonly norms: Float64Array;
  };
  /** null: the loss of several layers is no parabola. */
  readonly step_size: StepSize | null;
  /** The convolutions, from the first on. */
  readonly layers: readonly { readonly w: Float32Array; readonly b: Float32Array | null }[];
  /** The ReLU layers, counted from 0, with inputs that are all negative or 0: y no longer depends on the weights before. */
  readonly closed: readonly number[];
}

/** Stability of the learning rate, from the largest eigenvalue of the loss of all images. */
export interface StepSize {
  /** The largest eigenvalue of the matrix of second derivatives. */
  readonly curvature: number;
  /** 2 / curvature: gradient descent diverges above this rate. */
  readonly largest_rate: number;
  /** 1 - rate * curvature: each step multiplies the distance to the minimum by it, along the eigenvector. */
  readonly factor: number;
}
