import { type ConvLayerOf, outputOf, type PlainLayer } from '../layers/list';
import type { LookSnapshot, LookSnapshots } from '../look/look';
import { descOn, type PlaneSizes, shapeOfSizes, type WindowSizes } from '../protocol/layers';
import {
  type Cell,
  type ConvDesc,
  type ConvError,
  type InputName,
  type Layout,
  NO_PADDING,
  type Pass,
  type Shape,
} from '../protocol/problem';
import { shapeSize, wShape, xShape } from '../protocol/shapes';
import { type DySource, dyEntry } from '../sources/dy-sources';
import { generated, type InputTensor } from '../sources/inputs';
import { copyCommon, logicalOf, nearestIndex } from '../sources/logical';

/** All inputs of the computation. Immutable: an edit makes a new problem. The sizes of its layers fit each other. */
export interface Problem {
  /** Sizes of x; all tensors have its layout. */
  readonly input: PlaneSizes;
  readonly x: InputTensor;
  /** The first one reads x, each other one the output of the one before it. At least one is a convolution. */
  readonly layers: readonly Layer[];
  /** Index of the layer that the views show, a convolution. Not an input: to show another one is no edit (Store.showLayer). */
  readonly open: number;
  /** The gradient at the end. */
  readonly dy: DySource;
}

export type Layer = PlainLayer | ConvLayer;

export interface ConvLayer extends ConvLayerOf<InputTensor> {
  /** Forced algorithms by name; the library plans the other passes. */
  readonly algorithms: Readonly<Partial<Record<Pass, string>>>;
}

/** The layer that the views show, as if it were alone. */
export interface OpenLayer extends ConvLayer {
  readonly desc: ConvDesc;
  /** Its inputs that other layers compute, and what they are there: "output of layer 1", "dx of layer 3". */
  readonly fixed: Readonly<Partial<Record<InputName, string>>>;
}

/** An edit gives a problem, or the error if it is not valid. */
export type EditResult = { readonly problem: Problem } | { readonly error: ConvError };

const openLayers = new WeakMap<Problem, OpenLayer>();

export function openOf(problem: Problem): OpenLayer {
  const known = openLayers.get(problem);
  if (known) return known;
  const { layers, open } = problem;
  const layer = layers[open];
  const input = sizesOf(problem)[open];
  if (layer?.kind !== 'conv' || !input) throw new Error('the open layer is no convolution');
  const made = { ...layer, desc: descOf(layer.fields, input), fixed: fixedIn(problem, open) };
  openLayers.set(problem, made);
  return made;
}

/** Inputs of a layer that other layers compute, and what they are there. */
export const fixedIn = ({ layers }: Problem, index: number): OpenLayer['fixed'] => ({
  ...(index > 0 && { x: `output of layer ${index}` }),
  ...(index < layers.length - 1 && { dy: `dx of layer ${index + 2}` }),
});

const descs = new WeakMap<WindowSizes, ConvDesc>();

/** The same object while it is equal. */
function descOf(fields: WindowSizes, input: PlaneSizes): ConvDesc {
  const known = descs.get(fields);
  if (known && Object.entries(input).every(([name, size]) => known[name as keyof PlaneSizes] === size)) return known;
  const made = descOn(fields, input);
  descs.set(fields, made);
  return made;
}

/** Sizes of the tensors between the layers: sizesOf(problem)[i] go into layer i, and the last ones come out of the last layer. */
export function sizesOf({ input, layers }: Pick<Problem, 'input' | 'layers'>): readonly PlaneSizes[] {
  const sizes = [input];
  let last = input;
  for (const layer of layers) {
    last = outputOf(layer, last);
    sizes.push(last);
  }
  return sizes;
}

/** The shape of dy, as it is set. */
export const endOf = (problem: Problem): Shape => shapeOfSizes(sizesOf(problem).at(-1) ?? problem.input);

/** The problem with other values or algorithms of its open layer. */
export const withOpenLayer = (problem: Problem, change: Partial<Omit<ConvLayer, 'kind' | 'fields'>>): Problem => ({
  ...problem,
  layers: problem.layers.map((layer, i) =>
    i === problem.open && layer.kind === 'conv' ? { ...layer, ...change } : layer,
  ),
});

/** An input of the open layer, or "w2" and "b2" of a layer by its number; null: it has none. */
export function inputOf(problem: Problem, name: string): InputTensor | null {
  if (name === 'x') return problem.x;
  const [letter = '', number] = [name.slice(0, 1), name.slice(1)];
  const layer = problem.layers[number === '' ? problem.open : Number(number) - 1];
  if (layer?.kind !== 'conv') return null;
  return letter === 'w' ? layer.w : letter === 'b' ? layer.b : null;
}

/** A convolution alone. */
export function problemOfLayer(
  desc: ConvDesc,
  {
    x,
    w,
    b,
    dy,
    algorithms = {},
  }: Pick<Problem, 'x' | 'dy'> & Pick<ConvLayer, 'w' | 'b'> & Partial<Pick<ConvLayer, 'algorithms'>>,
): Problem {
  const { input, fields } = partsOfDesc(desc);
  return { input, x, layers: [{ kind: 'conv', fields, w, b, algorithms }], open: 0, dy };
}

