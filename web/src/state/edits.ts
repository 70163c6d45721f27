import {
  type Cell,
  type ConvDesc,
  type ConvError,
  type Geometry,
  type InputName,
  KIND_OF,
  type Pass,
} from '../protocol/problem';
import {
  checkDesc,
  checkWork,
  descOf,
  flat,
  resolvePadding,
  shapeOf,
  shapeSize,
  workOf,
  yShape,
} from '../protocol/shapes';
import { PARTS, type SizePart, sizesOf } from '../protocol/size-table';
import { type DySource, dyEntry, painted } from '../sources/dy-sources';
import { type FilterName, KERNEL_SIZE } from '../sources/generators';
import { generated } from '../sources/inputs';
import { indexAt, logicalOf, positionAt } from '../sources/logical';
import type { TensorSource } from '../sources/tensor-sources';
import { type EditResult, endOf, type Problem, withDesc } from './problem';

export type { EditResult };

/** Edits as pure functions from problem to problem. */

export const NO_MEMORY = 'not enough memory';

/** Hidden values cannot become an input, because the link would contain them. */
export const HIDDEN_VALUES = 'some of its values are hidden: reveal them first';

export const refused = (field: string, message: string): EditResult => ({
  error: { code: 'invalid_argument', field, message },
});

/** Refuses edits of an input that another layer computes. */
export function fixedError({ network }: Problem, name: InputName): EditResult | null {
  const fixed = network?.fixed[name];
  return fixed ? refused(name, `it is the ${fixed}`) : null;
}

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
  if (problem.network) return problem.network.resized(problem, base, complete, anyway);
  const error = checkDesc(complete) ?? (anyway ? null : checkWork(workOf(complete), workOf(problem.desc)));
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
  const indices = cellsIn(problem.desc, at);
  if (indices.length === 0 || problem[at.tensor] === null) return refused(at.tensor, missingCellText(problem.desc, at));
  return editData(problem, at.tensor, dy, (data) => {
    for (const index of indices) data[index] = value;
  });
}

/** Changes a copy of the values of an input. `dy`: the values of dy in this problem. */
export function editData(
  problem: Problem,
  name: InputName,
  dy: Float32Array | null,
  change: (data: Float32Array) => void,
): EditResult {
  const fixed = fixedError(problem, name);
  if (fixed) return fixed;
  const tensor = name === 'dy' ? null : problem[name];
  const data = (tensor?.data ?? (name === 'dy' ? dy : null))?.slice();
  if (!data) return refused(name, name === 'dy' ? 'dy is not computed yet' : `there is no ${name}`);
  if (!tensor && data.some(Number.isNaN)) return refused(name, HIDDEN_VALUES);
  change(data);
  if (tensor) return { problem: { ...problem, [name]: { ...tensor, data, edited: true } } };
  return { problem: { ...problem, dy: painted(yShape(problem.desc), data) } };
}

export function editSource(problem: Problem, name: 'x' | 'w' | 'b', source: TensorSource): EditResult {
  const { desc } = problem;
  return (
    fixedError(problem, name) ?? {
      problem: { ...problem, [name]: generated(source, KIND_OF[name], desc.layout, shapeOf(name, desc)) },
    }
  );
}

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
  if (namesCells && geometry) {
    const fixed = fixedError(problem, 'dy');
    if (fixed) return fixed;
    if (!isSameGrid(problem.desc, 'dy', geometry)) return refused('dy', 'the size of y has changed: choose again');
  }
  const entry = dyEntry(dy);
  if (entry.arrays(dy).some((values) => values.some(Number.isNaN))) return refused('dy', HIDDEN_VALUES);
  const fault = entry.fault(dy, endOf(problem));
  return fault ? refused('dy', fault.wrong) : { problem: { ...problem, dy } };
}

export function withAlgorithm(problem: Problem, pass: Pass, name: string | null): Problem {
  const { [pass]: _, ...others } = problem.algorithms;
  return { ...problem, algorithms: name === null ? others : { ...others, [pass]: name } };
}

/** Cells of one input, as flat indices in the geometry of the result in which they were selected. */
export interface AddressedCells {
  readonly tensor: InputName;
  readonly indices: readonly number[];
  readonly geometry: Geometry;
}

export const cellAt = (tensor: InputName, { index }: Pick<Cell, 'index'>, geometry: Geometry): AddressedCells => ({
  tensor,
  indices: [index],
  geometry,
});

/** True if the tensor has the same shape and layout in `geometry`. */
export function isSameGrid(desc: ConvDesc, tensor: InputName, geometry: Geometry): boolean {
  const before = shapeOf(tensor, descOf(geometry));
  return desc.layout === geometry.layout && shapeOf(tensor, desc).every((size, i) => size === before[i]);
}

/**
 * The same cells by position (image, row, column, channel or filter) in the current problem; missing ones are left out.
 */
export function cellsIn(desc: ConvDesc, { tensor, indices, geometry }: AddressedCells): readonly number[] {
  const [before, now] = [shapeOf(tensor, descOf(geometry)), shapeOf(tensor, desc)];
  if (isSameGrid(desc, tensor, geometry)) return indices.filter((index) => index >= 0 && index < shapeSize(now));
  const kind = KIND_OF[tensor];
  const [from, to] = [logicalOf(kind, geometry.layout, before), logicalOf(kind, desc.layout, now)];
  return indices.flatMap((index) => {
    const position = positionAt(index, from);
    return (position && indexAt(position, to)) ?? [];
  });
}

/** The reason why an edit changed nothing. */
export const missingCellText = (desc: ConvDesc, { tensor, indices, geometry }: AddressedCells): string =>
  isSameGrid(desc, tensor, geometry)
    ? `${tensor} has no cell ${indices[0]}`
    : `the size of ${tensor} has changed and the cell no longer exists`;

/** Refuses edits of locked parts (look/look.ts). */

const isSize = (part: string): part is SizePart => part in PARTS;

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function isChanged(part: string, before: Problem, after: Problem): boolean {
  if (isSize(part)) {
    const [old, now] = [flat(before.desc), flat(after.desc)];
    const isOther = part === 'padding' && old.padding_mode !== now.padding_mode;
    return isOther || sizesOf(part).some(({ name }) => old[name] !== now[name]);
  }
  const resized = !isSame(before.desc, after.desc);
  if (part === 'dy') {
    if (before.dy === after.dy) return false;
    // dy is resized with y.
    if (resized) return before.dy.kind !== after.dy.kind;
    return dyEntry(before.dy) !== dyEntry(after.dy) || !isSame(before.dy, after.dy);
  }
  if (part !== 'x' && part !== 'w' && part !== 'b') return false;
  const [old, now] = [before[part], after[part]];
  if (old === now) return false;
  if (!old || !now || old.edited !== now.edited || !isSame(old.source, now.source)) return true;
  return !resized && old.data !== now.data;
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ x: 'the values of x', w: 'the values of w', b: 'the bias', dy: 'the values of dy' },
};

const nameOf = (part: string): string => (isSize(part) ? sizesOf(part)[0]?.noun : NAMES[part]) ?? `the ${part}`;

/** null: the edit is allowed. `exercise`: an exercise is running. */
export function lockError(
  locked: readonly string[],
  before: Problem,
  after: Problem,
  exercise = false,
): ConvError | null {
  const part = locked.find((name) => isChanged(name, before, after));
  if (part === undefined) return null;
  const message = `${nameOf(part)} cannot be changed: ${exercise ? 'an exercise is running' : 'locked by this link'}`;
  return { code: 'invalid_argument', field: '', message };
}
