import { type Geometry, KIND_OF, type Layout, type TensorKind, type TensorName } from '../protocol/problem';
import { countOf } from './format';

/**
 * All layouts that the shape of an imported tensor can have, for the user to choose from. A shape does not determine a
 * layout: [1, 3, 3, 3] is an image in two ways.
 */

/** Sizes that determine the shapes of all tensors. */
export type Sizes = Pick<Geometry, 'layout' | 'n' | 'h' | 'w' | 'c' | 'k' | 'kh' | 'kw' | 'groups' | 'oh' | 'ow'>;

export interface LayoutReading {
  /** Identifies it among the readings of a tensor: its axes, "HWCM", or "NHWC, reshaped". */
  readonly name: string;
  /** The axes of the array are ignored. */
  readonly isReshaped: boolean;
  /** A letter for each axis of `shape`: "NHWC", "CHW", "OIHW". */
  readonly axes: string;
  /** The shape for these axes: that of the tensor, or another one with as many cells. */
  readonly shape: readonly number[];
  /** True if the tensor of the problem has this shape. */
  readonly fits: boolean;
  /** The new sizes of the problem; null if they follow from others and cannot change. */
  readonly changes: Readonly<Partial<Record<'n' | 'h' | 'w' | 'c' | 'k' | 'kh' | 'kw', number>>> | null;
}

/** Axes in memory, slowest first. */
const ORDERS: Readonly<Record<TensorKind, Readonly<Record<Layout, string>>>> = {
  pixels: { nhwc: 'NHWC', nchw: 'NCHW' },
  weights: { nhwc: 'HWIO', nchw: 'OIHW' },
  bias: { nhwc: 'O', nchw: 'O' },
};

/** Axes by rank; a missing axis has size 1. */
const CANDIDATES: Readonly<Record<TensorKind, readonly string[]>> = {
  pixels: ['NHWC', 'NCHW', 'HWC', 'CHW', 'NHW', 'HW'],
  weights: ['HWIO', 'OIHW', 'OHWI', 'HWO', 'OHW', 'HWI', 'IHW', 'HW', 'OI', 'IO'],
  bias: ['O'],
};

export const orderOf = (target: TensorName, layout: Layout): string => ORDERS[KIND_OF[target]][layout];

/** The axis orders that a tensor can have. */
export const axisOrdersOf = (target: TensorName): readonly string[] => CANDIDATES[KIND_OF[target]];

/** The size of an axis; 1 if the shape does not have it. */
const sizeIn = (axes: string, shape: readonly number[], letter: string): number => shape[axes.indexOf(letter)] ?? 1;

/**
 * All readings of a shape as `target`: first those that fit, then those that change sizes. With three or four axes, a
 * reading that ignores them is last.
 */
export function readingsOf(shape: readonly number[], target: TensorName, sizes: Sizes): readonly LayoutReading[] {
  const kind = KIND_OF[target];
  const wanted = wantedSizes(target, sizes);
  const readings: LayoutReading[] = [];
  /** Adds a possible reading that is not there yet. */
  const add = (axes: string, taken: readonly number[], name = axes, isReshaped = false) => {
    const sizeOf = (letter: string) => sizeIn(axes, taken, letter);
    const fits = [...wanted].every(([letter, size]) => sizeOf(letter) === size);
    const one = { name, isReshaped, axes, shape: taken, fits, changes: changesOf(target, sizeOf, sizes) };
    if ((fits || one.changes) && !readings.some((other) => isAlike(other, one))) readings.push(one);
  };
  const inMemory = ORDERS[kind][sizes.layout];
  for (const axes of [inMemory, ...axisOrdersOf(target)]) {
    if (axes.length === shape.length) add(axes, shape);
  }
  // [1, 1, 1, k], [1, k, 1, 1] and a single number are read as k values.
  const isVector = shape.filter((size) => size !== 1).length <= 1;
  if (kind === 'bias' && shape.length !== 1 && isVector) add('O', [countOf(shape)]);
  // TensorFlow's depthwise weights: HWCM, with C times M filters.
  const [kh = 0, kw = 0, channels = 0, multiplier = 0] = shape;
  if (kind === 'weights' && shape.length === 4 && sizes.c > 1 && channels === sizes.c) {
    add('HWIO', [kh, kw, 1, channels * multiplier], 'HWCM');
  }
  // A list or a table with the right number of values: its own shape is ignored.
  const own = readings.length;
  if (!readings.some(({ fits }) => fits) && countOf(shape) === countOf([...wanted.values()])) {
    for (const layout of [sizes.layout, sizes.layout === 'nhwc' ? 'nchw' : 'nhwc'] as const) {
      const order = ORDERS[kind][layout];
      const taken = [...order].map((letter) => wanted.get(letter) ?? 1);
      add(order, taken, `${order}, reshaped`, true);
    }
  }
  if (shape.length > 2 && readings.length > own) return readings;
  return [...readings.filter(({ fits }) => fits), ...readings.filter(({ fits }) => !fits)];
}

type Order = Pick<LayoutReading, 'axes' | 'shape'>;

/** True if two readings give every cell the same value. */
export const isAlike = (a: Order, b: Order): boolean => arrangement(a) === arrangement(b);

/** Key of a reading: size and stride of each axis with more than one cell. */
function arrangement({ axes, shape }: Order): string {
  const strides = stridesOf(axes, shape);
  return [...strides]
    .filter(([, { size }]) => size !== 1)
    .map(([letter, { size, stride }]) => `${letter}${size}:${stride}`)
    .sort()
    .join();
}

function stridesOf(axes: string, shape: readonly number[]) {
  return new Map(
    [...axes].map((letter, axis) => [letter, { size: shape[axis] ?? 1, stride: countOf(shape.slice(axis + 1)) }]),
  );
}

function wantedSizes(target: TensorName, sizes: Sizes): ReadonlyMap<string, number> {
  const { n, h, w, c, k, kh, kw, groups, oh, ow } = sizes;
  const letters = {
    pixels: target === 'x' || target === 'dx' ? { N: n, H: h, W: w, C: c } : { N: n, H: oh, W: ow, C: k },
    weights: { H: kh, W: kw, I: c / groups, O: k },
    bias: { O: k },
  };
  return new Map(Object.entries(letters[KIND_OF[target]]));
}

function changesOf(target: TensorName, size: (letter: string) => number, { groups }: Sizes): LayoutReading['changes'] {
  if (target === 'x') return { n: size('N'), h: size('H'), w: size('W'), c: size('C') };
  if (target === 'w') return { kh: size('H'), kw: size('W'), c: size('I') * groups, k: size('O') };
  return target === 'b' ? { k: size('O') } : null;
}

/** The values in the memory order of the problem's tensor (`orderOf`). */
export function arrange(values: Float32Array, { axes, shape }: Order, order: string): Float32Array {
  const strides = stridesOf(axes, shape);
  const [a, b, c, d] = [...order.padStart(4, '-')].map((letter) => strides.get(letter) ?? { size: 1, stride: 0 });
  const out = new Float32Array(values.length);
  let at = 0;
  for (let i = 0; i < (a?.size ?? 1); i += 1) {
    for (let j = 0; j < (b?.size ?? 1); j += 1) {
      for (let k = 0; k < (c?.size ?? 1); k += 1) {
        const base = i * (a?.stride ?? 0) + j * (b?.stride ?? 0) + k * (c?.stride ?? 0);
        for (let l = 0; l < (d?.size ?? 1); l += 1) {
          out[at] = values[base + l * (d?.stride ?? 0)] ?? 0;
          at += 1;
        }
      }
    }
  }
  return out;
}
