import { LOSS_KINDS, type LossKind } from '../losses/list';
import type { DySource as DyInput } from '../protocol/messages';
import type { Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import { numberText, parseCount } from './exact-text';

/** Resizes the arrays of a source: cells keep their positions, new cells are 0. */
interface Resizer {
  readonly to: Shape;
  data(values: Float32Array, shape: Shape): Float32Array;
  /** For an array with the previous shape of y. */
  whole(values: Float32Array): Float32Array;
  /** The same cell, or the nearest one that still exists. */
  index(index: number): number;
}

/** A source in a link: kind, then ":" and the argument, then "~" and the values. */
interface DyReading {
  readonly argument: string | undefined;
  /** Exactly `count` values, or null. */
  values(count: number): Float32Array | null;
  readonly hasValues: boolean;
  readonly shape: Shape;
}

/** The reason why a source does not fit y. */
interface Fault {
  readonly wrong: string;
  /** What a link must contain instead. */
  readonly right: string;
}

interface Ones {
  readonly kind: 'ones';
}

/** Everything about one source of dy. */
interface DyEntry<Source extends { readonly kind: string }> {
  /** Also its name in a link. */
  readonly kind: Source['kind'];
  /** A new source, from the shape of y and the current dy (null: not computed yet). */
  make(current: { readonly shape: Shape; readonly dy: Float32Array | null }): Source;
  write(source: Source): { readonly argument?: string; readonly values?: Float32Array };
  read(text: DyReading): Source | null;
  /** Replacement for values that are too many for a link. */
  bare(): Source | Ones;
  fault(source: Source, y: Shape): Fault | null;
  resize(source: Source, move: Resizer): Source | Ones;
  /** The arrays in memory. */
  arrays(source: Source): readonly Float32Array[];
  /** The source in a compute request. */
  send(source: Source): DyInput;
  /** For the gradient of a loss between y and a target (null: 0 everywhere). */
  readonly loss?: {
    readonly name: LossKind;
    target(source: Source): Float32Array | null;
    toward(target: Float32Array | null): Source;
  };
  /** For "Shuffle": the next source of this kind. */
  another?(source: Source): Source;
}

const ONES: Ones = { kind: 'ones' };

/** A source without arrays or sizes: it fits any y. */
const anywhere = {
  bare: () => ONES,
  fault: () => null,
  arrays: () => [],
  resize: <Source>(source: Source) => source,
  send: <Source>(source: Source) => source,
};

const ones: DyEntry<Ones> = { ...anywhere, kind: 'ones', make: () => ONES, write: () => ({}), read: () => ONES };

/** Whole numbers from -4 to 4, for mental arithmetic; determined by the seed. */
const random: DyEntry<{ readonly kind: 'random'; readonly seed: number }> = {
  ...anywhere,
  kind: 'random',
  make: () => ({ kind: 'random', seed: 1 }),
  write: ({ seed }) => ({ argument: numberText(seed) }),
  read({ argument }) {
    const seed = parseCount(argument);
    return seed === null ? null : { kind: 'random', seed };
  },
  another: ({ seed }) => ({ kind: 'random', seed: seed + 1 }),
};

/** 1 at the flat index into y, 0 elsewhere. */
interface Single<Kind extends string> {
  readonly kind: Kind;
  readonly index: number;
}

const single = <Kind extends 'one_hot' | 'pointed'>(kind: Kind): DyEntry<Single<Kind>> => ({
  ...anywhere,
  kind,
  make: ({ shape }) => ({ kind, index: Math.floor(shapeSize(shape) / 2) }),
  write: ({ index }) => ({ argument: numberText(index) }),
  read({ argument }) {
    const index = parseCount(argument);
    return index === null ? null : { kind, index };
  },
  fault({ index }, y) {
    const cells = shapeSize(y);
    if (Number.isInteger(index) && index >= 0 && index < cells) return null;
    const many = cells.toLocaleString('en');
    return { wrong: `y has no cell ${index}`, right: `${kind} and the index of a cell of y, which has ${many} cells` };
  },
  resize: ({ index }, { to, index: moved }) => (shapeSize(to) === 0 ? ONES : { kind, index: moved(index) }),
  send: ({ index }) => ({ kind: 'one_hot', index }),
});

export const oneHot = single('one_hot');

/** The index follows the pointer over y and dy (app/deferred/deferred-parts.ts). */
const pointed = single('pointed');

/** Values set by the user, for an output of `shape` (layout order). */
interface Painted {
  readonly kind: 'values';
  readonly shape: Shape;
  readonly data: Float32Array;
}

/** The source of dy after an edit of a cell. */
export const painted = (shape: Shape, data: Float32Array): Painted => ({ kind: 'values', shape, data });

const values: DyEntry<Painted> = {
  ...anywhere,
  kind: 'values',
  make: ({ shape, dy }) => painted(shape, dy?.slice() ?? new Float32Array(shapeSize(shape))),
  write: ({ shape, data }) => ({ argument: shape.join('.'), values: data }),
  read({ shape, argument = shape.join('.'), values: valuesOf }) {
    const sizes = argument.split('.').map(parseCount);
    const [a = null, b = null, c = null, d = null] = sizes;
    if (sizes.length !== 4 || a === null || b === null || c === null || d === null) return null;
    const data = valuesOf(a * b * c * d);
    return data && painted([a, b, c, d], data);
  },
  fault({ shape }, y) {
    if (shape.every((size, i) => size === y[i])) return null;
    const [of, to] = [shape.join('.'), y.join('.')];
    return { wrong: `dy is ${of}, but y is ${to}`, right: `values for the cells of y, with the shape ${to}` };
  },
  resize: ({ shape, data }, move) => painted(move.to, move.data(data, shape)),
  arrays: ({ data }) => [data],
};

/** The gradient of a loss between y and a target of y's length (null: 0 everywhere). */
interface Loss<Name extends LossKind> {
  readonly kind: Name;
  readonly target: Float32Array | null;
}

function loss<Name extends LossKind>(kind: Name): DyEntry<Loss<Name>> {
  const toward = (target: Float32Array | null): Loss<Name> => ({ kind, target });
  return {
    kind,
    make: () => toward(null),
    write: ({ target }) => (target === null ? { argument: '0' } : { values: target }),
    read({ argument, hasValues, values, shape }) {
      if (!hasValues) return argument === '0' ? toward(null) : null;
      const target = values(shapeSize(shape));
      return target && toward(target);
    },
    bare: () => toward(null),
    fault({ target }, y) {
      const cells = shapeSize(y);
      if (!target || target.length === cells) return null;
      return {
        wrong: `the target has ${target.length} values, but y has ${cells}`,
        right: `${kind} and a target of ${cells} values, one for each cell of y`,
      };
    },
    resize: ({ target }, { whole }) => toward(target && whole(target)),
    arrays: ({ target }) => (target ? [target] : []),
    send: ({ target }) => ({ kind, target }),
    loss: { name: kind, target: ({ target }) => target, toward },
  };
}

/** All sources of dy, in the order of the menus. */
const LIST = [ones, random, oneHot, pointed, values, ...LOSS_KINDS.map((kind) => loss(kind))] as const;

type SourceOf<Entry> = Entry extends DyEntry<infer Source> ? Source : never;

/** Source of the upstream gradient. Its shape follows from the geometry. */
export type DySource = SourceOf<(typeof LIST)[number]>;

// The methods of an entry get only sources of its own kind.
export const DY_SOURCES: readonly DyEntry<DySource>[] = LIST;

export function dyEntry(source: DySource): DyEntry<DySource> {
  const entry = DY_SOURCES.find(({ kind }) => kind === source.kind);
  if (!entry) throw new Error(`unknown source of dy: ${source.kind}`);
  return entry;
}
