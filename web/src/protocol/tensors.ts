import type { ConvDesc, Pass, Shape, TensorName } from './problem';
import { bShape, wShape, xShape, yShape } from './shapes';

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

const SHAPES: Readonly<Record<TensorName, (desc: ConvDesc) => Shape>> = {
  ...{ x: xShape, dx: xShape, y: yShape, dy: yShape },
  ...{ w: wShape, dw: wShape },
  ...{ b: bShape, db: bShape },
};

export const shapeOf = (name: TensorName, desc: ConvDesc): Shape => SHAPES[name](desc);
