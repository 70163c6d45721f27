import type { Layout, Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import { numberText, parseCount } from './exact-text';

/** A source in a link: kind, then ":" and the argument, then "~" and the values. */
export interface DyReading {
  readonly argument: string | undefined;
  /** Exactly `count` values, or null. */
  values(count: number): Float32Array | null;
  readonly hasValues: boolean;
  /** Of y. */
  readonly shape: Shape;
  readonly layout: Layout;
}

/** Everything about one source of a dy that is given. A member `index` is a cell of y, `data` the values of an array of `shape`. */
interface DyEntry<Source extends { readonly kind: string }> {
  /** Also its name in a link. */
  readonly kind: Source['kind'];
  /** A new source, from the shape of y and the current dy (null: not computed yet). */
  make(current: { readonly shape: Shape; readonly dy: Float32Array | null }): Source;
  /** Its argument in a link. */
  write?(source: Source): string;
  read(text: DyReading): Source | null;
  /** For "Shuffle": the next source of this kind. */
  another?(source: Source): Source;
}

const ONES = { kind: 'ones' } as const;
const ones: DyEntry<typeof ONES> = { kind: 'ones', make: () => ONES, read: () => ONES };

/** The link form of a source with one count. */
const counted = <Kind extends string, Name extends string>(kind: Kind, name: Name) => ({
  kind,
  write: (source: Readonly<Record<Name, number>>) => numberText(source[name]),
  read({ argument }: DyReading) {
    const count = parseCount(argument);
    return count === null
      ? null
      : ({ kind, [name]: count } as { readonly kind: Kind } & Readonly<Record<Name, number>>);
  },
});

/** Whole numbers from -4 to 4, for mental arithmetic; determined by the seed. */
const random: DyEntry<{ readonly kind: 'random'; readonly seed: number }> = {
  ...counted('random', 'seed'),
  make: () => ({ kind: 'random', seed: 1 }),
  another: ({ seed }) => ({ kind: 'random', seed: seed + 1 }),
};

/** 1 at the flat index into y, 0 elsewhere. */
interface Single<Kind extends string> {
  readonly kind: Kind;
  readonly index: number;
}

const single = <Kind extends 'one_hot' | 'pointed'>(kind: Kind): DyEntry<Single<Kind>> => ({
  ...counted(kind, 'index'),
  make: ({ shape }) => ({ kind, index: Math.floor(shapeSize(shape) / 2) }),
});

/** Values set by the user, for an output of `shape` (layout order). */
interface Painted {
  readonly kind: 'values';
  readonly shape: Shape;
  readonly data: Float32Array;
}

const values: DyEntry<Painted> = {
  kind: 'values',
  make: ({ shape, dy }) => ({ kind: 'values', shape, data: dy?.slice() ?? new Float32Array(shapeSize(shape)) }),
  write: ({ shape }) => shape.join('.'),
  read({ shape, argument = shape.join('.'), values: valuesOf }) {
    const sizes = argument.split('.').map(parseCount);
    const [a = null, b = null, c = null, d = null] = sizes;
    if (sizes.length !== 4 || a === null || b === null || c === null || d === null) return null;
    const data = valuesOf(a * b * c * d);
    return data && { kind: 'values', shape: [a, b, c, d], data };
  },
};

/** In the order of the menus. The index of `pointed` follows the pointer over y and dy (app/deferred/deferred-parts.ts). */
const LIST = [ones, random, single('one_hot'), single('pointed'), values] as const;

type SourceOf<Entry> = Entry extends DyEntry<infer Source> ? Source : never;

/** Source of a dy that is given. Its shape follows from the geometry. */
export type GivenDy = SourceOf<(typeof LIST)[number]>;

// The methods of an entry get only sources of its own kind.
export const GIVEN_DYS: readonly DyEntry<GivenDy>[] = LIST;
