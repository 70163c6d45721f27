import type { ConvLayerOf, PlainLayer } from '../layers/list';
import type { LookSnapshot, LookSnapshots } from '../look/look';
import type { ComputeRequest, ComputeResult, Content } from '../protocol/messages';
import type { NetworkContent, NetworkRequest, NetworkResult } from '../protocol/network';
import {
  type Cell,
  type ConvDesc,
  type ConvError,
  type InputName,
  type Layout,
  NO_PADDING,
  PASSES,
  type Pass,
  type Shape,
  type Tensor,
  type TensorName,
} from '../protocol/problem';
import { bShape, shapeSize, wShape, xShape, yShape } from '../protocol/shapes';
import { type DySource, dyEntry } from '../sources/dy-sources';
import { generated, type InputTensor, resized } from '../sources/inputs';
import { copyCommon, logicalOf, nearestIndex } from '../sources/logical';
import type { TensorSource } from '../sources/tensor-sources';

/** All inputs of the computation. Immutable: an edit makes a new problem. */
export interface Problem {
  readonly desc: ConvDesc;
  readonly x: InputTensor;
  readonly w: InputTensor;
  /** [1,1,1,k]; null: no bias. */
  readonly b: InputTensor | null;
  readonly dy: DySource;
  /** Forced algorithms by name; the library plans the other passes. */
  readonly algorithms: Readonly<Partial<Record<Pass, string>>>;
  /**
   * The other layers of a network; missing: one layer. `desc`, `w` and `b` are those of the open layer, a convolution. x is the input of
   * the first layer, and dy the gradient at the end.
   */
  readonly network?: Network;
}

/** A layer beside the open one. */
export type Layer = PlainLayer | ConvLayer;
export type ConvLayer = ConvLayerOf<InputTensor> & Pick<Problem, 'algorithms'>;

/** The layers before and after the open one. Its code (network.ts) is loaded with the first network. */
export interface Network {
  readonly before: readonly Layer[];
  readonly after: readonly Layer[];
  /** The shape of the output of the last layer. */
  readonly end: Shape;
  /** Inputs of the open layer that other layers compute, and what they are there: "output of layer 1", "dx of layer 3". */
  readonly fixed: Readonly<Partial<Record<InputName, string>>>;
  inputDesc(problem: Problem): ConvDesc;
  /** Another descriptor of the open layer, as in `editDesc`: the sizes of the later layers follow. */
  resized(problem: Problem, base: Problem, desc: ConvDesc, anyway: boolean): EditResult;
  request(problem: Problem): NetworkRequest;
  /** What the page draws: the result, with the tensors of the last one where they are equal. */
  shown(problem: Problem, result: NetworkResult, last: NetworkContent | undefined): NetworkContent;
  /** Weights in memory. */
  arrays(): readonly Float32Array[];
  /** Weights or bias of a layer beside the open one: "w2", "b2". */
  input(name: string): InputTensor | null;
}

/** An edit gives a problem, or the error if it is not valid. */
export type EditResult = { readonly problem: Problem } | { readonly error: ConvError };

/** The shape of dy, as it is set. */
export const endOf = ({ desc, network }: Problem): Shape => network?.end ?? yShape(desc);

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
  return {
    desc,
    x: generated({ kind: 'corner' }, 'pixels', desc.layout, xShape(desc)),
    w: generated({ kind: 'filter', name: 'sobel_x' }, 'weights', desc.layout, wShape(desc)),
    b: null,
    dy: { kind: 'pointed', index: OPENING_CELL.index },
    algorithms: {},
  };
}

/** The cell of the opening problem that is explained at the start: the middle of y. */
export const OPENING_CELL: Cell = { tensor: 'y', index: 4 };

/** The problem with another valid descriptor (see checkDesc); values keep their logical positions. */
export function withDesc(problem: Problem, desc: ConvDesc): Problem {
  const { layout } = problem.desc;
  const { b } = problem;
  return {
    ...problem,
    desc,
    x: resized(problem.x, 'pixels', layout, desc.layout, xShape(desc)),
    w: resized(problem.w, 'weights', layout, desc.layout, wShape(desc)),
    b: b && resized(b, 'bias', layout, desc.layout, bShape(desc)),
    dy: resizedDy(problem.dy, layout, yShape(problem.desc), desc.layout, yShape(desc)),
  };
}

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

