import {
  conv,
  faultOf,
  fieldsOf,
  isPlain,
  LAYERS,
  type LayerKind,
  type LayerOf,
  layerTitle,
  outputOf,
  plainLayer,
  sentLayer,
} from '../layers/list';
import {
  descOn,
  type LayerContent,
  type LayerResult,
  MOST_LAYERS,
  type NetworkContent,
  type NetworkRequest,
  type NetworkResult,
  type PlaneSizes,
  shapeOfSizes,
  sizesOfShape,
} from '../protocol/network';
import type { ConvDesc, ConvError, InputName, Layout, Shape, Tensor } from '../protocol/problem';
import { bShape, checkWork, type Work, workOf, wShape, xShape } from '../protocol/shapes';
import { generated, type InputTensor, resized } from '../sources/inputs';
import { refused } from './edits';
import {
  type ConvLayer,
  type EditResult,
  endOf,
  type Layer,
  type Network,
  type Problem,
  resizedDy,
  reuse,
} from './problem';

/** Edits of networks. This module is loaded with the first one. */

/** All layers of a problem, the open one among them. */
export interface LayerList {
  readonly x: InputTensor;
  readonly layout: Layout;
  readonly layers: readonly Layer[];
  /** Index of the open layer, a convolution. */
  readonly open: number;
}

const openLayer = ({ desc, w, b, algorithms }: Problem): ConvLayer => ({ kind: 'conv', desc, w, b, algorithms });

export function listOf(problem: Problem): LayerList {
  const { x, desc, network } = problem;
  const before = network?.before ?? [];
  const layers = [...before, openLayer(problem), ...(network?.after ?? [])];
  return { x, layout: desc.layout, layers, open: before.length };
}

class LayersAround implements Network {
  readonly fixed: Network['fixed'];

  constructor(
    readonly before: readonly Layer[],
    readonly after: readonly Layer[],
    readonly end: Shape,
  ) {
    const fixed: Partial<Record<InputName, string>> = {};
    if (before.length > 0) fixed.x = `output of layer ${before.length}`;
    if (after.length > 0) fixed.dy = `dx of layer ${before.length + 2}`;
    this.fixed = fixed;
  }

  inputDesc({ desc, x }: Problem): ConvDesc {
    return descOn(desc, sizesOfShape(desc.layout, x.shape));
  }

  resized(problem: Problem, base: Problem, desc: ConvDesc, anyway: boolean): EditResult {
    const { desc: before, x } = problem;
    const given = this.before.length === 0;
    const field = (['h', 'w', 'c'] as const).find((size) => !given && desc[size] !== before[size]);
    if (field) return refused(field, `it follows from layer ${this.before.length}`);
    const list = listOf(base);
    const shape = given
      ? xShape(desc)
      : shapeOfSizes({ ...sizesOfShape(before.layout, x.shape), layout: desc.layout, n: desc.n });
    const layers = list.layers.map((layer, i) => (i === list.open ? { ...openLayer(base), desc } : layer));
    const made = assembled(
      { ...list, layers, layout: desc.layout, x: resized(list.x, 'pixels', list.layout, desc.layout, shape) },
      base,
      list.layout,
    );
    if ('error' in made || anyway) return made;
    const costs = checkCosts(made.problem, problem);
    return costs ? { error: costs } : made;
  }

  request(problem: Problem): NetworkRequest {
    const { x, layers, open, layout } = listOf(problem);
    let sizes: PlaneSizes = sizesOfShape(layout, x.shape);
    const all = layers.map((layer) => {
      const input = sizes;
      sizes = outputOf(layer, input);
      return sentLayer(withData(layer), input);
    });
    return { before: all.slice(0, open), after: all.slice(open + 1), input: x.shape };
  }

  shown(problem: Problem, result: NetworkResult, last: NetworkContent | undefined): NetworkContent {
    const { layers, open } = listOf(problem);
    const values = reusedList(result.values, last?.values);
    return {
      ...{ open, fixed: this.fixed, loss: result.loss, values },
      gradients: reusedList(result.gradients, last?.gradients),
      layers: layers.flatMap((layer, i): readonly LayerContent[] => {
        const computed = result.layers[i];
        if (!computed) return [];
        const now = { ...computed, kind: layer.kind, fields: fieldsOf(layer), title: layerTitle(layer) };
        const old = last?.layers[i];
        return [old ? reusedLayer(now, old, values[i] === last?.values[i]) : now];
      }),
    };
  }

