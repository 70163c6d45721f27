import type { Shape } from '../protocol/problem';

/** Where the numbers of an input come from. Every generator is a pure function of the cell's logical position. */
export type Generator =
  /** from, from + 1, ... in the order n, row, col, channel (weights: tap row, tap col, channel, filter). */
  | { readonly kind: 'ramp'; readonly from: number }
  /** from, from - 1, ... in the same order. */
  | { readonly kind: 'countdown'; readonly from: number }
  | { readonly kind: 'constant'; readonly value: number }
  /** Whole numbers from -3 to 3, so that sums can be followed by head. A cell keeps its number when sizes change. */
  | { readonly kind: 'random'; readonly seed: number }
  /** 1 in the middle of every channel, 0 elsewhere. */
  | { readonly kind: 'impulse' }
  /** An image kernel in the middle of every filter, on the channel of the filter's own number. Weights only. */
  | { readonly kind: 'filter'; readonly name: FilterName }
  /** A picture that the program draws, values 0..1. x only. */
  | { readonly kind: 'sample'; readonly name: SampleName };

/** Numbers of an opened file: they cannot be made again, so they are neither extended nor put into a link. */
export interface FileSource {
  readonly kind: 'file';
  readonly name: string;
}

export type TensorSource = Generator | FileSource;

export const FILTER_NAMES = ['identity', 'sobel_x', 'sobel_y', 'blur', 'sharpen', 'emboss', 'outline'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

export const SAMPLE_NAMES = ['landscape', 'test_chart', 'portrait'] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];

/** An input of the problem: numbers, and how they came about. Immutable; an edit makes a new one. */
export interface InputTensor {
  /** In the layout's order. */
  readonly shape: Shape;
  readonly data: Float32Array;
  readonly source: TensorSource;
  /** True when cells were changed by hand, so that `source` no longer gives all of them. */
  readonly edited: boolean;
}
