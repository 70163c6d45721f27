import type { Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { DyEntry } from './dy-entry';
import { numberText, parseCount } from './exact-text';

/** Sources of dy that are no loss: they are what may come from behind. */

/** A source without values of its own, that any y can have. */
const anywhere = {
  fault: () => null,
  arrays: () => [],
};

interface Ones {
  readonly kind: 'ones';
}

const ONES: Ones = { kind: 'ones' };

export const ones: DyEntry<Ones> = {
  ...anywhere,
  kind: 'ones',
  label: 'ones',
  sentence: 'As if the loss were the sum of y: every output sends the same back.',
  example: 'ones',
  make: () => ONES,
  write: () => ({}),
  read: () => ONES,
  bare: () => ONES,
  move: (source) => source,
  send: (source) => source,
};

/** Whole numbers from -4 to 4, so that sums can be followed by head; the same seed gives the same numbers. */
interface Random {
  readonly kind: 'random';
  readonly seed: number;
}

export const random: DyEntry<Random> = {
  ...anywhere,
  kind: 'random',
  label: 'random',
  sentence: 'As it may come from the layers behind.',
  example: 'random:7',
  make: () => ({ kind: 'random', seed: 1 }),
  write: ({ seed }) => ({ argument: numberText(seed) }),
  read({ argument }) {
    const seed = parseCount(argument);
    return seed === null ? null : { kind: 'random', seed };
  },
  bare: () => ONES,
  move: (source) => source,
  send: (source) => source,
  another: ({ seed }) => ({ kind: 'random', seed: seed + 1 }),
};

/** 1 at the flat index into y, 0 elsewhere. */
interface OneHot {
  readonly kind: 'one_hot';
  readonly index: number;
}

export const oneHot: DyEntry<OneHot> = {
  kind: 'one_hot',
  label: 'a single 1',
  sentence: 'As if the loss were a single cell of y.',
  hands: 'Click another cell of dy: what it sends back is w, stamped on dx.',
  example: 'one_hot:0',
  make: ({ shape }) => ({ kind: 'one_hot', index: Math.floor(shapeSize(shape) / 2) }),
  write: ({ index }) => ({ argument: numberText(index) }),
  read({ argument }) {
    const index = parseCount(argument);
    return index === null ? null : { kind: 'one_hot', index };
  },
  bare: () => ONES,
  fault({ index }, y) {
    const cells = shapeSize(y);
    if (Number.isInteger(index) && index >= 0 && index < cells) return null;
    const many = cells.toLocaleString('en');
    return {
      wrong: `y has no cell ${index}`,
      right: `one_hot and the number of a cell of y, of which there are ${many}`,
    };
  },
  move: ({ index }, { to, index: moved }) => (shapeSize(to) === 0 ? ONES : { kind: 'one_hot', index: moved(index) }),
  arrays: () => [],
  send: (source) => source,
  click: (index) => ({ kind: 'one_hot', index }),
};

/** Cells given by hand for an output of `shape` (layout order); cells outside of it are 0. */
interface Painted {
  readonly kind: 'values';
  readonly shape: Shape;
  readonly data: Float32Array;
}

/** What a cell of dy becomes that somebody changes, wherever dy came from before. */
export const painted = (shape: Shape, data: Float32Array): Painted => ({ kind: 'values', shape, data });

export const values: DyEntry<Painted> = {
  kind: 'values',
  label: 'painted',
  sentence: 'Your own: change any cell of dy.',
  hands: 'Draw on dy: drag over its cells, or go there with the arrows and press Space.',
  example: 'values for the cells of y',
  make: ({ shape, dy }) => painted(shape, dy?.slice() ?? new Float32Array(shapeSize(shape))),
  write: ({ shape, data }) => ({ argument: shape.join('.'), values: data }),
  read({ argument = '', values: valuesOf }) {
    const sizes = argument.split('.').map(parseCount);
    const [a = null, b = null, c = null, d = null] = sizes;
    if (sizes.length !== 4 || a === null || b === null || c === null || d === null) return null;
    const data = valuesOf(a * b * c * d);
    return data && painted([a, b, c, d], data);
  },
  bare: () => ONES,
  fault({ shape }, y) {
    if (shape.every((size, i) => size === y[i])) return null;
    const [of, to] = [shape.join('.'), y.join('.')];
    return { wrong: `dy is ${of}, but y is ${to}`, right: `values for the cells of y, whose shape is ${to}` };
  },
  move: ({ shape, data }, move) => painted(move.to, move.data(data, shape)),
  arrays: ({ data }) => [data],
  send: (source) => source,
};
