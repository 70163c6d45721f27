import type { Layout, Shape } from '../protocol/problem';
import { generate } from './generate';
import { copyCommon, logicalOf, type TensorKind } from './logical';
import { type TensorSource, tensorEntry } from './tensor-sources';

/** An input of the problem: numbers, and how they came about. Immutable; an edit makes a new one. */
export interface InputTensor {
  /** In the layout's order. */
  readonly shape: Shape;
  readonly data: Float32Array;
  readonly source: TensorSource;
  /** True when cells were changed by hand, so that `source` no longer gives all of them. */
  readonly edited: boolean;
}

/** Whether the source alone gives all the numbers again. */
export const isMade = ({ source, edited }: InputTensor): boolean => !tensorEntry(source).kept && !edited;

/** A tensor as its source makes it. */
export const generated = (source: TensorSource, kind: TensorKind, layout: Layout, shape: Shape): InputTensor => ({
  shape,
  data: generate(source, kind, layout, shape),
  source,
  edited: false,
});

const sameShape = (a: Shape, b: Shape): boolean => a.every((size, i) => size === b[i]);

/**
 * The tensor in another shape or layout. Numbers that nobody touched are made anew, so that a ramp stays a ramp;
 * edited and opened ones keep every value whose position still exists.
 */
export function resized(tensor: InputTensor, kind: TensorKind, from: Layout, to: Layout, shape: Shape): InputTensor {
  if (from === to && sameShape(tensor.shape, shape)) return tensor;
  const made = generated(tensor.source, kind, to, shape);
  if (isMade(tensor)) return made;
  copyCommon(tensor.data, logicalOf(kind, from, tensor.shape), made.data, logicalOf(kind, to, shape));
  return { ...tensor, shape, data: made.data };
}

/** The tensor with the value of some cells changed. */
export function withCells(tensor: InputTensor, indices: readonly number[], value: number): InputTensor {
  const data = tensor.data.slice();
  for (const index of indices) data[index] = value;
  return { ...tensor, data, edited: true };
}
