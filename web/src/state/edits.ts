import { faultOf, isWeighted, layerTitle, outputOf, windowOf } from '../layers/list';
import { descOn, MOST_LAYERS, type PlaneSizes, shapeOfSizes } from '../protocol/layers';
import {
  type Cell,
  type ConvDesc,
  type ConvError,
  type Geometry,
  type InputName,
  KIND_OF,
  type Layout,
  type Pass,
} from '../protocol/problem';
import {
  bShape,
  checkWork,
  descOf,
  flatDesc,
  resolvePadding,
  shapeOf,
  shapeSize,
  type Work,
  workOf,
  wShape,
} from '../protocol/shapes';
import { PARTS, type SizePart, sizesOfPart } from '../protocol/size-table';
import { type FilterName, KERNEL_SIZE } from '../sources/generators';
import { generated, type InputTensor, resized } from '../sources/inputs';
import { indexAt, logicalOf, positionAt } from '../sources/logical';
import { arrayOf, type Loss, lossFault, painted, resizedLoss, singleOf, wordOf } from '../sources/loss';
import type { TensorSource } from '../sources/tensor-sources';
import {
  type EditResult,
  endOf,
  fixedIn,
  type Layer,
  type Problem,
  partsOfDesc,
  shownLayer,
  sizesOf,
  type WeightedLayer,
  withConv,
} from './problem';

export type { EditResult };

/** Edits as pure functions from problem to problem. */

export const NO_MEMORY = 'not enough memory';

/** Hidden values cannot become an input, because the link would contain them. */
export const HIDDEN_VALUES = 'some of its values are hidden: reveal them first';

export const refused = (field: string, message: string): EditResult => ({
  error: { code: 'invalid_argument', field, message },
});

