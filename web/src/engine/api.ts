import type { Layout, Padding, Shape } from '../protocol/problem';
import type { Variant } from '../wasm/variant';

/** A tensor: four sizes in the layout's order, and as many values, row-major. */
export interface Values {
  readonly shape: Shape;
  readonly data: Float32Array;
}

/** One number for both axes, or [vertical, horizontal]. */
export type PerAxis = number | readonly [number, number];

/** How x and w meet. What is left out is NHWC, stride 1, dilation 1 (none), one group and no padding. */
export interface Geometry {
  /** nhwc with weights of kh, kw, c / groups, k; or nchw with weights of k, c / groups, kh, kw. */
  readonly layout?: Layout;
  readonly stride?: PerAxis;
  readonly dilation?: PerAxis;
  readonly groups?: number;
  /** A name, cells on every side, or cells of each side. 'same' is TensorFlow's: the odd cell goes to the bottom and right. */
  readonly padding?: 'valid' | 'same' | 'full' | number | Partial<Padding>;
}

export interface Forward extends Geometry {
  readonly x: Values;
  readonly w: Values;
  /** One value for each filter; left out: none. */
  readonly b?: Float32Array;
  /** The name of an algorithm of the library; left out: the fastest for this problem, as far as it knows. */
  readonly algorithm?: string;
}

export type Gradient = 'dx' | 'dw' | 'db';

export interface Backward<Wanted extends Gradient = Gradient> extends Geometry {
  readonly x: Values;
  readonly w: Values;
  /** The gradient that comes from above, of y's shape. */
  readonly dy: Values;
  /** Which gradients are computed; left out: all three. */
  readonly of?: readonly Wanted[];
}

/** simd: 128-bit SIMD; relaxed: with fused multiply-add, about twice the speed; threads: relaxed, on several of them. */
export type Build = Variant | 'threads';

export interface Options {
  /**
   * How many threads to compute on, the calling one among them. Where there is no shared memory (in a page: it is not isolated),
   * no relaxed SIMD, or no worker to be had, it is one, which is also what is meant when this is left out.
   */
  readonly threads?: number;
  /** A build for one thread; left out: the fastest that runs here. */
  readonly build?: Variant;
}

/**
 * The library's convolution (cross-correlation, as in every deep-learning framework) and its gradients. Synchronous; runs
 * where it was made. Throws ConvFailure. What it returns are copies, and what it is given is never changed.
 */
export interface Conv {
  /** The build that computes. */
  readonly build: Build;
  readonly threads: number;
  /** y = conv(x, w) + b. */
  forward(asked: Forward): Values;
  /** The gradients of sum(y * dy), summed over the batch. db is of the shape 1, 1, 1, k. */
  backward<Wanted extends Gradient = Gradient>(asked: Backward<Wanted>): Record<Wanted, Values>;
  /** Frees the memory and ends the threads. Whoever computes with it afterwards is told so. */
  dispose(): void;
}
