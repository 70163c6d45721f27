import { type LayerOf, layerTitle, sentLayer } from '../layers/list';
import type { LayerContent, NetworkContent } from '../protocol/layers';
import type { ComputeRequest, ComputeResult, Content, LayerResult, Tensors } from '../protocol/messages';
import type { GridName, Hidden, HiddenCells, Tensor, TensorStats } from '../protocol/problem';
import { type DySource, dyEntry } from '../sources/dy-sources';
import type { InputTensor } from '../sources/inputs';
import type { TensorSource } from '../sources/tensor-sources';
import { type Layer, openOf, type Problem, sizesOf } from './problem';

/** What the page and the worker exchange: the problem as a request, and its result as the views draw it. */

/** One request for everything that the page draws. `hidden`: values that the page must not get. */
export function requestOf(problem: Problem, hidden: readonly Hidden[] = []): ComputeRequest {
  const { input, x, layers, open, dy } = problem;
  const sizes = sizesOf(problem);
  const sent = layers.map((layer, i) =>
    sentLayer(withData(layer), sizes[i] ?? input, layer.kind === 'conv' ? layer.algorithms : {}),
  );
  return {
    ...{ type: 'compute', input, x: x.data, layers: sent, open, dy: dyEntry(dy).send(dy) },
    hidden: sentHidden(problem, hidden),
  };
}

/** "y2" is the y of the second layer, and dx is that of the first; other names are those of the open layer. */
export const sentHidden = ({ open }: Problem, hidden: readonly Hidden[]): readonly HiddenCells[] =>
  hidden.map(({ tensor, index }) => {
    const [, name = tensor, digit] = /^(d?y)(\d)$/.exec(tensor) ?? [];
    return { layer: digit ? Number(digit) - 1 : tensor === 'dx' ? 0 : open, tensor: name as GridName, index };
  });

const withData = (layer: Layer): LayerOf<Float32Array> =>
  layer.kind === 'conv' ? { ...layer, w: layer.w.data, b: layer.b?.data ?? null } : layer;

export const isPhoto = (source: TensorSource): boolean => source.kind === 'sample' || source.kind === 'file';

/** Inputs with the result that belongs to them. Views draw nothing else. */
export interface Shown extends Content {
  readonly problem: Problem;
  /** Some values are hidden: NaN stands for them. */
  readonly hides: boolean;
}

/** The result as the views draw it. Unchanged parts keep their object identity. */
export function shownOf(problem: Problem, result: ComputeResult, last: Shown | null): Shown {
  const { x, open, layers } = problem;
  const { desc, fixed } = openOf(problem);
  const own = result.layers[open] as LayerResult;
  const all = tensorsOf(problem, result);
  return {
    problem,
    geometry: last && isSame(last.geometry, own.geometry) ? last.geometry : own.geometry,
    desc,
    tensors: reuse(all[open] ?? {}, last?.tensors ?? {}),
    photo: !fixed.x && isPhoto(x.source),
    loss: fixed.dy ? null : lossOf(problem.dy, result.loss),
    revision: result.revision,
    runs: own.runs,
    hides: result.hides === true,
    ...(layers.length > 1 && { network: networkOf(problem, result, last?.network) }),
  };
}

/** The tensors of each layer, as if it were alone. */
function tensorsOf({ x, layers }: Problem, result: ComputeResult): readonly Tensors[] {
  let [before, after] = [{} as Tensors, {} as Tensors];
  return layers.map((layer, i) => {
    const { tensors = {}, stats } = result.layers[i] ?? {};
    const [w, b] = layer.kind === 'conv' ? [layer.w, layer.b] : [null, null];
    before = after;
    after = {
      ...(i === 0 && { x: withStats(x, result.x_stats) }),
      ...(before.y && { x: before.y }),
      ...(before.dy && { dx: before.dy }),
      ...(w && stats?.w && { w: withStats(w, stats.w) }),
      ...(b && stats?.b && { b: withStats(b, stats.b) }),
      ...tensors,
    };
    return after;
  });
}

const withStats = ({ shape, data }: InputTensor, stats: TensorStats): Tensor => ({ shape, data, stats });

function lossOf(source: DySource, value: number | null): Content['loss'] {
  const loss = dyEntry(source).loss;
  if (!loss || value === null) return null;
  return { kind: loss.name, value, target: loss.target(source) };
}

/** What the page draws of a network: the result, with the tensors of the last one where they are equal. */
export function networkOf(problem: Problem, result: ComputeResult, last: NetworkContent | undefined): NetworkContent {
  const all = tensorsOf(problem, result);
  const between = (first: 'x' | 'dx', other: 'y' | 'dy') =>
    [all[0]?.[first], ...all.map((tensors) => tensors[other])].filter((tensor) => tensor !== undefined);
  const values = reusedList(between('x', 'y'), last?.values);
  return {
    ...{ open: problem.open, fixed: openOf(problem).fixed, loss: result.loss, values },
    gradients: reusedList(between('dx', 'dy'), last?.gradients),
    layers: problem.layers.flatMap((layer, i): readonly LayerContent[] => {
      const computed = result.layers[i];
      if (!computed) return [];
      const { geometry, extras } = computed;
      const { kind, fields } = layer;
      const now = { geometry, kind, fields, title: layerTitle(layer), ...ownOf(all[i] ?? {}), ...extras };
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
    ...reuse(own, ownOf(old)),
    ...{ kind, title, geometry: isSameShape ? old.geometry : geometry, fields: isSameKind ? old.fields : fields },
    ...(winners && { winners: (found && old.winners) || winners }),
    ...(averages && { averages: (found && old.averages) || averages }),
  };
  const names = new Set([...Object.keys(layer), ...Object.keys(old)]) as ReadonlySet<keyof LayerContent>;
  return [...names].every((name) => layer[name] === old[name]) ? old : layer;
}

/** Weights and bias of a layer, with their gradients. */
const ownOf = ({ w, b, dw, db }: Tensors) => ({
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