  arrays(): readonly Float32Array[] {
    return [...this.before, ...this.after].flatMap((layer) =>
      layer.kind === 'conv' ? [layer.w.data, ...(layer.b ? [layer.b.data] : [])] : [],
    );
  }

  input(name: string): InputTensor | null {
    const index = Number(name.slice(1)) - 1;
    const layer = this.before[index] ?? this.after[index - this.before.length - 1];
    if (layer?.kind !== 'conv') return null;
    return name.startsWith('w') ? layer.w : layer.b;
  }
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

/** For plain data with the same members in the same order. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** `end`: the shape of the last output. The sizes fit each other. */
export const networkOf = (before: readonly Layer[], after: readonly Layer[], end: Shape): Network =>
  new LayersAround(before, after, end);

const withData = (layer: Layer): LayerOf<Float32Array> =>
  layer.kind === 'conv' ? { ...layer, w: layer.w.data, b: layer.b?.data ?? null } : layer;

/** The work of all layers. Pooling and ReLU cost nothing beside a convolution. */
function networkWork(problem: Problem): Work {
  const works = listOf(problem).layers.flatMap((layer) => (layer.kind === 'conv' ? [workOf(layer.desc)] : []));
  const sum = (measure: keyof Work) => works.reduce((total, work) => total + work[measure], 0);
  return { multiply_adds: sum('multiply_adds'), bytes: sum('bytes'), cells: sum('cells') };
}

const checkCosts = (now: Problem, before: Problem): ConvError | null =>
  checkWork(networkWork(now), networkWork(before));

/**
 * The problem with these layers: the sizes of each follow from the one before it. The dy of `last`, in the layout `from`, is resized
 * to the new end. Error: the layer that does not fit, with its field.
 */
export function assembled({ x, layers, open, layout }: LayerList, last: Problem, from: Layout): EditResult {
  if (layers.length > MOST_LAYERS) return refused('', `a network has at most ${MOST_LAYERS} layers`);
  let sizes: PlaneSizes = sizesOfShape(layout, x.shape);
  const fitted: Layer[] = [];
  for (const [i, layer] of layers.entries()) {
    const fault = faultOf(layer, sizes);
    if (fault) {
      // The control of another layer is not on the page.
      const error = { ...fault, message: `layer ${i + 1} (${layerTitle(layer)}): ${fault.message}` };
      return { error: i === open ? fault : { ...error, field: '' } };
    }
    const fits = layer.kind === 'conv' ? onInput(layer, sizes, from) : layer;
    fitted.push(fits);
    sizes = outputOf(fits, sizes);
  }
  const layer = fitted[open];
  if (layer?.kind !== 'conv') return refused('', 'a network needs a convolution');
  const { desc, w, b } = layer;
  const end = shapeOfSizes(sizes);
  const { network: _, ...rest } = last;
  const problem: Problem = {
    ...rest,
    ...{ desc, x, w, b, dy: resizedDy(last.dy, from, endOf(last), layout, end) },
    algorithms: layer.algorithms,
  };
  if (fitted.length === 1) return { problem };
  return { problem: { ...problem, network: networkOf(fitted.slice(0, open), fitted.slice(open + 1), end) } };
}

function onInput(layer: ConvLayer, sizes: PlaneSizes, from: Layout): ConvLayer {
  const desc = descOn(layer.desc, sizes);
  const { w, b } = layer;
  return {
    ...layer,
    desc,
    w: resized(w, 'weights', from, desc.layout, wShape(desc)),
    b: b && resized(b, 'bias', from, desc.layout, bShape(desc)),
  };
}

/** A new layer on an input of these sizes; a convolution has as many filters as channels. */
function newLayer(kind: LayerKind, sizes: PlaneSizes, seed: number): Layer {
  if (isPlain(kind)) return plainLayer(kind, LAYERS[kind].make(sizes));
  const desc: ConvDesc = descOn(conv.make(sizes), sizes);
  const w = generated({ kind: 'random', seed }, 'weights', sizes.layout, wShape(desc));
  return { kind: 'conv', desc, w, b: null, algorithms: {} };
}

/**
 * Adds a layer with number `at`, counted from 0; by default at the end. A dy that follows the pointer stays where it is. Error: the layer
 * that does not fit.
 */
export function withLayer(problem: Problem, kind: LayerKind, at = listOf(problem).layers.length): EditResult {
  const list = listOf(problem);
  const { dy, x } = problem;
  const before = list.layers.slice(0, at);
  const sizes = before.reduce((input, layer) => outputOf(layer, input), sizesOfShape(list.layout, x.shape));
  const layers = [...before, newLayer(kind, sizes, list.layers.length + 1), ...list.layers.slice(at)];
  const open = at <= list.open ? list.open + 1 : list.open;
  const last: Problem = dy.kind === 'pointed' ? { ...problem, dy: { kind: 'one_hot', index: dy.index } } : problem;
  const made = assembled({ ...list, layers, open }, last, list.layout);
  const costs = 'problem' in made ? checkCosts(made.problem, problem) : null;
  return costs ? refused('', 'the network would be too large: make its layers smaller first') : made;
}

/** Changes the fields of a layer without weights, counted from 0. Error: the layer that does not fit. */
export function withFields(problem: Problem, index: number, fields: unknown): EditResult {
  const list = listOf(problem);
  const { kind } = list.layers[index] ?? {};
  if (!kind || !isPlain(kind)) return refused('', `layer ${index + 1} has no fields of its own`);
  return assembled({ ...list, layers: list.layers.with(index, plainLayer(kind, fields)) }, problem, list.layout);
}

/** Whether a layer can be removed: one convolution stays. */
export const canRemove = ({ layers }: Pick<LayerList, 'layers'>, index: number): boolean =>
  layers.some(({ kind }, i) => i !== index && kind === 'conv');

/** Without a layer, counted from 0. In place of the open one, the nearest convolution opens. */
export function withoutLayer(problem: Problem, index: number): EditResult {
  const list = listOf(problem);
  if (!canRemove(list, index)) return refused('', 'a network needs a convolution');
  const distance = (i: number) => Math.abs(i - list.open);
  const [next = list.open] = list.layers
    .flatMap(({ kind }, i) => (kind === 'conv' && i !== index ? [i] : []))
    .sort((a, b) => distance(a) - distance(b));
  const open = next > index ? next - 1 : next;
  return assembled({ ...list, layers: list.layers.filter((_, i) => i !== index), open }, problem, list.layout);
}

/** Opens another convolution, counted from 0: it becomes the problem. */
export function withOpen(problem: Problem, index: number): EditResult {
  const list = listOf(problem);
  if (list.layers[index]?.kind !== 'conv') return refused('', `layer ${index + 1} is no convolution`);
  return assembled({ ...list, open: index }, problem, list.layout);
}

/** Sets a cell of the network's input, with any layer open. */
export function withInputCell(problem: Problem, index: number, value: number): EditResult {
  const data = problem.x.data.slice();
  if (index >= data.length) return refused('x', `x has no cell ${index}`);
  data[index] = value;
  return { problem: { ...problem, x: { ...problem.x, data, edited: true } } };
}

/** The problem with these weights of its convolutions, from the first on; unchanged if they are of another network. */
export function withWeights(
  problem: Problem,
  weights: readonly { readonly w: Float32Array; readonly b: Float32Array | null }[],
): EditResult {
  const list = listOf(problem);
  const left = [...weights];
  const source = { kind: 'brought', name: '' } as const;
  const layers = list.layers.map((layer): Layer => {
    const values = layer.kind === 'conv' ? left.shift() : undefined;
    if (layer.kind !== 'conv' || values?.w.length !== layer.w.data.length) return layer;
    const { w, b } = layer;
    return {
      ...layer,
      w: { ...w, data: values.w, source, edited: false },
      b: b && values.b?.length === b.data.length ? { ...b, data: values.b, source, edited: false } : b,
    };
  });
  return assembled({ ...list, layers }, problem, list.layout);
}
