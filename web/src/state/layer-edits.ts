import { newConv } from '../layers/conv/view';
import { isPlain, type LayerKind, plainLayer } from '../layers/list';
import { newPlain } from '../layers/views';
import type { PlaneSizes } from '../protocol/layers';
import { descOn } from '../protocol/layers';
import { wShape } from '../protocol/shapes';
import { generated } from '../sources/inputs';
import { assembled, checkCosts, refused } from './edits';
import { type EditResult, type Layer, type Problem, sizesOf } from './problem';

/** Edits of the list of layers. This module is loaded with the first network. */

/** A new layer on an input of these sizes; a convolution has as many filters as channels. */
function newLayer(kind: LayerKind, sizes: PlaneSizes, seed: number): Layer {
  if (isPlain(kind)) return newPlain(kind, sizes);
  const fields = newConv(sizes);
  const w = generated({ kind: 'random', seed }, 'weights', sizes.layout, wShape(descOn(fields, sizes)));
  return { kind: 'conv', fields, w, b: null, algorithms: {} };
}

/**
 * Adds a layer with number `at`, counted from 0; by default at the end. A dy that follows the pointer stays where it is. Error: the layer
 * that does not fit.
 */
export function withLayer(problem: Problem, kind: LayerKind, at = problem.layers.length): EditResult {
  const { dy, layers: before } = problem;
  const input = sizesOf(problem)[at] ?? problem.input;
  const layers = before.toSpliced(at, 0, newLayer(kind, input, before.length + 1));
  const open = at <= problem.open ? problem.open + 1 : problem.open;
  const last: Problem = dy.kind === 'pointed' ? { ...problem, dy: { kind: 'one_hot', index: dy.index } } : problem;
  const made = assembled({ ...last, layers, open }, last);
  const costs = 'problem' in made ? checkCosts(made.problem, problem) : null;
  return costs ? refused('', 'the network would be too large: make its layers smaller first') : made;
}

/** Changes the fields of a layer without weights, counted from 0. Error: the layer that does not fit. */
export function withFields(problem: Problem, index: number, fields: unknown): EditResult {
  const { kind } = problem.layers[index] ?? {};
  if (!kind || !isPlain(kind)) return refused('', `layer ${index + 1} has no fields of its own`);
  return assembled({ ...problem, layers: problem.layers.with(index, plainLayer(kind, fields)) }, problem);
}

/** Whether a layer can be removed: one convolution stays. */
export const canRemove = ({ layers }: Pick<Problem, 'layers'>, index: number): boolean =>
  layers.some(({ kind }, i) => i !== index && kind === 'conv');

/** Without a layer, counted from 0. In place of the open one, the nearest convolution opens. */
export function withoutLayer(problem: Problem, index: number): EditResult {
  if (!canRemove(problem, index)) return refused('', 'a network needs a convolution');
  const distance = (i: number) => Math.abs(i - problem.open);
  const [next = problem.open] = problem.layers
    .flatMap(({ kind }, i) => (kind === 'conv' && i !== index ? [i] : []))
    .sort((a, b) => distance(a) - distance(b));
  const open = next > index ? next - 1 : next;
  return assembled({ ...problem, layers: problem.layers.toSpliced(index, 1), open }, problem);
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
  const left = [...weights];
  const source = { kind: 'brought', name: '' } as const;
  const layers = problem.layers.map((layer): Layer => {
    const values = layer.kind === 'conv' ? left.shift() : undefined;
    if (layer.kind !== 'conv' || values?.w.length !== layer.w.data.length) return layer;
    const { w, b } = layer;
    return {
      ...layer,
      w: { ...w, data: values.w, source, edited: false },
      b: b && values.b?.length === b.data.length ? { ...b, data: values.b, source, edited: false } : b,
    };
  });
  return { problem: { ...problem, layers } };
}
