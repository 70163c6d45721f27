import type { Layout, Shape } from '../protocol/problem';
import { generate } from './generate';
import { copyCommon, logicalOf, type TensorKind } from './logical';
import type { Generator, InputTensor, TensorSource } from './sources';

/** A tensor as its generator makes it. */
export const generated = (source: Generator, kind: TensorKind, layout: Layout, shape: Shape): InputTensor => ({
  shape,
  data: generate(source, kind, layout, shape),
  source,
  edited: false,
});

/** What a resized tensor gets where it had no cells: more of its generator; an opened file continues with 0. */
const extension = (source: TensorSource): Generator =>
  source.kind === 'file' ? { kind: 'constant', value: 0 } : source;

const sameShape = (a: Shape, b: Shape): boolean => a.every((size, i) => size === b[i]);

/**
 * The tensor in another shape or layout. Numbers that nobody touched are made anew, so that a ramp stays a ramp;
 * edited and opened ones keep every value whose position still exists.
 */
export function resized(tensor: InputTensor, kind: TensorKind, from: Layout, to: Layout, shape: Shape): InputTensor {
  if (from === to && sameShape(tensor.shape, shape)) return tensor;
  const made = generated(extension(tensor.source), kind, to, shape);
  if (tensor.source.kind !== 'file' && !tensor.edited) return made;
  copyCommon(tensor.data, logicalOf(kind, from, tensor.shape), made.data, logicalOf(kind, to, shape));
  return { ...tensor, shape, data: made.data };
}

/** The tensor with one value changed. */
export function withCell(tensor: InputTensor, index: number, value: number): InputTensor {
  const data = tensor.data.slice();
  data[index] = value;
  return { ...tensor, data, edited: true };
}
