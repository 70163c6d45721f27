import { numberText, parseNumber } from './exact-text';
import type { Logical } from './logical';
import type { MenuItem, TensorEntry } from './tensor-entry';

/** Generated values. Each is a pure function of the cell's logical position. */

const EVERYWHERE = ['x', 'w', 'b'] as const;

const cellsOf = ([i, j, k, l]: Logical['sizes']): number => i * j * k * l;

function counted(from: number, step: 1 | -1, { sizes }: Logical): Float32Array {
  const data = new Float32Array(cellsOf(sizes));
  for (let ordinal = 0; ordinal < data.length; ordinal += 1) data[ordinal] = from + step * ordinal;
  return data;
}

/** The menu item of a source without variants. */
const item = <Source>(label: string, make: MenuItem<Source>['make']): readonly MenuItem<Source>[] => [
  { label, make, is: () => true },
];

/** from, from + 1, ... in the order n, row, col, channel (weights: tap row, tap col, channel, filter). */
interface Ramp {
  readonly kind: 'ramp';
  readonly from: number;
}

export const ramp: TensorEntry<Ramp> = {
  kind: 'ramp',
  inputs: EVERYWHERE,
  menu: item('0, 1, 2, …', () => ({ kind: 'ramp', from: 0 })),
  title: () => 'counting up',
  words: ['ramp'],
  write: ({ from }) => (Object.is(from, 0) ? ['ramp'] : ['ramp', numberText(from)]),
  read(_word, argument) {
    const from = argument === undefined ? 0 : parseNumber(argument);
    return from === null ? null : { kind: 'ramp', from };
  },
  values: ({ from }, to) => counted(from, 1, to),
};

/** from, from - 1, ... in the same order. */
interface Countdown {
  readonly kind: 'countdown';
  readonly from: number;
}

export const countdown: TensorEntry<Countdown> = {
  kind: 'countdown',
  inputs: EVERYWHERE,
  menu: item('…, 3, 2, 1', (cells) => ({ kind: 'countdown', from: cells })),
  title: () => 'counting down',
  words: ['countdown'],
  write: ({ from }) => ['countdown', numberText(from)],
  read(_word, argument) {
    const from = parseNumber(argument);
    return from === null ? null : { kind: 'countdown', from };
  },
  values: ({ from }, to) => counted(from, -1, to),
};

interface Constant {
  readonly kind: 'constant';
  readonly value: number;
}

export const constant: TensorEntry<Constant> = {
  kind: 'constant',
  inputs: EVERYWHERE,
  menu: [{ label: 'ones', make: () => ({ kind: 'constant', value: 1 }), is: ({ value }) => value === 1 }],
  title: () => 'constant',
  words: ['constant', 'ones'],
  write: ({ value }) => (value === 1 ? ['ones'] : ['constant', numberText(value)]),
  read(word, argument) {
    if (word === 'ones') return argument === undefined ? { kind: 'constant', value: 1 } : null;
    const value = parseNumber(argument);
    return value === null ? null : { kind: 'constant', value };
  },
  values: ({ value }, { sizes }) => new Float32Array(cellsOf(sizes)).fill(value),
};

/** Whole numbers from -3 to 3, for mental arithmetic. A cell keeps its value when sizes change. */
interface Random {
  readonly kind: 'random';
  readonly seed: number;
}

const SMALLEST = -3;
const LARGEST = 3;

export const random: TensorEntry<Random> = {
  kind: 'random',
  inputs: EVERYWHERE,
  menu: item('random', () => ({ kind: 'random', seed: 1 })),
  title: () => 'random',
  another: ({ seed }) => ({ kind: 'random', seed: seed + 1 }),
  words: ['random'],
  write: ({ seed }) => ['random', numberText(seed)],
  read(_word, argument) {
    const seed = parseNumber(argument);
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

/** 1 in the middle of every channel, 0 elsewhere. */
interface Impulse {
  readonly kind: 'impulse';
}

export const impulse: TensorEntry<Impulse> = {
  kind: 'impulse',
  inputs: EVERYWHERE,
  menu: item('a single 1', () => ({ kind: 'impulse' })),
  title: () => 'a single 1',
  words: ['impulse'],
  write: () => ['impulse'],
  read: (_word, argument) => (argument === undefined ? { kind: 'impulse' } : null),
  values(_source, { sizes: [, rows, cols] }) {
    const [row, col] = [Math.floor(rows / 2), Math.floor(cols / 2)];
    return (_i, j, k) => (j === row && k === col ? 1 : 0);
  },
};

/** 1 in the lower right quarter, 0 elsewhere: a bright corner. */
interface Corner {
  readonly kind: 'corner';
}

export const corner: TensorEntry<Corner> = {
  kind: 'corner',
  inputs: ['x'],
  menu: item('a bright corner', () => ({ kind: 'corner' })),
  title: () => 'a bright corner',
  words: ['corner'],
  write: () => ['corner'],
  read: (_word, argument) => (argument === undefined ? { kind: 'corner' } : null),
  values(_source, { sizes: [, rows, cols] }) {
    const [row, col] = [Math.floor(rows / 2), Math.floor(cols / 2)];
    return (_i, j, k) => (j >= row && k >= col ? 1 : 0);
  },
};
