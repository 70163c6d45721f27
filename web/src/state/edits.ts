import type { ConvError } from '../protocol/errors';
import type { ConvDesc, Pass, Tensor } from '../protocol/problem';
import { bShape, checkDesc, resolvePadding, shapeSize, wShape, xShape, yShape } from '../protocol/shapes';
import { type DySource, dyEntry } from '../sources/dy-sources';
import { type FilterName, KERNEL_SIZE } from '../sources/filters';
import { generated, withCell } from '../sources/inputs';
import type { TensorSource } from '../sources/tensor-sources';
import { painted } from '../sources/upstream';
import { type InputName, type Problem, withDesc } from './problem';

/** Edits as pure functions from problem to problem; an edit that cannot be gives the reason instead. */
export type Edited = { readonly problem: Problem } | { readonly error: ConvError };

export const refused = (field: string, message: string): Edited => ({
  error: { code: 'invalid_argument', field, message },
});

/**
 * Changes the descriptor. `base` is the problem that values are resized from: during a drag the one at its start, so
 * that making a tensor smaller and larger again loses nothing.
 */
export function editDesc(problem: Problem, base: Problem, patch: Partial<ConvDesc>): Edited {
  const desc = { ...problem.desc, ...patch };
  // Custom padding starts from what the mode before came to.
  const starts = patch.padding_mode === 'explicit_sides' && patch.padding === undefined;
  const complete = starts ? { ...desc, padding: resolvePadding(problem.desc) } : desc;
  const error = checkDesc(complete);
  return error ? { error } : { problem: withDesc(base, complete) };
}

/** The control that a patch belongs to and the value asked for, as text; null when the patch changes nothing. */
export function changedField(
  desc: ConvDesc,
  patch: Partial<ConvDesc>,
  named?: string,
): { readonly field: string; readonly text: string } | null {
  const before = flat(desc);
  const changes = Object.entries(flat({ ...desc, ...patch })).filter(([field, value]) => before[field] !== value);
  const [field, value] = changes.find(([candidate]) => candidate === named) ?? changes[0] ?? [];
  return field === undefined ? null : { field: named ?? field, text: String(value) };
}

/** The descriptor with the sides of its padding as fields of their own, named as in errors. */
function flat({ padding, ...desc }: ConvDesc): Readonly<Record<string, string | number>> {
  const sides = Object.entries(padding).map(([side, cells]) => [`padding.${side}`, cells]);
  return { ...desc, ...Object.fromEntries(sides) };
}

/** Changes one cell of x, w, b or dy (flat index, layout order). `dy` is what the library made of the source of dy. */
export function editCell(problem: Problem, name: InputName, index: number, value: number, dy: Tensor | null): Edited {
  const rounded = Math.fround(value);
  if (name === 'dy') return editDyCell(problem, index, rounded, dy);
  const tensor = problem[name];
  if (!tensor || !isIndex(index, tensor.data.length)) return refused(name, `${name} has no cell ${index}`);
  return { problem: { ...problem, [name]: withCell(tensor, index, rounded) } };
}

const isIndex = (index: number, length: number): boolean => Number.isInteger(index) && index >= 0 && index < length;

function editDyCell(problem: Problem, index: number, value: number, dy: Tensor | null): Edited {
  const shape = yShape(problem.desc);
  const size = shapeSize(shape);
  if (!isIndex(index, size)) return refused('dy', `dy has no cell ${index}`);
  const known = problem.dy.kind === 'values' ? problem.dy.data : dy?.data;
  const data = known?.length === size ? known.slice() : new Float32Array(size);
  data[index] = value;
  return { problem: { ...problem, dy: painted(shape, data) } };
}

/** Fills x, w or b from a source. */
export function editSource(problem: Problem, name: 'x' | 'w' | 'b', source: TensorSource): Edited {
  const { desc } = problem;
  switch (name) {
    case 'x':
      return { problem: { ...problem, x: generated(source, 'pixels', desc.layout, xShape(desc)) } };
    case 'w':
      return { problem: { ...problem, w: generated(source, 'weights', desc.layout, wShape(desc)) } };
    case 'b':
      return { problem: { ...problem, b: generated(source, 'bias', desc.layout, bShape(desc)) } };
  }
}

export const withoutBias = (problem: Problem): Problem => ({ ...problem, b: null });

/** Puts an image kernel into w: 3 x 3, everything else as it is. */
export function editFilter(problem: Problem, name: FilterName): Edited {
  const sized = editDesc(problem, problem, { kh: KERNEL_SIZE, kw: KERNEL_SIZE });
  return 'error' in sized ? sized : editSource(sized.problem, 'w', { kind: 'filter', name });
}

/** The image kernel that w holds, or 'free' when somebody changed it or it is none. */
export const filterOf = ({ w }: Problem): FilterName | 'free' =>
  w.source.kind === 'filter' && !w.edited ? w.source.name : 'free';

/** Sets where dy comes from. */
export function editDySource(problem: Problem, dy: DySource): Edited {
  const fault = dyEntry(dy).fault(dy, yShape(problem.desc));
  return fault ? refused('dy', fault.wrong) : { problem: { ...problem, dy } };
}

export function withAlgorithm(problem: Problem, pass: Pass, name: string | null): Problem {
  const { [pass]: _, ...others } = problem.algorithms;
  return { ...problem, algorithms: name === null ? others : { ...others, [pass]: name } };
}