/** One request for everything that the page draws. */
export function requestOf(problem: Problem): ComputeRequest {
  const { desc, x, w, b, dy, algorithms, network } = problem;
  return {
    type: 'compute',
    desc,
    x: x.data,
    w: w.data,
    b: b?.data ?? null,
    dy: dyEntry(dy).send(dy),
    passes: PASSES,
    algorithms,
    ...(network && { network: network.request(problem) }),
  };
}

export const isPhoto = (source: TensorSource): boolean => source.kind === 'sample' || source.kind === 'file';

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
/** Memory of the device in GB, at most 8. Measured after the first result (app/second/device-memory.ts). */
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

function arraysOf({ x, w, b, dy, network }: Problem): readonly Float32Array[] {
  return [x.data, w.data, ...(b ? [b.data] : []), ...dyEntry(dy).arrays(dy), ...(network?.arrays() ?? [])];
}

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
  const index = past.findLastIndex((step) => isSameButPointed(step.problem, problem));
  return index < 0 ? { past, future } : { past: past.slice(0, index), future };
}

/** The same problem, except where a dy that follows the pointer was: moving it is no edit. */
const isSameButPointed = (a: Problem, b: Problem): boolean =>
  Object.entries(a).every(
    ([name, value]) =>
      value === b[name as keyof Problem] || (name === 'dy' && a.dy.kind === 'pointed' && b.dy.kind === 'pointed'),
  );

/** Inputs with the result that belongs to them. Views draw nothing else. */
export interface Shown extends Content {
  readonly problem: Problem;
  /** Some values are hidden: NaN stands for them. */
  readonly hides: boolean;
}

/** The inputs and outputs of a result. Unchanged parts keep their object identity. */
export function shownOf(problem: Problem, result: ComputeResult, last: Shown | null): Shown {
  const { desc, x, w, b, network } = problem;
  const { input_stats: stats } = result;
  const geometry = last && isSame(last.geometry, result.geometry) ? last.geometry : result.geometry;
  const tensors: Partial<Record<TensorName, Tensor>> = {
    ...result.tensors,
    x: result.tensors.x ?? { shape: x.shape, data: x.data, stats: stats.x },
    w: result.tensors.w ?? { shape: w.shape, data: w.data, stats: stats.w },
  };
  if (b && stats.b) tensors.b ??= { shape: b.shape, data: b.data, stats: stats.b };
  return {
    problem,
    geometry,
    desc,
    tensors: reuse(tensors, last?.tensors ?? {}),
    photo: !network?.fixed.x && isPhoto(x.source),
    loss: lossOf(problem.dy, result.loss),
    revision: result.revision,
    runs: result.runs,
    hides: result.hides === true,
    ...(network && result.network && { network: network.shown(problem, result.network, last?.network) }),
  };
}

function lossOf(source: DySource, value: number | null): Content['loss'] {
  const loss = dyEntry(source).loss;
  if (!loss || value === null) return null;
  return { kind: loss.name, value, target: loss.target(source) };
}

/** Reuses the previous tensors that are bit-identical: they are then neither rendered nor painted again. */
export function reuse<Tensors extends Partial<Record<string, Tensor>>>(now: Tensors, before: Tensors): Tensors {
  return Object.fromEntries(
    Object.entries(now).map(([name, tensor]) => {
      const old = before[name];
      return [
        name,
        tensor && old && isSame(old.shape, tensor.shape) && isSameData(old.data, tensor.data) ? old : tensor,
      ];
    }),
  ) as Tensors;
}

/** For plain data with the same members in the same order. */
const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Compares bits: NaN equals itself, and +0 and −0 differ. */
function isSameData(a: Float32Array, b: Float32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  const left = new Int32Array(a.buffer, a.byteOffset, a.length);
  const right = new Int32Array(b.buffer, b.byteOffset, b.length);
  let i = 0;
  while (i < left.length && left[i] === right[i]) i += 1;
  return i === left.length;
}
