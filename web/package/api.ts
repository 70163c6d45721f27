/// <reference lib="esnext.disposable" preserve="true" />

import type { Layout, Padding, Shape } from '../src/protocol/problem';
import type { AlgorithmInfo } from '../src/protocol/questions';
import type { Variant } from '../src/wasm/variant';

/** What has the shape of a tensor. */
export interface Shaped {
  /** Four sizes, in the layout's order. */
  readonly shape: Shape;
}

/** A tensor: its shape and its values, row-major. */
export interface Values extends Shaped {
  readonly data: Float32Array;
}

/** One value per filter. */
export interface FilterValues {
  readonly shape: readonly [k: number];
  readonly data: Float32Array;
}

/** One number for both axes, or [vertical, horizontal]. */
export type PerAxis = number | readonly [vertical: number, horizontal: number];

/** Parameters of a convolution. Defaults: NHWC, stride 1, dilation 1 (none), one group, no padding. */
export interface Geometry {
  /** nhwc: weights are [kh, kw, c / groups, k]. nchw: weights are [k, c / groups, kh, kw]. */
  readonly layout?: Layout;
  readonly stride?: PerAxis;
  readonly dilation?: PerAxis;
  readonly groups?: number;
  /**
   * A mode, or elements on every side, or elements per side. 'same' is TensorFlow's: odd padding goes to the bottom and
   * right.
   */
  readonly padding?: 'valid' | 'same' | 'full' | number | Partial<Padding>;
}

/** A gradient of sum(y * dy): with respect to x, w or b. */
export type Gradient = 'dx' | 'dw' | 'db';
/** A tensor that the library computes. */
export type Result = 'y' | Gradient;

/** The requested gradients. db has one value per filter, like b. */
export type Gradients<Wanted extends Gradient = Gradient> = {
  readonly [Name in Wanted]: Name extends 'db' ? FilterValues : Values;
};

/** Names of algorithms, as listed by `algorithms`. Default: the fastest for this problem, by the library's cost model. */
export type Algorithms<Wanted extends Result = Result> = { readonly [Name in Wanted]?: string };

/** Arrays for the results. They must have the results' lengths and must not share memory with each other or with inputs. */
export type Outputs<Wanted extends Gradient = Gradient> = { readonly [Name in Wanted]?: Float32Array };

/** The arguments of `forward`: tensors and geometry. */
export interface Forward extends Geometry {
  readonly x: Values;
  readonly w: Values;
  /** One value per filter. Default: no bias. */
  readonly b?: Float32Array;
  /** Name of an algorithm, as listed by `algorithms`. Default: the fastest for this problem, by the library's cost model. */
  readonly algorithm?: string;
  /** Array for y. It must have y's length and must not share memory with an input. Default: a new array. */
  readonly out?: Float32Array;
}

/** The arguments of `backward`: tensors and geometry. */
export interface Backward<Wanted extends Gradient = Gradient> extends Geometry {
  readonly x: Values;
  readonly w: Values;
  /** The upstream gradient, in the shape of y. */
  readonly dy: Values;
  /** The gradients to compute. Default: all three. */
  readonly of?: readonly Wanted[];
  readonly algorithm?: Algorithms<NoInfer<Wanted>>;
  readonly out?: Outputs<NoInfer<Wanted>>;
}

/** The arguments of `prepare`: a layer with its weights. */
export interface Prepare extends Geometry {
  /** Only the shape is used. */
  readonly x: Shaped;
  readonly w: Values;
  readonly b?: Float32Array;
  readonly algorithm?: Algorithms;
}

/** The arguments of `algorithms`: a problem without values. */
export interface AlgorithmsOf extends Geometry {
  /** Only the shapes are used. */
  readonly x: Shaped;
  readonly w: Shaped;
  readonly of: Result;
}

/** The arguments of `forward` of a layer. */
export type LayerForward = Pick<Forward, 'x' | 'out'>;

/** The arguments of `backward` of a layer. */
export interface LayerBackward<Wanted extends Gradient = Gradient> extends Pick<Backward<Wanted>, 'dy' | 'of' | 'out'> {
  /** Needed only for dw. */
  readonly x?: Values;
}

/** A convolution for many calls: checked and planned once, with its weights stored in the engine. */
export interface Layer {
  /** y = conv(x, w) + b. */
  forward(args: LayerForward): Values;
  /** The gradients of sum(y * dy), summed over the batch. */
  backward<Wanted extends Gradient = Gradient>(args: LayerBackward<Wanted>): Gradients<Wanted>;
  /** Replaces the weights or the bias by values of the same shape. An omitted tensor is unchanged. */
  update(args: { readonly w?: Values; readonly b?: Float32Array }): void;
  /** Name of the algorithm that computes a result. Plans the result if necessary. */
  algorithm(of: Result): string;
  /** Frees its memory. Later calls throw `disposed`. */
  dispose(): void;
  /** The same as `dispose`, for `using`. */
  [Symbol.dispose](): void;
}

/** simd: 128-bit SIMD; relaxed: with fused multiply-add, about twice the speed; threads: relaxed, on several threads. */
export type Build = Variant | 'threads';

/** The options of `createConv`. */
export interface Options {
  /**
   * Number of threads, including the calling one. Default: 1. If the build 'threads' cannot run, `createConv` uses one thread,
   * unless `build` is 'threads'.
   */
  readonly threads?: number;
  /** The build to use; `createConv` rejects if it cannot run. Default: the fastest that can. */
  readonly build?: Build;
}

/**
 * 2-D convolution (cross-correlation, as in deep-learning frameworks) and its gradients. Calls are synchronous, run on the
 * calling thread, and throw ConvFailure. Results are new arrays, or the arrays in `out`. Inputs are not modified.
 */
export interface Conv {
  readonly build: Build;
  readonly threads: number;
  /** y = conv(x, w) + b. */
  forward(args: Forward): Values;
  /** The gradients of sum(y * dy), summed over the batch. */
  backward<Wanted extends Gradient = Gradient>(args: Backward<Wanted>): Gradients<Wanted>;
  /** Prepares a layer for many calls with the same shapes. */
  prepare(args: Prepare): Layer;
  /** All algorithms for a result, with error bounds, and the reason if an algorithm does not support this problem. */
  algorithms(args: AlgorithmsOf): readonly AlgorithmInfo[];
  /** Frees the memory of the engine and its layers, and ends the threads. Later calls throw `disposed`. */
  dispose(): void;
  /** The same as `dispose`, for `using`. */
  [Symbol.dispose](): void;
}
