import { isWeighted, outputOf, type PlainLayer, type WeightedLayerOf } from '../layers/list';
import type { LookSnapshot } from '../look/look';
import { descOn, type PlaneSizes, shapeOfSizes, type WindowSizes } from '../protocol/layers';
import {
  type Cell,
  type ConvDesc,
  type ConvError,
  type InputName,
  NO_PADDING,
  type Pass,
  type Shape,
} from '../protocol/problem';
import { wShape, xShape } from '../protocol/shapes';
import { generated, type InputTensor } from '../sources/inputs';
import { arrayOf, followsPointer, given, type Loss } from '../sources/loss';

/** All inputs of the computation. Immutable: an edit makes a new problem. The sizes of its layers fit each other. */
export interface Problem {
  /** Sizes of x; all tensors have its layout. */
  readonly input: PlaneSizes;
  readonly x: InputTensor;
  /** The first one reads x, each other one the output of the one before it. At least one is a convolution. */
  readonly layers: readonly Layer[];
  readonly loss: Loss;
}

export type Layer = PlainLayer | WeightedLayer;

export type WeightedLayer = WeightedLayerOf<InputTensor> & {
  /** Forced algorithms by name; the library plans the other passes. */
  readonly algorithms: Readonly<Partial<Record<Pass, string>>>;
};

export type ConvLayer = Extract<WeightedLayer, { readonly kind: 'conv' }>;

/** The layer that the views show, as if it were alone. */
export interface ShownLayer extends ConvLayer {
  /** Counted from 0. */
  readonly index: number;
  readonly desc: ConvDesc;
  /** That of the problem, which only the first layer reads. */
  readonly x: InputTensor;
  /** Its inputs that other layers compute, and what they are there: "output of layer 1", "dx of layer 3". */
  readonly fixed: Readonly<Partial<Record<InputName, string>>>;
}

/** An edit gives a problem, or the error if it is not valid. */
export type EditResult = { readonly problem: Problem } | { readonly error: ConvError };

/** The number of the layer that the views show, counted from 0: `chosen`, if it has weights, else the first one that has (look.layer). */
export const shownIndex = ({ layers }: Pick<Problem, 'layers'>, chosen: number | null): number =>
  chosen !== null && layers[chosen]?.kind === 'conv' ? chosen : layers.findIndex(({ kind }) => kind === 'conv');

const shownLayers = new WeakMap<Problem, ShownLayer>();

export function shownLayer(problem: Problem, chosen: number | null): ShownLayer {
  const index = shownIndex(problem, chosen);
  const known = shownLayers.get(problem);
  if (known?.index === index) return known;
  const layer = problem.layers[index] as ConvLayer;
  const desc = descOf(layer.fields, sizesOf(problem)[index] as PlaneSizes);
  const made = { ...layer, index, x: problem.x, desc, fixed: fixedIn(problem, index) };
  shownLayers.set(problem, made);
  return made;
}

/** Inputs of a layer that other layers compute, and what they are there. */
export const fixedIn = ({ layers }: Problem, index: number): ShownLayer['fixed'] => ({
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

/** The shape of y and dy at the end. */
export const endOf = (problem: Problem): Shape => shapeOfSizes(sizesOf(problem).at(-1) ?? problem.input);

/** The problem with other values or algorithms of a layer with weights. */
export const withConv = (
  problem: Problem,
  index: number,
  change: Partial<Omit<ConvLayer, 'kind' | 'fields'>>,
): Problem => ({
  ...problem,
  layers: problem.layers.map((layer, i) => (i === index && isWeighted(layer) ? { ...layer, ...change } : layer)),
});

/** x, or "w2" and "b2" of a layer by its number; without one, of the first layer. null: there is none. */
export function inputOf(problem: Problem, name: string): InputTensor | null {
  if (name === 'x') return problem.x;
  const layer = problem.layers[Number(name.slice(1) || 1) - 1];
  if (!layer || !isWeighted(layer)) return null;
  return name.startsWith('w') ? layer.w : name.startsWith('b') ? layer.b : null;
}

/** A convolution alone. */
export function problemOfLayer(
  desc: ConvDesc,
  {
    x,
    w,
    b,
    loss,
    algorithms = {},
  }: Pick<Problem, 'x' | 'loss'> & Pick<ConvLayer, 'w' | 'b'> & Partial<Pick<ConvLayer, 'algorithms'>>,
): Problem {
  const { input, fields } = partsOfDesc(desc);
  return { input, x, layers: [{ kind: 'conv', fields, w, b, algorithms }], loss };
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
    loss: given({ kind: 'pointed', index: OPENING_CELL.index }),
  });
}

/** The cell of the opening problem that is explained at the start: the middle of y. */
export const OPENING_CELL: Cell = { tensor: 'y', index: 4 };

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

const arraysOf = ({ x, layers, loss }: Problem): readonly Float32Array[] => [
  x.data,
  ...layers.flatMap((layer) => (isWeighted(layer) ? [layer.w.data, ...(layer.b ? [layer.b.data] : [])] : [])),
  ...[arrayOf(loss) ?? []].flat(),
];

/** A step to the last problem of `from`. `restore` restores the target of the step and returns the target for the way back. */
const travel =
  (from: keyof History, to: keyof History) =>
  (history: History, current: Problem, restore: (step: UndoStep) => LookSnapshot | null) => {
    const step = history[from].at(-1);
    if (!step) return null;
    const back = { problem: current, target: restore(step) };
    const left: History = { ...history, [from]: history[from].slice(0, -1), [to]: [...history[to], back] };
    return { problem: step.problem, history: left };
  };

export const undone = travel('past', 'future');
export const redone = travel('future', 'past');

/** Drops the steps from `problem` on, because the edits after it were rejected. */
export function withoutStepsFrom({ past, future }: History, problem: Problem): History {
  const index = past.findLastIndex((step) => isSameButPointed(step.problem, problem));
  return index < 0 ? { past, future } : { past: past.slice(0, index), future };
}

/** The same problem, except for where a dy that follows the pointer was: to move it is no edit. */
const isSameButPointed = (a: Problem, b: Problem): boolean =>
  Object.entries(a).every(
    ([name, value]) =>
      value === b[name as keyof Problem] || (name === 'loss' && followsPointer(a.loss) && followsPointer(b.loss)),
  );