export function partsOfDesc({ layout, n, h, w, c, ...fields }: ConvDesc): {
  readonly input: PlaneSizes;
  readonly fields: WindowSizes;
} {
  return { input: { layout, n, h, w, c }, fields };
}

const OPENING_DESC: ConvDesc = {
  ...{ layout: 'nhwc', n: 1, h: 5, w: 5, c: 1, k: 1, kh: 3, kw: 3 },
  ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, groups: 1 },
  ...{ padding_mode: 'explicit_sides', padding: NO_PADDING },
};

/**
 * The first problem that the page shows; stride and padding are one change away. A bright corner under an edge filter:
 * y is large at the edge. dy is 1 in the cell under the pointer, at first in the one that is explained: dx is a copy of w at its
 * window, and dw is the window itself.
 */
export function openingProblem(): Problem {
  const desc = OPENING_DESC;
  return problemOfLayer(desc, {
    x: generated({ kind: 'corner' }, 'pixels', desc.layout, xShape(desc)),
    w: generated({ kind: 'filter', name: 'sobel_x' }, 'weights', desc.layout, wShape(desc)),
    b: null,
    dy: { kind: 'pointed', index: OPENING_CELL.index },
  });
}

/** The cell of the opening problem that is explained at the start: the middle of y. */
export const OPENING_CELL: Cell = { tensor: 'y', index: 4 };

/** dy resized to another output: cells keep their positions, new cells are 0. */
export function resizedDy(dy: DySource, layout: Layout, from: Shape, toLayout: Layout, to: Shape): DySource {
  if (layout === toLayout && from.every((size, i) => size === to[i])) return dy;
  const target = logicalOf('pixels', toLayout, to);
  const moved = (data: Float32Array, shape: Shape): Float32Array => {
    const result = new Float32Array(shapeSize(to));
    copyCommon(data, logicalOf('pixels', layout, shape), result, target);
    return result;
  };
  return dyEntry(dy).resize(dy, {
    to,
    data: moved,
    whole: (values) => moved(values, from),
    index: (index) => nearestIndex(index, logicalOf('pixels', layout, from), target),
  });
}

/** The problem before (or after) an edit, and the snapshot of the view state. */
export interface UndoStep {
  readonly problem: Problem;
  readonly target: LookSnapshot | null;
}

/** Undo and redo as data: problems are immutable and share unchanged tensors. */
export interface History {
  /** Oldest first; the current problem is in neither list. */
  readonly past: readonly UndoStep[];
  /** Next redo last. */
  readonly future: readonly UndoStep[];
}

export const NO_HISTORY: History = { past: [], future: [] };

const MOST_STEPS = 200;
/** Memory of the device in GB, at most 8. Measured after the first result (app/deferred/device-memory.ts). */
export const device = { memory: 8 };

/** Limits the memory of undo, for each GB: an edited megapixel photo takes 12 MB for each step. 256 MB of 8 GB. */
const FLOATS_OF_GB = 2 ** 23;

/** The history after an edit: undo leads to `before`, and redo is empty. */
export const recorded = (history: History, before: UndoStep): History => ({
  past: withinLimits([...history.past, before]),
  future: [],
});

function withinLimits(steps: readonly UndoStep[]): readonly UndoStep[] {
  const seen = new Set<Float32Array>();
  let floats = 0;
  let first = steps.length;
  while (first > 0 && steps.length - first < MOST_STEPS) {
    const step = steps[first - 1];
    for (const data of step ? arraysOf(step.problem) : []) {
      if (!seen.has(data)) floats += data.length;
      seen.add(data);
    }
    // The last step can always be undone.
    if (floats > FLOATS_OF_GB * device.memory && first < steps.length) break;
    first -= 1;
  }
  return first === 0 ? steps : steps.slice(first);
}

const arraysOf = ({ x, layers, dy }: Problem): readonly Float32Array[] => [
  x.data,
  ...layers.flatMap((layer) => (layer.kind === 'conv' ? [layer.w.data, ...(layer.b ? [layer.b.data] : [])] : [])),
  ...dyEntry(dy).arrays(dy),
];

/** A step to the last problem of `from`. `restore` restores the target of the step and returns the target for the way back. */
const travel =
  (from: keyof History, to: keyof History) =>
  (history: History, current: Problem, restore: LookSnapshots['restore']) => {
    const step = history[from].at(-1);
    if (!step) return null;
    const back = { problem: current, target: restore(step.target) };
    const left: History = { ...history, [from]: history[from].slice(0, -1), [to]: [...history[to], back] };
    return { problem: step.problem, history: left };
  };

export const undone = travel('past', 'future');
export const redone = travel('future', 'past');

/** Drops the steps from `problem` on, because the edits after it were rejected. */
export function withoutStepsFrom({ past, future }: History, problem: Problem): History {
  const index = past.findLastIndex((step) => isSameButShown(step.problem, problem));
  return index < 0 ? { past, future } : { past: past.slice(0, index), future };
}

/** The same problem, except for its open layer and where a dy that follows the pointer was: to change these is no edit. */
const isSameButShown = (a: Problem, b: Problem): boolean =>
  Object.entries(a).every(
    ([name, value]) =>
      name === 'open' ||
      value === b[name as keyof Problem] ||
      (name === 'dy' && a.dy.kind === 'pointed' && b.dy.kind === 'pointed'),
  );
