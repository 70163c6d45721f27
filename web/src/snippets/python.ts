import type { Geometry, Pass, TensorName } from '../protocol/problem';
import { elementText, type LineContext, type LineMarks } from './snippet';

/** Shared by the Python snippets. */

const told = (tensors: readonly TensorName[]) => (facts: LineContext) => {
  for (const tensor of tensors) {
    const text = elementText(facts, tensor, (indices) => `[${indices.join(', ')}]`);
    if (text !== null) return text;
  }
  return null;
};

/** A line that computes a tensor; its note shows the selected cell of the first tensor that has one. */
export const makes = (...tensors: readonly TensorName[]): LineMarks[string] => ({
  noteOf: told(tensors),
  computesCell: true,
});

/** A line that uses a tensor. */
export const takes = (...tensors: readonly TensorName[]): LineMarks[string] => ({ noteOf: told(tensors) });

export const sumOfDy = (g: Geometry, call: string): string =>
  `db = ${call}=${g.layout === 'nhwc' ? '(0, 1, 2)' : '(0, 2, 3)'})`;

const INPUTS = [
  ['backward_data', 'x'],
  ['backward_weights', 'w'],
  ['backward_bias', 'b'],
] as const;

/** The inputs that the framework computes gradients of. Without a bias, db is computed as the sum of dy. */
export const differentiated = (wanted: readonly Pass[], bias: boolean): readonly ('x' | 'w' | 'b')[] =>
  INPUTS.flatMap(([pass, tensor]) => (wanted.includes(pass) && (tensor !== 'b' || bias) ? [tensor] : []));

/** Notes of the gradients: their own cells, or cells of dy. */
export const GRADIENTS: LineMarks = {
  'dx =': makes('dx', 'dy'),
  '(dx,) =': makes('dx', 'dy'),
  'dw =': makes('dw', 'dy'),
  '(dw,) =': makes('dw', 'dy'),
  'db =': makes('db', 'dy'),
  '(db,) =': makes('db', 'dy'),
};
