import { numberText, parseExact } from './exact-text';
import { cellsOf, type Logical, type ValueAt } from './logical';

/** Generated values of x, w and b. Each is a pure function of the cell's logical position. */

/** Inputs with these sources; dy has sources of other kinds. */
export type GeneratedInput = 'x' | 'w' | 'b';

/** Everything about one source of x, w or b. */
export interface TensorEntry<Source extends { readonly kind: string }> {
  readonly kind: Source['kind'];
  /** Inputs that can have it. */
  readonly inputs: readonly GeneratedInput[];
  /** Menu items; empty if the source is chosen elsewhere. */
  readonly menu: readonly MenuItem<Source>[];
  title(source: Source): string;
  /** For "Shuffle": the next source of this kind. */
  another?(source: Source): Source;
  /** Names in a link. A source is written as one of them, then ":" and an argument. */
  readonly words: readonly string[];
  write(source: Source): readonly [word: string, argument?: string];
  read(word: string, argument: string | undefined): Source | null;
  /** The values cannot be generated again: they stay when sizes change, and `values` fills new cells. */
  readonly persisted?: true;
  /** The value of each position, or all values in NHWC order (weights: tap row, tap column, channel, filter). */
  values(source: Source, to: Logical): ValueAt | Float32Array;
}

interface MenuItem<Source> {
  readonly label: string;
  is(source: Source): boolean;
  make(cells: number): Source;
}

const EVERYWHERE = ['x', 'w', 'b'] as const;

const item = <Source>(label: string, make: MenuItem<Source>['make']): readonly MenuItem<Source>[] => [
  { label, make, is: () => true },
];

/**
 * from, from ± 1, ... in the order n, row, col, channel (weights: tap row, tap col, channel, filter). `first`: the start in
 * the menu. `implied`: the start that a link omits.
 */
function counting<Kind extends 'ramp' | 'countdown'>(
  kind: Kind,
  step: 1 | -1,
  [label, title]: readonly [string, string],
  first: (cells: number) => number,
  implied: number | null,
): TensorEntry<{ readonly kind: Kind; readonly from: number }> {
  return {
    kind,
    inputs: EVERYWHERE,
    menu: item(label, (cells) => ({ kind, from: first(cells) })),
    title: () => title,
    words: [kind],
    write: ({ from }) => (Object.is(from, implied) ? [kind] : [kind, numberText(from)]),
    read(_word, argument) {
      const from = argument === undefined ? implied : parseExact(argument);
      return from === null ? null : { kind, from };
    },
    values({ from }, { sizes }) {
      const data = new Float32Array(cellsOf(sizes));
      for (let ordinal = 0; ordinal < data.length; ordinal += 1) data[ordinal] = from + step * ordinal;
      return data;
    },
  };
}

export const ramp = counting('ramp', 1, ['0, 1, 2, …', 'counting up'], () => 0, 0);
export const countdown = counting('countdown', -1, ['…, 3, 2, 1', 'counting down'], (cells) => cells, null);

export const constant: TensorEntry<{ readonly kind: 'constant'; readonly value: number }> = {
  kind: 'constant',
  inputs: EVERYWHERE,
  menu: [{ label: 'ones', make: () => ({ kind: 'constant', value: 1 }), is: ({ value }) => value === 1 }],
  title: () => 'constant',
  words: ['constant', 'ones'],
  write: ({ value }) => (value === 1 ? ['ones'] : ['constant', numberText(value)]),
  read(word, argument) {
    if (word === 'ones') return argument === undefined ? { kind: 'constant', value: 1 } : null;
    const value = parseExact(argument);
    return value === null ? null : { kind: 'constant', value };
  },
  values: ({ value }, { sizes }) => new Float32Array(cellsOf(sizes)).fill(value),
};

const SMALLEST = -3;
const LARGEST = 3;

/** Whole numbers, for mental arithmetic. A cell keeps its value when sizes change. */
export const random: TensorEntry<{ readonly kind: 'random'; readonly seed: number }> = {
  kind: 'random',
  inputs: EVERYWHERE,
  menu: item('random', () => ({ kind: 'random', seed: 1 })),
  title: () => 'random',
  another: ({ seed }) => ({ kind: 'random', seed: seed + 1 }),
  words: ['random'],
  write: ({ seed }) => ['random', numberText(seed)],
  read(_word, argument) {
    const seed = parseExact(argument);
    return seed === null || !Number.isSafeInteger(seed) ? null : { kind: 'random', seed };
  },
  // A 32-bit hash of the seed and the position. One loop, for speed: up to 16 million cells in one task.
  values({ seed }, { sizes }) {
    const data = new Float32Array(cellsOf(sizes));
    const [ni, nj, nk, nl] = sizes;
    let ordinal = 0;
    for (let i = 0; i < ni; i += 1) {
      for (let j = 0; j < nj; j += 1) {
        const row = mixed(mixed(seed | 0, i), j);
        for (let k = 0; k < nk; k += 1) {
          const place = mixed(row, k);
          for (let l = 0; l < nl; l += 1) {
            data[ordinal] = SMALLEST + ((mixed(place, l) >>> 0) % (LARGEST - SMALLEST + 1));
            ordinal += 1;
          }
        }
      }
    }
    return data;
  },
};

