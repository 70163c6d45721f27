import type { Layout, Shape } from '../protocol/problem';
import type { TensorKind } from '../protocol/tensors';
import { fill, logicalOf } from './logical';
import { type TensorSource, tensorEntry } from './tensor-sources';

/** The values of a source for a tensor of `shape` (layout order). They are the same by position in both layouts. */
export function generate(source: TensorSource, kind: TensorKind, layout: Layout, shape: Shape): Float32Array {
  const logical = logicalOf(kind, layout, shape);
  const values = tensorEntry(source).values(source, logical);
  if (typeof values === 'function') return fill(logical, values);
  if (layout === 'nhwc') return values;
  const [, rows, cols, channels] = logical.sizes;
  return fill(logical, (n, i, j, c) => values[((n * rows + i) * cols + j) * channels + c] ?? 0);
}
