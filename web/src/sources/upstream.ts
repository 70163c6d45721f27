import type { Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { DyEntry } from './dy-entry';
import { numberText, parseCount } from './exact-text';

/** Sources of dy other than losses. */

/** A source without values, which fits any y. */
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
  make: () => ONES,
  write: () => ({}),
  read: () => ONES,
  bare: () => ONES,
  resize: (source) => source,
  send: (source) => source,
};

/** Whole numbers from -4 to 4, for mental arithmetic; determined by the seed. */
interface Random {
  readonly kind: 'random';
  readonly seed: number;
}

export const random: DyEntry<Random> = {
  ...anywhere,
  kind: 'random',
  make: () => ({ kind: 'random', seed: 1 }),
  write: ({ seed }) => ({ argument: numberText(seed) }),
  read({ argument }) {
    const seed = parseCount(argument);
    return seed === null ? null : { kind: 'random', seed };
  },
  bare: () => ONES,
  resize: (source) => source,
  send: (source) => source,
  another: ({ seed }) => ({ kind: 'random', seed: seed + 1 }),
};

/** 1 at the flat index into y, 0 elsewhere. */
interface Single<Kind extends string> {
  readonly kind: Kind;
  readonly index: number;
}

const single = <Kind extends 'one_hot' | 'pointed'>(kind: Kind): DyEntry<Single<Kind>> => ({
  kind,
  make: ({ shape }) => ({ kind, index: Math.floor(shapeSize(shape) / 2) }),
  write: ({ index }) => ({ argument: numberText(index) }),
  read({ argument }) {
    const index = parseCount(argument);
    return index === null ? null : { kind, index };
  },
  bare: () => ONES,
  fault({ index }, y) {
    const cells = shapeSize(y);
    if (Number.isInteger(index) && index >= 0 && index < cells) return null;
    const many = cells.toLocaleString('en');
    return {
      wrong: `y has no cell ${index}`,
      right: `${kind} and the index of a cell of y, which has ${many} cells`,
    };
  },
  resize: ({ index }, { to, index: moved }) => (shapeSize(to) === 0 ? ONES : { kind, index: moved(index) }),
  arrays: () => [],
  send: ({ index }) => ({ kind: 'one_hot', index }),
});

export const oneHot = single('one_hot');

/** The index follows the pointer over y and dy (app/second/pointing.ts). */
export const pointed = single('pointed');

/** Values set by the user, for an output of `shape` (layout order). */
interface Painted {
  readonly kind: 'values';
  readonly shape: Shape;
  readonly data: Float32Array;
}

/** The source of dy after an edit of a cell. */
export const painted = (shape: Shape, data: Float32Array): Painted => ({ kind: 'values', shape, data });

export const values: DyEntry<Painted> = {
  kind: 'values',
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
    return { wrong: `dy is ${of}, but y is ${to}`, right: `values for the cells of y, with the shape ${to}` };
  },
  resize: ({ shape, data }, move) => painted(move.to, move.data(data, shape)),
  arrays: ({ data }) => [data],
  send: (source) => source,
};
