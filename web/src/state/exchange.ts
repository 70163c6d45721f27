import { isWeighted, type LayerOf, layerTitle, sentLayer, windowOf } from '../layers/list';
import type { ComputeRequest, ComputeResult, Content, LayerContent, LayerResult, Tensors } from '../protocol/messages';
import type { GridName, Hidden, HiddenCells, Tensor, TensorStats } from '../protocol/problem';
import type { InputTensor } from '../sources/inputs';
import { type Loss, sentLoss } from '../sources/loss';
import type { TensorSource } from '../sources/tensor-sources';
import { fixedIn, type Layer, type Problem, sizesOf } from './problem';

/** What the page and the worker exchange: the problem as a request, and its result as the views draw it. */

/** One request for everything that the page draws. `hidden`: values that the page must not get. */
export function requestOf(problem: Problem, hidden: readonly Hidden[] = []): ComputeRequest {
  const { input, x, layers, loss } = problem;
  const sizes = sizesOf(problem);
  const sent = layers.map((layer, i) =>
    sentLayer(withData(layer), sizes[i] ?? input, isWeighted(layer) ? layer.algorithms : {}),
  );
  return {
    ...{ type: 'compute', input, x: x.data, layers: sent, loss: sentLoss(loss) },
    hidden: sentHidden(hidden),
  };
}

/** "y2" is the y of the second layer; names without a number are those of the first. */
export const sentHidden = (hidden: readonly Hidden[]): readonly HiddenCells[] =>
  hidden.map(({ tensor, index }) => {
    const [, name = tensor, number = 1] = /^(d?y)(\d)$/.exec(tensor) ?? [];
    return { layer: Number(number) - 1, tensor: name as GridName, index };
  });

const withData = (layer: Layer): LayerOf<Float32Array> =>
  isWeighted(layer) ? { ...layer, w: layer.w.data, b: layer.b?.data ?? null } : layer;

export const isPhoto = (source: TensorSource): boolean => source.kind === 'sample' || source.kind === 'file';

/** A result with its problem. */
export interface ProblemResult {
  readonly problem: Problem;
  /** Each layer as if it were alone. */
  readonly layers: readonly LayerContent[];
  readonly revision: number;
  /** Some values are hidden: NaN stands for them. */
  readonly hides: boolean;
}

/** The layer of a result that the views draw, with the result. */
export interface Shown extends Content, ProblemResult {}

/** Unchanged parts keep their object identity. */
export function resultOf(problem: Problem, result: ComputeResult, last: ProblemResult | null): ProblemResult {
  const { revision, hides = false } = result;
  return { problem, layers: layersOf(problem, result, last?.layers), revision, hides };
}

function layersOf(
  problem: Problem,
  result: ComputeResult,
  last: readonly LayerContent[] = [],
): readonly LayerContent[] {
  const { input, x, loss } = problem;
  const sizes = sizesOf(problem);
  let before: Tensors = {};
  return problem.layers.map((layer, index) => {
    const { geometry, tensors, stats, extras, runs } = result.layers[index] as LayerResult;
    const { kind, fields, w = null, b = null } = { w: null, b: null, ...layer };
    const all: Tensors = {
      ...(index === 0 && { x: withStats(x, result.x_stats) }),
      ...(before.y && { x: before.y }),
      ...(before.dy && { dx: before.dy }),
      ...(w && stats.w && { w: withStats(w, stats.w) }),
      ...(b && stats.b && { b: withStats(b, stats.b) }),
      ...tensors,
    };
    const fixed = fixedIn(problem, index);
    const made: LayerContent = {
      ...{ index, kind, fields, title: layerTitle(layer), geometry, desc: windowOf(layer, sizes[index] ?? input) },
      ...{ tensors: all, fixed, runs, photo: !fixed.x && isPhoto(x.source) },
      ...{ loss: fixed.dy ? null : lossValue(loss, result.loss), ...extras },
    };
    const own = last[index] ? reusedLayer(made, last[index]) : made;
    before = own.tensors;
    return own;
  });
}

const withStats = ({ shape, data }: InputTensor, stats: TensorStats): Tensor => ({ shape, data, stats });

const lossValue = (loss: Loss, value: number | null): Content['loss'] =>
  loss.kind === 'given' || value === null ? null : { ...loss, value };

/** Plain data: the old object if it is equal. */
const PLAIN = ['geometry', 'desc', 'fixed', 'runs', 'fields'] as const;

/** The old object if nothing changed. */
function reusedLayer(now: LayerContent, old: LayerContent): LayerContent {
  const tensors = reuse(now.tensors, old.tensors);
  const plain = PLAIN.map((name) => [name, (isSame(now[name], old[name]) ? old : now)[name]]);
  const layer: LayerContent = {
    ...{ ...now, ...Object.fromEntries(plain) },
    tensors: hasSameMembers(tensors, old.tensors) ? old.tensors : tensors,
    loss: now.loss && old.loss && hasSameMembers(now.loss, old.loss) ? old.loss : now.loss,
  };
  const isSameInput = now.kind === old.kind && tensors.x === old.tensors.x;
  const { winners, averages } =
    isSameInput && layer.fields === old.fields && layer.geometry === old.geometry ? old : now;
  const all = { ...layer, ...(winners && { winners }), ...(averages && { averages }) };
  return hasSameMembers(all, old) ? old : all;
}

const hasSameMembers = <T extends object>(a: T, b: T): boolean =>
  Object.keys({ ...a, ...b }).every((name) => a[name as keyof T] === b[name as keyof T]);

/** Reuses the previous tensors that are bit-identical: they are then neither rendered nor painted again. */
function reuse<Tensors extends Partial<Record<string, Tensor>>>(now: Tensors, before: Tensors): Tensors {
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
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

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
