import { denseWindow } from '../layers/conv/dense';
import { isPlain, isWeighted, type LayerKind, windowOf } from '../layers/list';
import { newFields, newPlain } from '../layers/views';
import type { LookStore } from '../look/look-store';
import { numberOf, type PlaneSizes } from '../protocol/layers';
import { wShape } from '../protocol/shapes';
import { generated } from '../sources/inputs';
import { assembled, checkCosts, editDesc, refused } from './edits';
import { type EditResult, type Layer, type Problem, sizesOf } from './problem';
import { layerNumbers } from './store';

/** Edits of the list of layers. This module is loaded with the first network. */

/** A new layer on an input of these sizes. */
function newLayer(kind: LayerKind, sizes: PlaneSizes, seed: number): Layer {
  if (isPlain(kind)) return newPlain(kind, sizes);
  const fields = newFields(kind, sizes) as never;
  const w = generated({ kind: 'random', seed }, 'weights', sizes.layout, wShape(windowOf({ kind, fields }, sizes)));
  return { kind, fields, w, b: null, algorithms: {} };
}

/**
 * Adds a layer with number `at`, counted from 0; by default at the end. Error: the layer that does not fit.
 */
export function withLayer(problem: Problem, kind: LayerKind, at = problem.layers.length): EditResult {
  const { layers: before } = problem;
  const input = sizesOf(problem)[at] ?? problem.input;
  const layers = before.toSpliced(at, 0, newLayer(kind, input, before.length + 1));
  const made = assembled({ ...problem, layers }, problem);
  const costs = 'problem' in made ? checkCosts(made.problem, problem) : null;
  return costs ? refused('', 'the network would be too large: make its layers smaller first') : made;
}

/** Gives the kernel of a convolution, counted from 0, the size of its input. Error: the layer that does not fit. */
export function withDense(problem: Problem, index: number): EditResult {
  const sizes = sizesOf(problem)[index] ?? problem.input;
  return editDesc(problem, index, problem, denseWindow(sizes));
}

/** Changes the fields of a layer, counted from 0, that is no convolution. Error: the layer that does not fit. */
export function withFields(problem: Problem, index: number, fields: unknown): EditResult {
  const layer = problem.layers[index];
  if (!layer || layer.kind === 'conv') return refused('', `layer ${index + 1} has no fields of its own`);
  const made = assembled({ ...problem, layers: problem.layers.with(index, { ...layer, fields } as Layer) }, problem);
  const costs = 'problem' in made ? checkCosts(made.problem, problem) : null;
  return costs ? { error: costs } : made;
}

/** Whether a layer can be removed: one convolution stays. */
const canRemove = ({ layers }: Pick<Problem, 'layers'>, index: number): boolean =>
  layers.some(({ kind }, i) => i !== index && kind === 'conv');

/** Without a layer, counted from 0. */
export function withoutLayer(problem: Problem, index: number): EditResult {
  if (!canRemove(problem, index)) return refused('', 'a network needs a convolution');
  return assembled({ ...problem, layers: problem.layers.toSpliced(index, 1) }, problem);
}

/** Sets a cell of the network's input, or of the weights or bias of a layer, with any layer open. */
export function withCell(
  problem: Problem,
  layer: number,
  name: 'x' | 'w' | 'b',
  index: number,
  value: number,
): EditResult {
  const own = problem.layers[layer];
  const tensor = name === 'x' ? problem.x : own && isWeighted(own) ? own[name] : null;
  if (!tensor || index >= tensor.data.length) return refused(name, `${name} has no cell ${index}`);
  const edited = { ...tensor, data: tensor.data.with(index, value), edited: true };
  if (name === 'x') return { problem: { ...problem, x: edited } };
  return { problem: { ...problem, layers: problem.layers.with(layer, { ...own, [name]: edited } as Layer) } };
}

/** The problem with these weights of its layers, from the first on; unchanged if they are of another network. */
export function withWeights(
  problem: Problem,
  weights: readonly { readonly w: Float32Array; readonly b: Float32Array | null }[],
): EditResult {
  const left = [...weights];
  const source = { kind: 'brought', name: '' } as const;
  const layers = problem.layers.map((layer): Layer => {
    const values = isWeighted(layer) ? left.shift() : undefined;
    if (!isWeighted(layer) || values?.w.length !== layer.w.data.length) return layer;
    const { w, b } = layer;
    return {
      ...layer,
      w: { ...w, data: values.w, source, edited: false },
      b: b && values.b?.length === b.data.length ? { ...b, data: values.b, source, edited: false } : b,
    };
  });
  return { problem: { ...problem, layers } };
}

/**
 * The number that a layer of `before` has in `after`, a problem with a layer more or less; -1: it is gone. Its fields are the same object
 * as long as they are not edited.
 */
const indexAfter = (before: Problem, after: Problem, index: number): number =>
  before.layers.length === after.layers.length
    ? index
    : after.layers.findIndex(({ fields }) => fields === before.layers[index]?.fields);

/** The convolution that one edit changed; `shown` if it is among others. */
function editedIndex({ layers: before }: Problem, { layers }: Problem, shown: number): number {
  const find = (isEdited: (layer: Layer, old: Layer | undefined) => boolean) =>
    layers.findIndex((layer, i) => layer.kind === 'conv' && isEdited(layer, before[i]));
  const sized = find(({ fields }, old) => fields !== old?.fields);
  if (sized >= 0 || layers[shown] !== before[shown]) return sized < 0 ? shown : sized;
  const edited = find((layer, old) => layer !== old);
  return edited < 0 ? shown : edited;
}

/**
 * Gives the look the numbers of the layers of `after`: of the shown layer, and of the cell that is pinned in the view Network. Undo and redo
 * show the layer that they change.
 */
function follow(look: LookStore, before: Problem, after: Problem, shown: number, isTravel: boolean): void {
  const { length } = after.layers;
  if (before.layers.length === length) {
    const edited = isTravel ? editedIndex(before, after, shown) : shown;
    if (edited !== shown) look.showLayer(edited);
    return;
  }
  const to = (layer: number) => indexAfter(before, after, layer);
  const [, name, digit, index] = /^(d?[ywb])(\d?)(\..*)$/.exec(String(look.settings.network.peek().cell)) ?? [];
  const layer = to(Number(digit || 1) - 1);
  if (name) look.choose('network', { cell: layer < 0 ? '' : `${name}${numberOf({ length }, layer)}${index}` });
  if (to(shown) < 0) look.showLayer(null);
  else if (to(shown) !== shown) look.layer.value = to(shown);
}

layerNumbers.code = { indexAfter, follow };