/** The finalizer of MurmurHash3. */
function mixed(before: number, part: number): number {
  let h = Math.imul(before ^ part, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** 1 in some cells of every channel, 0 elsewhere; relative to the middle of the rows and columns. */
const ones = <Kind extends 'impulse' | 'corner'>(
  kind: Kind,
  inputs: readonly GeneratedInput[],
  label: string,
  isOne: (rowsBelow: number, colsRight: number) => boolean,
): TensorEntry<{ readonly kind: Kind }> => ({
  kind,
  inputs,
  menu: item(label, () => ({ kind })),
  title: () => label,
  words: [kind],
  write: () => [kind],
  read: (_word, argument) => (argument === undefined ? { kind } : null),
  values(_source, { sizes: [, rows, cols] }) {
    const [row, col] = [Math.floor(rows / 2), Math.floor(cols / 2)];
    return (_i, j, k) => (isOne(j - row, k - col) ? 1 : 0);
  },
});

/** A single 1 in the middle. */
export const impulse = ones('impulse', EVERYWHERE, 'a single 1', (below, right) => below === 0 && right === 0);
/** 1 in the lower right quarter. */
export const corner = ones('corner', ['x'], 'a bright corner', (below, right) => below >= 0 && right >= 0);

export const FILTER_NAMES = ['identity', 'sobel_x', 'sobel_y', 'blur', 'sharpen', 'emboss', 'outline'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

interface Kernel {
  readonly label: string;
  /** Row by row. The sum is 0 (shows change) or 1 (keeps brightness). */
  readonly taps: readonly number[];
}

/** Image kernels of 3 x 3. */
const KERNELS: Readonly<Record<FilterName, Kernel>> = {
  identity: { label: 'identity', taps: [0, 0, 0, 0, 1, 0, 0, 0, 0] },
  sobel_x: { label: 'Sobel, left to right', taps: [-1, 0, 1, -2, 0, 2, -1, 0, 1] },
  sobel_y: { label: 'Sobel, top to bottom', taps: [-1, -2, -1, 0, 0, 0, 1, 2, 1] },
  // Binomial; multiples of 1/16 are exact in float32.
  blur: { label: 'blur', taps: [1, 2, 1, 2, 4, 2, 1, 2, 1].map((tap) => tap / 16) },
  sharpen: { label: 'sharpen', taps: [0, -1, 0, -1, 5, -1, 0, -1, 0] },
  emboss: { label: 'emboss', taps: [-2, -1, 0, -1, 1, 1, 0, 1, 2] },
  outline: { label: 'outline', taps: [-1, -1, -1, -1, 8, -1, -1, -1, -1] },
};

export const KERNEL_SIZE = 3;

/** An image kernel in the middle of every filter; filter k reads channel k modulo the channels. */
export const filter: TensorEntry<{ readonly kind: 'filter'; readonly name: FilterName }> = {
  kind: 'filter',
  inputs: ['w'],
  menu: FILTER_NAMES.map((name) => ({
    label: KERNELS[name].label,
    make: () => ({ kind: 'filter', name }),
    is: (source) => source.name === name,
  })),
  title: ({ name }) => KERNELS[name].label,
  words: ['filter'],
  write: ({ name }) => ['filter', name],
  read(_word, argument) {
    const name = FILTER_NAMES.find((candidate) => candidate === argument);
    return name === undefined ? null : { kind: 'filter', name };
  },
  values({ name }, { sizes: [kh, kw, channels] }) {
    const [top, left] = [Math.floor((kh - KERNEL_SIZE) / 2), Math.floor((kw - KERNEL_SIZE) / 2)];
    const isInside = (at: number) => at >= 0 && at < KERNEL_SIZE;
    return (p, q, channel, filterIndex) => {
      const [row, col] = [p - top, q - left];
      const isRead = channel === filterIndex % channels && isInside(row) && isInside(col);
      return isRead ? (KERNELS[name].taps[row * KERNEL_SIZE + col] ?? 0) : 0;
    };
  },
};
