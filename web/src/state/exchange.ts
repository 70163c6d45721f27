import { type LayerOf, layerTitle, sentLayer } from '../layers/list';
import type { ComputeRequest, ComputeResult, Content } from '../protocol/messages';
import type { LayerContent, LayerResult, NetworkContent, NetworkResult } from '../protocol/network';
import { PASSES, type Tensor, type TensorName } from '../protocol/problem';
import { type DySource, dyEntry } from '../sources/dy-sources';
import type { TensorSource } from '../sources/tensor-sources';
import { type Layer, openOf, type Problem, sizesOf } from './problem';

/** What the page and the worker exchange: the problem as a request, and its result as the views draw it. */

/** One request for everything that the page draws. */
export function requestOf(problem: Problem): ComputeRequest {
  const { x, layers, open, dy } = problem;
  const { desc, w, b, algorithms } = openOf(problem);
  const sizes = sizesOf(problem);
  const sent = layers.map((layer, i) => sentLayer(withData(layer), sizes[i] ?? problem.input));
  return {
    type: 'compute',
    ...{ desc, x: x.data, w: w.data, b: b?.data ?? null, dy: dyEntry(dy).send(dy), passes: PASSES, algorithms },
    ...(sent.length > 1 && {
      network: { before: sent.slice(0, open), after: sent.slice(open + 1), input: x.shape },
    }),
  };
}

const withData = (layer: Layer): LayerOf<Float32Array> =>
  layer.kind === 'conv' ? { ...layer, w: layer.w.data, b: layer.b?.data ?? null } : layer;

export const isPhoto = (source: TensorSource): boolean => source.kind === 'sample' || source.kind === 'file';

/** Inputs with the result that belongs to them. Views draw nothing else. */
export interface Shown extends Content {
  readonly problem: Problem;
  /** Some values are hidden: NaN stands for them. */
  readonly hides: boolean;
}

/** The inputs and outputs of a result. Unchanged parts keep their object identity. */
export function shownOf(problem: Problem, result: ComputeResult, last: Shown | null): Shown {
  const { x } = problem;
  const { desc, w, b, fixed } = openOf(problem);
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
    photo: !fixed.x && isPhoto(x.source),
    loss: lossOf(problem.dy, result.loss),
    revision: result.revision,
    runs: result.runs,
    hides: result.hides === true,
    ...(result.network && { network: networkOf(problem, result.network, last?.network) }),
  };
}

function lossOf(source: DySource, value: number | null): Content['loss'] {
  const loss = dyEntry(source).loss;
  if (!loss || value === null) return null;
  return { kind: loss.name, value, target: loss.target(source) };
}

/** What the page draws of a network: the result, with the tensors of the last one where they are equal. */
export function networkOf(problem: Problem, result: NetworkResult, last: NetworkContent | undefined): NetworkContent {
  const values = reusedList(result.values, last?.values);
  return {
    ...{ open: problem.open, fixed: openOf(problem).fixed, loss: result.loss, values },
    gradients: reusedList(result.gradients, last?.gradients),
    layers: problem.layers.flatMap((layer, i): readonly LayerContent[] => {
      const computed = result.layers[i];
      if (!computed) return [];
      const now = { ...computed, kind: layer.kind, fields: layer.fields, title: layerTitle(layer) };
      const old = last?.layers[i];
      return [old ? reusedLayer(now, old, values[i] === last?.values[i]) : now];
    }),
  };
}

const reusedList = (now: readonly Tensor[], last: readonly Tensor[] = []): readonly Tensor[] =>
  Object.values(reuse(Object.fromEntries(now.entries()), Object.fromEntries(last.entries())));

/** The old object if nothing changed. `hasSameInput`: the x of the layer did not. */
function reusedLayer(now: LayerContent, old: LayerContent, hasSameInput: boolean): LayerContent {
  const { geometry, winners, averages, kind, fields, title, ...own } = now;
  const isSameShape = isSame(geometry, old.geometry);
  const isSameKind = kind === old.kind && isSame(fields, old.fields);
  const found = hasSameInput && isSameShape && isSameKind;
  const layer: LayerContent = {
    ...reuse(own, tensorsOf(old)),
    ...{ kind, title, geometry: isSameShape ? old.geometry : geometry, fields: isSameKind ? old.fields : fields },
    ...(winners && { winners: (found && old.winners) || winners }),
    ...(averages && { averages: (found && old.averages) || averages }),
  };
  const names = new Set([...Object.keys(layer), ...Object.keys(old)]) as ReadonlySet<keyof LayerContent>;
  return [...names].every((name) => layer[name] === old[name]) ? old : layer;
}

const tensorsOf = ({ w, b, dw, db }: LayerResult) => ({
  ...(w && { w }),
  ...(b && { b }),
  ...(dw && { dw }),
  ...(db && { db }),
});

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
