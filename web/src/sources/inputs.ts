import type { Layout, Shape, TensorKind } from '../protocol/problem';
import { copyCommon, fill, logicalOf } from './logical';
import { type TensorSource, tensorEntry } from './tensor-sources';

/** The values of a source for a tensor of `shape` (layout order). They are the same by position in both layouts. */
function generate(source: TensorSource, kind: TensorKind, layout: Layout, shape: Shape): Float32Array {
  const logical = logicalOf(kind, layout, shape);
  const values = tensorEntry(source).values(source, logical);
  if (typeof values === 'function') return fill(logical, values);
  if (layout === 'nhwc') return values;
  const [, rows, cols, channels] = logical.sizes;
  return fill(logical, (n, i, j, c) => values[((n * rows + i) * cols + j) * channels + c] ?? 0);
}

/** An input of the problem: its values and their source. Immutable. */
export interface InputTensor {
  /** In the layout's order. */
  readonly shape: Shape;
  readonly data: Float32Array;
  readonly source: TensorSource;
  /** True if the user changed cells, so that `source` no longer gives all values. */
  readonly edited: boolean;
}

/** True if the source alone gives all values. */
export const isGenerated = ({ source, edited }: InputTensor): boolean => !tensorEntry(source).persisted && !edited;

export const generated = (source: TensorSource, kind: TensorKind, layout: Layout, shape: Shape): InputTensor => ({
  shape,
  data: generate(source, kind, layout, shape),
  source,
  edited: false,
});

const sameShape = (a: Shape, b: Shape): boolean => a.every((size, i) => size === b[i]);

/**
 * The tensor in another shape or layout. Generated values are generated again, so that a ramp stays a ramp. Edited and
 * imported values stay where their position still exists.
 */
export function resized(tensor: InputTensor, kind: TensorKind, from: Layout, to: Layout, shape: Shape): InputTensor {
  if (from === to && sameShape(tensor.shape, shape)) return tensor;
  const made = generated(tensor.source, kind, to, shape);
  if (isGenerated(tensor)) return made;
  copyCommon(tensor.data, logicalOf(kind, from, tensor.shape), made.data, logicalOf(kind, to, shape));
  return { ...tensor, shape, data: made.data };
}
