import type { DySource } from '../../protocol/messages';
import type { Tensor } from '../../protocol/problem';

/** Where dy comes from, as this view offers it: `id` is the kind, but for the squared error to what y is now. */
export interface Source {
  readonly id: string;
  readonly label: string;
  /** What it means, and what one can do. */
  readonly sentence: string;
  /** The source when it is chosen; `dy` and `y` are what is on the board. */
  readonly make: (dy: Tensor, y: Tensor) => DySource;
}

/** THE LIST of sources. */
export const SOURCES: readonly Source[] = [
  {
    id: 'ones',
    label: 'ones',
    sentence: 'As if the loss were the sum of y. Every output sends the same back.',
    make: () => ({ kind: 'ones' }),
  },
  {
    id: 'random',
    label: 'random',
    sentence: 'As it may come from the layers behind.',
    make: () => ({ kind: 'random', seed: 1 }),
  },
  {
    id: 'one_hot',
    label: 'a single 1',
    sentence:
      'As if the loss were a single cell of y. Click another cell of dy: what it sends back is w, stamped on dx.',
    make: (dy) => ({ kind: 'one_hot', index: Math.floor(dy.data.length / 2) }),
  },
  {
    id: 'values',
    label: 'painted',
    sentence: 'Draw on dy: drag over its cells, or go there with the arrows and press Space.',
    make: ({ shape, data }) => ({ kind: 'values', shape, data: data.slice() }),
  },
  {
    id: 'mse',
    label: 'error to a target',
    sentence: 'Loss: half the mean of (y − target)². Change w and see how dy, and with it every gradient, follows.',
    make: () => ({ kind: 'mse', target: null }),
  },
];
