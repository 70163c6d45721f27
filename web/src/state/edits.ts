import type { ConvError } from '../protocol/errors';
import { flat } from '../protocol/limits';
import type { ConvDesc, Geometry, Pass } from '../protocol/problem';
import { bShape, checkDesc, resolvePadding, wShape, xShape, yShape } from '../protocol/shapes';
import { checkCosts } from '../protocol/work';
import { type DySource, dyEntry } from '../sources/dy-sources';
import { type FilterName, KERNEL_SIZE } from '../sources/filters';
import { generated, withCells } from '../sources/inputs';
import type { TensorSource } from '../sources/tensor-sources';
import { painted } from '../sources/upstream';
import { type CellsAt, cellsIn, goneText, isSameOutput } from './addressed';
import { type Problem, withDesc } from './problem';

/** Edits as pure functions from problem to problem; an edit that cannot be gives the reason instead. */
export type Edited = { readonly problem: Problem } | { readonly error: ConvError };

export const NO_MEMORY = 'the browser did not give the page the memory that this takes';

/** What is hidden cannot be taken for an input: the link would tell it. */
export const UNTOLD = 'it has numbers that are not told: reveal what is hidden first';

export const refused = (field: string, message: string): Edited => ({
  error: { code: 'invalid_argument', field, message },
});

/** What `make` makes; a browser may refuse the memory for it. */
export function affordable(make: () => Edited): Edited {
  try {
    return make();
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return { error: { code: 'out_of_memory', field: '', message: NO_MEMORY } };
  }
}

/**
 * Changes the descriptor. `base` is the problem that values are resized from: during a drag the one at its start, so
 * that making a tensor smaller and larger again loses nothing.
 */
export function editDesc(problem: Problem, base: Problem, patch: Partial<ConvDesc>, anyway = false): Edited {
  const desc = { ...problem.desc, ...patch };
  // Custom padding starts from what the mode before came to.
  const starts = patch.padding_mode === 'explicit_sides' && patch.padding === undefined;
  const complete = starts ? { ...desc, padding: resolvePadding(problem.desc) } : desc;
  const error = checkDesc(complete) ?? (anyway ? null : checkCosts(complete, problem.desc));
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

/** Changes cells of x, w, b or dy. `dy`: the values that dy has in this very problem. */
export function editCells(problem: Problem, at: CellsAt, value: number, dy: Float32Array | null): Edited {
  const { tensor: name } = at;
  const indices = cellsIn(problem.desc, at);
  const rounded = Math.fround(value);
  if (indices.length === 0) return refused(name, goneText(problem.desc, at));
  if (name === 'dy') {
    if (!dy) return refused('dy', 'dy is not computed yet');
    if (dy.some(Number.isNaN)) return refused('dy', UNTOLD);
    const data = dy.slice();
    for (const index of indices) data[index] = rounded;
    return { problem: { ...problem, dy: painted(yShape(problem.desc), data) } };
  }
  const tensor = problem[name];
  if (!tensor) return refused(name, `${name} has no cell ${indices[0]}`);
  return { problem: { ...problem, [name]: withCells(tensor, indices, rounded) } };
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
  const sized = editDesc(problem, problem, { kh: KERNEL_SIZE, kw: KERNEL_SIZE }, true);
  return 'error' in sized ? sized : editSource(sized.problem, 'w', { kind: 'filter', name });
}

/** The image kernel that w holds, or 'free' when somebody changed it or it is none. */
export const filterOf = ({ w }: Problem): FilterName | 'free' =>
  w.source.kind === 'filter' && !w.edited ? w.source.name : 'free';

/** Sets where dy comes from; `geometry` is that of the picture in which it was chosen. */
export function editDySource(problem: Problem, dy: DySource, geometry?: Geometry): Edited {
  const namesCells = dy.kind === 'one_hot' || dyEntry(dy).arrays(dy).length > 0;
  if (namesCells && geometry && !isSameOutput(problem.desc, geometry)) {
    return refused('dy', 'y has another size by now: choose again in the new picture');
  }
  if (
    dyEntry(dy)
      .arrays(dy)
      .some((values) => values.some(Number.isNaN))
  )
    return refused('dy', UNTOLD);
  const fault = dyEntry(dy).fault(dy, yShape(problem.desc));
  return fault ? refused('dy', fault.wrong) : { problem: { ...problem, dy } };
}

export function withAlgorithm(problem: Problem, pass: Pass, name: string | null): Problem {
  const { [pass]: _, ...others } = problem.algorithms;
  return { ...problem, algorithms: name === null ? others : { ...others, [pass]: name } };
}