/** Refuses edits of an input that another layer computes. */
export function fixedError(problem: Problem, layer: number, name: InputName): EditResult | null {
  const fixed = fixedIn(problem, layer)[name];
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
 * Changes the descriptor of a convolution. `base`: the problem with the values to resize. During a drag it is the problem at the start of
 * the drag, so that shrinking and growing a tensor loses no values.
 */
export function editDesc(
  problem: Problem,
  layer: number,
  base: Problem,
  patch: Partial<ConvDesc>,
  anyway = false,
): EditResult {
  const { desc: before } = shownLayer(problem, layer);
  const desc = { ...before, ...patch };
  const follows = (['h', 'w', 'c'] as const).find((size) => layer > 0 && desc[size] !== before[size]);
  if (follows) return refused(follows, `it follows from layer ${layer}`);
  // Custom padding starts with the sides of the previous padding mode.
  const starts = patch.padding_mode === 'explicit_sides' && patch.padding === undefined;
  const { input: own, fields } = partsOfDesc(starts ? { ...desc, padding: resolvePadding(before) } : desc);
  const input = layer === 0 ? own : { ...problem.input, layout: own.layout, n: own.n };
  const layers = base.layers.map((each, i) => (i === layer && each.kind === 'conv' ? { ...each, fields } : each));
  const error = faultIn(input, layers, layer) ?? (anyway ? null : checkCosts({ input, layers }, problem));
  return error ? { error } : assembled({ input, x: base.x, layers }, base);
}

/** Why these layers do not fit each other; null: they do. `shown`: the layer with its controls on the page. */
function faultIn(input: PlaneSizes, layers: readonly Layer[], shown?: number): ConvError | null {
  let sizes = input;
  for (const [i, layer] of layers.entries()) {
    const fault = faultOf(layer, sizes);
    if (fault && i === shown) return fault;
    if (fault) return { ...fault, field: '', message: `layer ${i + 1} (${layerTitle(layer)}): ${fault.message}` };
    sizes = outputOf(layer, sizes);
  }
  return null;
}

/** The work of all layers. Pooling and ReLU cost nothing beside a convolution. */
function workOfAll(problem: Pick<Problem, 'input' | 'layers'>): Work {
  const sizes = sizesOf(problem);
  const works = problem.layers.map((layer, i) =>
    isWeighted(layer) ? workOf(windowOf(layer, sizes[i] ?? problem.input)) : NO_WORK,
  );
  const sum = (measure: keyof Work) => works.reduce((total, work) => total + work[measure], 0);
  return { multiply_adds: sum('multiply_adds'), bytes: sum('bytes'), cells: sum('cells') };
}

const NO_WORK: Work = { multiply_adds: 0, bytes: 0, cells: 0 };

export const checkCosts = (now: Pick<Problem, 'input' | 'layers'>, before: Problem): ConvError | null =>
  checkWork(workOfAll(now), workOfAll(before));

/**
 * The problem with these layers: the sizes of each follow from the one before it, and values keep their logical positions. The loss
 * of `last` is resized to the new end. Error: the layer that does not fit, with its field.
 */
export function assembled({ input, x, layers }: Omit<Problem, 'loss'>, last: Problem): EditResult {
  if (layers.length > MOST_LAYERS) return refused('', `a network has at most ${MOST_LAYERS} layers`);
  const error = faultIn(input, layers);
  if (error) return { error };
  const from = last.input.layout;
  const sizes = sizesOf({ input, layers });
  const end = shapeOfSizes(sizes.at(-1) ?? input);
  return {
    problem: {
      input,
      x: resized(x, 'pixels', from, input.layout, shapeOfSizes(input)),
      layers: layers.map((layer, i) => (isWeighted(layer) ? onInput(layer, sizes[i] ?? input, from) : layer)),
      loss: resizedLoss(last.loss, from, endOf(last), input.layout, end),
    },
  };
}

/** The same object if its weights stay. */
function onInput(layer: WeightedLayer, input: PlaneSizes, from: Layout): WeightedLayer {
  const { layout } = input;
  const w = resized(layer.w, 'weights', from, layout, wShape(windowOf(layer, input)));
  const b = layer.b && resized(layer.b, 'bias', from, layout, bShape(layer.fields));
  return w === layer.w && b === layer.b ? layer : { ...layer, w, b };
}

/** The control of a patch and the requested value as text; null if the patch changes nothing. */
export function changedField(
  desc: ConvDesc,
  patch: Partial<ConvDesc>,
  named?: string,
): { readonly field: string; readonly text: string } | null {
  const before: Readonly<Record<string, unknown>> = flatDesc(desc);
  const changes = Object.entries(flatDesc({ ...desc, ...patch })).filter(([field, value]) => before[field] !== value);
  const [field, value] = changes.find(([candidate]) => candidate === named) ?? changes[0] ?? [];
  return field === undefined ? null : { field: named ?? field, text: String(value) };
}

/** Changes cells of x, w, b or dy of a layer. `dy`: the values of dy in this problem. */
export function editCells(
  problem: Problem,
  layer: number,
  at: AddressedCells,
  value: number,
  dy: Float32Array | null,
): EditResult {
  const { desc, b } = shownLayer(problem, layer);
  const indices = cellsIn(desc, at);
  if (indices.length === 0 || (at.tensor === 'b' && !b)) return refused(at.tensor, missingCellText(desc, at));
  return editData(problem, layer, at.tensor, dy, (data) => {
    for (const index of indices) data[index] = value;
  });
}

/** Changes a copy of the values of an input. `dy`: the values of dy in this problem. */
export function editData(
  problem: Problem,
  layer: number,
  name: InputName,
  dy: Float32Array | null,
  change: (data: Float32Array) => void,
): EditResult {
  const fixed = fixedError(problem, layer, name);
  if (fixed) return fixed;
  const tensor = name === 'dy' ? null : shownLayer(problem, layer)[name];
  const data = (tensor?.data ?? (name === 'dy' ? dy : null))?.slice();
  if (!data) return refused(name, name === 'dy' ? 'dy is not computed yet' : `there is no ${name}`);
  if (!tensor && data.some(Number.isNaN)) return refused(name, HIDDEN_VALUES);
  change(data);
  if (tensor && name !== 'dy') return { problem: withInput(problem, layer, name, { ...tensor, data, edited: true }) };
  return { problem: { ...problem, loss: painted(endOf(problem), data) } };
}

/** The problem with another x, or another w or b of a layer. */
export const withInput = (problem: Problem, layer: number, name: 'x' | 'w' | 'b', tensor: InputTensor): Problem =>
  name === 'x' ? { ...problem, x: tensor } : withConv(problem, layer, { [name]: tensor });

export function editSource(problem: Problem, layer: number, name: 'x' | 'w' | 'b', source: TensorSource): EditResult {
  const { desc } = shownLayer(problem, layer);
  return (
    fixedError(problem, layer, name) ?? {
      problem: withInput(problem, layer, name, generated(source, KIND_OF[name], desc.layout, shapeOf(name, desc))),
    }
  );
}

/** Sets w to an image kernel and its size to 3 x 3. */
export function editFilter(problem: Problem, layer: number, name: FilterName): EditResult {
  const sized = editDesc(problem, layer, problem, { kh: KERNEL_SIZE, kw: KERNEL_SIZE }, true);
  return 'error' in sized ? sized : editSource(sized.problem, layer, 'w', { kind: 'filter', name });
}

/** Sets the loss, or the given dy; `geometry`: that of the result in which it was chosen. */
export function editLoss(problem: Problem, layer: number, loss: Loss, geometry?: Geometry): EditResult {
  const values = arrayOf(loss);
  if ((values || singleOf(loss)) && geometry) {
    const fixed = fixedError(problem, layer, 'dy');
    if (fixed) return fixed;
    if (!isSameGrid(shownLayer(problem, layer).desc, 'dy', geometry))
      return refused('dy', 'the size of y has changed: choose again');
  }
  if (values?.some(Number.isNaN)) return refused('dy', HIDDEN_VALUES);
  const fault = lossFault(loss, problem.input.layout, endOf(problem));
  return fault ? refused('dy', fault.wrong) : { problem: { ...problem, loss } };
}

export function withAlgorithm(problem: Problem, layer: number, pass: Pass, name: string | null): Problem {
  const { [pass]: _, ...others } = shownLayer(problem, layer).algorithms;
  return withConv(problem, layer, { algorithms: name === null ? others : { ...others, [pass]: name } });
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
function isSameGrid(desc: ConvDesc, tensor: InputName, geometry: Geometry): boolean {
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

const weightedOf = ({ layers }: Problem): readonly WeightedLayer[] => layers.filter(isWeighted);

/** Whether any layer with weights differs. One that was added differs from none. */
function anyDiffers(
  before: Problem,
  after: Problem,
  differs: (old: WeightedLayer, now: WeightedLayer) => boolean,
): boolean {
  const [old, now] = [weightedOf(before), weightedOf(after)];
  if (old.length !== now.length) return old.some((layer) => now.every((other) => differs(layer, other)));
  return old.some((layer, i) => differs(layer, now[i] ?? layer));
}

function isChanged(part: string, before: Problem, after: Problem): boolean {
  if (isSize(part)) {
    const names = sizesOfPart(part).map(({ name }) => name);
    const sizes = ({ fields }: WeightedLayer, { input }: Problem): Readonly<Record<string, unknown>> =>
      flatDesc(descOn(fields, input));
    return anyDiffers(before, after, (one, other) => {
      const [old, now] = [sizes(one, before), sizes(other, after)];
      return (
        (part === 'padding' && old.padding_mode !== now.padding_mode) || names.some((name) => old[name] !== now[name])
      );
    });
  }
  const sized = ({ input, layers }: Problem) => [input, layers.map(({ kind, fields }) => [kind, fields])];
  const resized = !isSame(sized(before), sized(after));
  if (part === 'dy') {
    // dy is resized with y.
    return resized ? wordOf(before.loss) !== wordOf(after.loss) : !isSame(before.loss, after.loss);
  }
  const isOther = (old: InputTensor | null, now: InputTensor | null): boolean => {
    if (old === now) return false;
    if (!old || !now || old.edited !== now.edited || !isSame(old.source, now.source)) return true;
    return !resized && old.data !== now.data;
  };
  if (part === 'x') return isOther(before.x, after.x);
  return (part === 'w' || part === 'b') && anyDiffers(before, after, (old, now) => isOther(old[part], now[part]));
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ x: 'the values of x', w: 'the values of w', b: 'the bias', dy: 'the values of dy' },
};

const nameOf = (part: string): string => (isSize(part) ? sizesOfPart(part)[0]?.noun : NAMES[part]) ?? `the ${part}`;

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
