import type { ConvError } from '../protocol/errors';
import type { ConvDesc, Geometry, Pass } from '../protocol/problem';
import { bShape, checkDesc, flat, resolvePadding, wShape, xShape, yShape } from '../protocol/shapes';
import { checkCosts } from '../protocol/work';
import { type DySource, dyEntry } from '../sources/dy-sources';
import { type FilterName, KERNEL_SIZE } from '../sources/filters';
import { generated, withCells } from '../sources/inputs';
import type { TensorSource } from '../sources/tensor-sources';
import { painted } from '../sources/upstream';
import { type AddressedCells, cellsIn, isSameOutput, missingCellText } from './addressed-cells';
import { type Problem, withDesc } from './problem';

/** Edits as pure functions from problem to problem, or to the error of an edit that is not valid. */
export type EditResult = { readonly problem: Problem } | { readonly error: ConvError };

export const NO_MEMORY = 'not enough memory';

/** Hidden values cannot become an input, because the link would contain them. */
export const HIDDEN_VALUES = 'some of its values are hidden: reveal them first';

export const refused = (field: string, message: string): EditResult => ({
  error: { code: 'invalid_argument', field, message },
});

/** Turns a failed allocation into an error. */
export function catchOutOfMemory(make: () => EditResult): EditResult {
  try {
    return make();
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return { error: { code: 'out_of_memory', field: '', message: NO_MEMORY } };
  }
}

/**
 * Changes the descriptor. `base`: the problem with the values to resize. During a drag it is the problem at the start of
 * the drag, so that shrinking and growing a tensor loses no values.
 */
export function editDesc(problem: Problem, base: Problem, patch: Partial<ConvDesc>, anyway = false): EditResult {
  const desc = { ...problem.desc, ...patch };
  // Custom padding starts with the sides of the previous padding mode.
  const starts = patch.padding_mode === 'explicit_sides' && patch.padding === undefined;
  const complete = starts ? { ...desc, padding: resolvePadding(problem.desc) } : desc;
  const error = checkDesc(complete) ?? (anyway ? null : checkCosts(complete, problem.desc));
  return error ? { error } : { problem: withDesc(base, complete) };
}

/** The control of a patch and the requested value as text; null if the patch changes nothing. */
export function changedField(
  desc: ConvDesc,
  patch: Partial<ConvDesc>,
  named?: string,
): { readonly field: string; readonly text: string } | null {
  const before: Readonly<Record<string, unknown>> = flat(desc);
  const changes = Object.entries(flat({ ...desc, ...patch })).filter(([field, value]) => before[field] !== value);
  const [field, value] = changes.find(([candidate]) => candidate === named) ?? changes[0] ?? [];
  return field === undefined ? null : { field: named ?? field, text: String(value) };
}

/** Changes cells of x, w, b or dy. `dy`: the values of dy in this problem. */
export function editCells(problem: Problem, at: AddressedCells, value: number, dy: Float32Array | null): EditResult {
  const { tensor: name } = at;
  const indices = cellsIn(problem.desc, at);
  const rounded = Math.fround(value);
  if (indices.length === 0) return refused(name, missingCellText(problem.desc, at));
  if (name === 'dy') {
    if (!dy) return refused('dy', 'dy is not computed yet');
    if (dy.some(Number.isNaN)) return refused('dy', HIDDEN_VALUES);
    const data = dy.slice();
    for (const index of indices) data[index] = rounded;
    return { problem: { ...problem, dy: painted(yShape(problem.desc), data) } };
  }
  const tensor = problem[name];
  if (!tensor) return refused(name, `${name} has no cell ${indices[0]}`);
  return { problem: { ...problem, [name]: withCells(tensor, indices, rounded) } };
}

/** Fills x, w or b from a source. */
export function editSource(problem: Problem, name: 'x' | 'w' | 'b', source: TensorSource): EditResult {
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

/** Sets w to an image kernel and its size to 3 x 3. */
export function editFilter(problem: Problem, name: FilterName): EditResult {
  const sized = editDesc(problem, problem, { kh: KERNEL_SIZE, kw: KERNEL_SIZE }, true);
  return 'error' in sized ? sized : editSource(sized.problem, 'w', { kind: 'filter', name });
}

/** The image kernel in w, or 'free' for other or edited weights. */
export const filterOf = ({ w }: Problem): FilterName | 'free' =>
  w.source.kind === 'filter' && !w.edited ? w.source.name : 'free';

/** Sets the source of dy; `geometry`: that of the result in which it was chosen. */
export function editDySource(problem: Problem, dy: DySource, geometry?: Geometry): EditResult {
  const namesCells = 'index' in dy || dyEntry(dy).arrays(dy).length > 0;
  if (namesCells && geometry && !isSameOutput(problem.desc, geometry)) {
    return refused('dy', 'the size of y has changed: choose again');
  }
  if (
    dyEntry(dy)
      .arrays(dy)
      .some((values) => values.some(Number.isNaN))
  )
    return refused('dy', HIDDEN_VALUES);
  const fault = dyEntry(dy).fault(dy, yShape(problem.desc));
  return fault ? refused('dy', fault.wrong) : { problem: { ...problem, dy } };
}

export function withAlgorithm(problem: Problem, pass: Pass, name: string | null): Problem {
  const { [pass]: _, ...others } = problem.algorithms;
  return { ...problem, algorithms: name === null ? others : { ...others, [pass]: name } };
}
