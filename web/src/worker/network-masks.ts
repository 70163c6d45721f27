import type { SessionHeap } from '../engine/session-heap';
import type { Hidden } from '../protocol/cell';
import { type LayerResult, type NetworkResult, ownerOf } from '../protocol/network';
import type { StageName, Tensor, TensorName } from '../protocol/problem';
import { checkHidden } from './masks';

/**
 * Hidden values of a network: outputs of layers and their gradients, by their names in the view Network. As in masks.ts they never leave
 * the worker. Values that other layers compute from them are not hidden, even if they are the same: a ReLU's gate is an exercise, too.
 */

interface Hiding {
  /** With NaN in place of hidden values. Shares no memory with the result. */
  readonly shown: NetworkResult;
  /** The hidden values of a layer, by the names that they have there. `layer`: counted from 0. */
  of(layer: number): readonly Hidden[];
  hides(layer: number, name: TensorName | StageName, index: number): boolean;
}

type IsHidden = (index: number) => boolean;

/** Throws ConvFailure. */
export function hideInNetwork(heap: SessionHeap, result: NetworkResult, hidden: unknown): Hiding {
  const count = result.layers.length;
  const given = checkHidden(hidden, (name) => ownerOf(name, count) !== null);
  const [y, dy] = [`y${count}`, `dy${count}`];
  // A cell of dy is a multiple of y - target, and all other gradients are computed from dy.
  const copies = result.loss === null ? [] : given.filter(({ tensor }) => tensor === y);
  const cells = [...given, ...copies.map(({ index }) => ({ tensor: dy, index }))];
  const hides = (name: string): IsHidden | null => {
    if (copies.length > 0 && name.startsWith('d') && name !== dy) return () => true;
    const own = cells.filter(({ tensor }) => tensor === name);
    return own.length === 0 ? null : (at) => own.some(({ index }) => index === null || index === at);
  };
  const blank = ({ shape, data, stats }: Tensor, name: string): Tensor => {
    const isHidden = hides(name);
    const copy = data.map((each, index) => (isHidden?.(index) ? Number.NaN : each));
    return { shape, data: copy, stats: isHidden ? statsOf(heap, copy) : stats };
  };
  const nameAt = (i: number, prefix = '') => (i === 0 ? `${prefix}x` : `${prefix}y${i}`);
  const layerAt = ({ w, b, dw, db, winners, averages, ...rest }: LayerResult, i: number): LayerResult => {
    const isHidden = hides(`y${i + 1}`) ?? (() => false);
    return {
      ...rest,
      ...(w && { w: blank(w, 'w') }),
      ...(b && { b: blank(b, 'b') }),
      ...(dw && { dw: blank(dw, 'dw') }),
      ...(db && { db: blank(db, 'db') }),
      ...(winners && { winners: winners.slice() }),
      ...(averages && {
        averages: { ...averages, sums: averages.sums.map((sum, index) => (isHidden(index) ? Number.NaN : sum)) },
      }),
    };
  };
  const of = (layer: number): readonly Hidden[] => {
    const names: Readonly<Record<string, TensorName>> = {
      [nameAt(layer)]: 'x',
      [nameAt(layer + 1)]: 'y',
      [nameAt(layer, 'd')]: 'dx',
      [nameAt(layer + 1, 'd')]: 'dy',
    };
    const gradients = ['dx', 'dw', 'db', ...(layer + 1 < count ? (['dy'] as const) : [])] as const;
    const all = copies.length > 0 ? gradients.map((tensor) => ({ tensor, index: null })) : [];
    const own = cells.flatMap(({ tensor, index }) => {
      const name = names[tensor];
      return name ? [{ tensor: name, index }] : [];
    });
    return [...all, ...own];
  };
  return {
    shown: {
      values: result.values.map((tensor, i) => blank(tensor, nameAt(i))),
      gradients: result.gradients.map((tensor, i) => blank(tensor, nameAt(i, 'd'))),
      layers: result.layers.map(layerAt),
      loss: result.loss !== null && (hides(y) ?? hides(dy)) ? Number.NaN : result.loss,
    },
    of,
    hides: (layer, name, index) =>
      of(layer).some((each) => each.tensor === name && (each.index === null || each.index === index)),
  };
}

/** Of the visible values. */
function statsOf(heap: SessionHeap, data: Float32Array): Tensor['stats'] {
  heap.write('result', data);
  const stats = heap.stats('result');
  heap.release('result');
  return stats;
}
