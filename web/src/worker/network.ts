import type { SessionHeap } from '../engine/session-heap';
import { plainGeometry } from '../engine/validate';
import { type LayerResult, type NetworkResult, ownerOf, type SentLayer } from '../protocol/network';
import type { Hidden, Shape, Tensor, TensorName } from '../protocol/problem';
import { chainOf, type Net, netOf } from './chain';
import { ChainAnswers } from './chain-answers';
import { checkHidden, HiddenCells } from './masks';

/** Networks: the tensors of the session's chain as a result. Loaded with the first network. */

/** Sums of larger outputs of average pooling are not sent. */
const MOST_AVERAGES = 2 ** 14;

/** All tensors of the session's chain. */
function networkResult(heap: SessionHeap, { layers }: Net, loss: number | null): NetworkResult {
  const { rows } = heap;
  const first = rows[0]?.x_shape ?? [0, 0, 0, 0];
  const outputs = (name: 'y' | 'dy') => rows.map((row, i) => heap.at(i).read(name, row.y_shape));
  return {
    values: [heap.at(0).read('x', first), ...outputs('y')],
    gradients: [heap.at(0).read('dx', first), ...outputs('dy')],
    layers: rows.map((row, i) => ({
      geometry: plainGeometry(heap.module, row.geometry),
      ...resultOf(heap.at(i), layers[i] as SentLayer, row.w_shape, row.geometry.k),
    })),
    loss,
  };
}

function resultOf(heap: SessionHeap, layer: SentLayer, w: Shape, k: number): Omit<LayerResult, 'geometry'> {
  const bias: Shape = [1, 1, 1, k];
  const winners = heap.session.winners(heap.layer);
  if (winners.length > 0) return { winners: winners.slice() };
  if (layer.kind === 'average_pool') return averagesOf(heap);
  if (!layer.w) return {};
  const gradients = { dw: heap.read('dw', w), db: heap.read('db', bias) };
  return { w: heap.read('w', w), ...(layer.b && { b: heap.read('b', bias) }), ...gradients };
}

function averagesOf(heap: SessionHeap): Pick<LayerResult, 'averages'> {
  const length = heap.length('y');
  if (length > MOST_AVERAGES) return {};
  heap.must(heap.session.averages(heap.layer));
  const counts = heap.session.indices(heap.module.IndexSlot.a).slice();
  return { averages: { sums: heap.copy('result'), counts } };
}

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

/** `open`: index of the open layer. Throws ConvFailure. */
function hideInNetwork(
  heap: SessionHeap,
  { values, gradients, layers, loss }: NetworkResult,
  hidden: unknown,
  open: number,
): HiddenNetwork {
  const count = layers.length;
  const masks = new HiddenCells(
    heap,
    checkHidden(hidden, (name) => ownerOf(name, count) !== null),
  );
  const nameAt = (i: number, prefix = '') => (i === 0 ? `${prefix}x` : `${prefix}y${i}`);
  const [y, dy] = [nameAt(count), nameAt(count, 'd')];
  if (loss !== null) {
    // A cell of dy is a multiple of y - target, and all other gradients are computed from dy.
    masks.propagate(y, [dy]);
    masks.propagate(y, ['dw', 'db', ...layers.map((_, i) => nameAt(i, 'd'))], true);
  }
  const blank = (tensor: Tensor, name: string): Tensor => masks.blank({ ...tensor, data: tensor.data.slice() }, name);
  const layerAt = ({ w, b, dw, db, winners, averages, ...rest }: LayerResult, i: number): LayerResult => ({
    ...rest,
    ...(w && { w: blank(w, 'w') }),
    ...(b && { b: blank(b, 'b') }),
    ...(dw && { dw: blank(dw, 'dw') }),
    ...(db && { db: blank(db, 'db') }),
    ...(winners && { winners: winners.slice() }),
    ...(averages && {
      averages: {
        ...averages,
        sums: averages.sums.map((sum, at) => (masks.hides(nameAt(i + 1), at) ? Number.NaN : sum)),
      },
    }),
  });
  const ofOpen = {
    ...{ x: nameAt(open), y: nameAt(open + 1), dx: nameAt(open, 'd'), dy: nameAt(open + 1, 'd') },
    ...{ dw: 'dw', db: 'db' },
  };
  return {
    shown: {
      values: values.map((tensor, i) => blank(tensor, nameAt(i))),
      gradients: gradients.map((tensor, i) => blank(tensor, nameAt(i, 'd'))),
      layers: layers.map(layerAt),
      loss: loss !== null && (masks.any(y) || masks.any(dy)) ? Number.NaN : loss,
    },
    own: Object.entries(ofOpen).flatMap(([tensor, name]) =>
      masks.cellsOf(name).map((index) => ({ tensor: tensor as TensorName, index })),
    ),
  };
}

/** What the engine does with a request of a network. */
export const networks = {
  netOf,
  chainOf,
  resultOf: networkResult,
  hide: hideInNetwork,
  answers: (heap: SessionHeap, net: Net) => new ChainAnswers(heap, net),
};
