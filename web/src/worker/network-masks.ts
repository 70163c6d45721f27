import type { SessionHeap } from '../engine/session-heap';
import { type LayerResult, type NetworkResult, ownerOf } from '../protocol/network';
import type { Hidden, Tensor } from '../protocol/problem';
import { checkHidden } from './masks';

/**
 * Hidden values of a network: outputs of layers and their gradients, by their names in the view Network. As in masks.ts they never leave
 * the worker. Values that other layers compute from them are not hidden, even if they are the same: a ReLU's gate is an exercise, too.
 */

interface HiddenNetwork {
  /** With NaN in place of hidden values. Shares no memory with the result. */
  readonly shown: NetworkResult;
  /** The hidden values of the open layer, by the names that they have there. */
  readonly own: readonly Hidden[];
}

type IsHidden = (index: number) => boolean;

/** `open`: index of the open layer. Throws ConvFailure. */
export function hideInNetwork(heap: SessionHeap, result: NetworkResult, hidden: unknown, open: number): HiddenNetwork {
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
  const ownNames = {
    [nameAt(open)]: 'x',
    [nameAt(open + 1)]: 'y',
    [nameAt(open, 'd')]: 'dx',
    [nameAt(open + 1, 'd')]: 'dy',
  };
  const gradients = ['dx', 'dw', 'db', ...(open + 1 < count ? (['dy'] as const) : [])] as const;
  const whole = copies.length > 0 ? gradients.map((tensor) => ({ tensor, index: null })) : [];
  return {
    shown: {
      values: result.values.map((tensor, i) => blank(tensor, nameAt(i))),
      gradients: result.gradients.map((tensor, i) => blank(tensor, nameAt(i, 'd'))),
      layers: result.layers.map(layerAt),
      loss: result.loss !== null && (hides(y) ?? hides(dy)) ? Number.NaN : result.loss,
    },
    own: [
      ...whole,
      ...cells.flatMap(({ tensor, index }) => {
        const own = ownNames[tensor];
        return own ? [{ tensor: own as Hidden['tensor'], index }] : [];
      }),
    ],
  };
}

/** Of the visible values. */
function statsOf(heap: SessionHeap, data: Float32Array): Tensor['stats'] {
  heap.write('result', data);
  const stats = heap.stats('result');
  heap.release('result');
  return stats;
}
