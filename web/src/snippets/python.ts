import type { Geometry, Pass, TensorName } from '../protocol/problem';
import { elementText, type Facts, type Marks } from './snippet';

/** What code in Python has in common. */

const told = (tensors: readonly TensorName[]) => (facts: Facts) => {
  for (const tensor of tensors) {
    const text = elementText(facts, tensor, (indices) => `[${indices.join(', ')}]`);
    if (text !== null) return text;
  }
  return null;
};

/** A line that makes all of a tensor; told is the cell that one looks at, or else that of another tensor which goes into it. */
export const makes = (...tensors: readonly TensorName[]): Marks[string] => ({ says: told(tensors), here: true });

/** A line that takes a tensor. */
export const takes = (...tensors: readonly TensorName[]): Marks[string] => ({ says: told(tensors) });

export const sumOfDy = (g: Geometry, call: string): string =>
  `db = ${call}=${g.layout === 'nhwc' ? '(0, 1, 2)' : '(0, 2, 3)'})`;

const INPUTS = [
  ['backward_data', 'x'],
  ['backward_weights', 'w'],
  ['backward_bias', 'b'],
] as const;

/**
 * The inputs whose gradients are asked of a framework. Without a bias there is nothing that db is the gradient of; it is the sum of
 * dy all the same.
 */
export const differentiated = (wanted: readonly Pass[], bias: boolean): readonly ('x' | 'w' | 'b')[] =>
  INPUTS.flatMap(([pass, tensor]) => (wanted.includes(pass) && (tensor !== 'b' || bias) ? [tensor] : []));

/** What the gradients are told by: their own cells, or dy's. */
export const GRADIENTS: Marks = {
  'dx =': makes('dx', 'dy'),
  '(dx,) =': makes('dx', 'dy'),
  'dw =': makes('dw', 'dy'),
  '(dw,) =': makes('dw', 'dy'),
  'db =': makes('db', 'dy'),
  '(db,) =': makes('db', 'dy'),
};
