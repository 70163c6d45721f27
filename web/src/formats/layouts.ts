import type { Geometry, Layout, TensorName } from '../protocol/problem';
import { KIND_OF, type TensorKind } from '../protocol/tensors';
import { countOf } from './format';

/**
 * All layouts that the shape of an imported tensor can have, for the user to choose from. A shape does not determine a
 * layout: [1, 3, 3, 3] is an image in two ways.
 */

/** Sizes that determine the shapes of all tensors. */
export type Sizes = Pick<Geometry, 'layout' | 'n' | 'h' | 'w' | 'c' | 'k' | 'kh' | 'kw' | 'groups' | 'oh' | 'ow'>;

export interface LayoutReading {
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
  weights: ['HWIO', 'OIHW', 'HWO', 'OHW', 'HWI', 'IHW', 'HW', 'OI', 'IO'],
  bias: ['O'],
};

export const orderOf = (target: TensorName, layout: Layout): string => ORDERS[KIND_OF[target]][layout];

/** All readings of a shape as `target`: first those that fit, then those that change sizes. */
export function readingsOf(shape: readonly number[], target: TensorName, sizes: Sizes): readonly LayoutReading[] {
  const kind = KIND_OF[target];
  const wanted = wantedSizes(target, sizes);
  const reading = (axes: string, taken: readonly number[]): LayoutReading => {
    const own = new Map([...axes].map((letter, axis) => [letter, taken[axis] ?? 1]));
    const fits = [...wanted].every(([letter, size]) => (own.get(letter) ?? 1) === size);
    return { axes, shape: taken, fits, changes: changesOf(target, own, sizes) };
  };
  const readings: LayoutReading[] = [];
  /** Adds a possible reading that is not there yet. */
  const add = (one: LayoutReading) => {
    const isNew = readings.every((other) => arrangement(other) !== arrangement(one));
    if (isNew && (one.fits || one.changes)) readings.push(one);
  };
  for (const axes of [ORDERS[kind][sizes.layout], ...CANDIDATES[kind]]) {
    if (axes.length === shape.length) add(reading(axes, shape));
  }
  // [1, 1, 1, k], [1, k, 1, 1] and a single number are read as k values.
  const isVector = shape.filter((size) => size !== 1).length <= 1;
  if (kind === 'bias' && shape.length !== 1 && isVector) add(reading('O', [countOf(shape)]));
  // TensorFlow's depthwise weights: HWCM, with C times M filters.
  const [kh = 0, kw = 0, channels = 0, multiplier = 0] = shape;
  const isDepthwise = sizes.c > 1 && sizes.c === sizes.groups && channels === sizes.c;
  if (kind === 'weights' && shape.length === 4 && isDepthwise) add(reading('HWIO', [kh, kw, 1, channels * multiplier]));
  // A list or a table with the right number of values: its own shape is ignored.
  if (!readings.some(({ fits }) => fits) && countOf(shape) === countOf([...wanted.values()])) {
    for (const layout of [sizes.layout, sizes.layout === 'nhwc' ? 'nchw' : 'nhwc'] as const) {
      const order = ORDERS[kind][layout];
      const taken = [...order].map((letter) => wanted.get(letter) ?? 1);
      add(reading(order, taken));
    }
  }
  return [...readings.filter(({ fits }) => fits), ...readings.filter(({ fits }) => !fits)];
}

/** Key of a reading: size and stride of each axis with more than one cell. */
function arrangement({ axes, shape }: LayoutReading): string {
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
  const letters: Readonly<Record<string, number>> = {
    pixels: target === 'x' || target === 'dx' ? { N: n, H: h, W: w, C: c } : { N: n, H: oh, W: ow, C: k },
    weights: { H: kh, W: kw, I: c / groups, O: k },
    bias: { O: k },
  }[KIND_OF[target]];
  return new Map(Object.entries(letters));
}

function changesOf(target: TensorName, own: ReadonlyMap<string, number>, { groups }: Sizes): LayoutReading['changes'] {
  const size = (letter: string) => own.get(letter) ?? 1;
  if (target === 'x') return { n: size('N'), h: size('H'), w: size('W'), c: size('C') };
  if (target === 'w') return { kh: size('H'), kw: size('W'), c: size('I') * groups, k: size('O') };
  return target === 'b' ? { k: size('O') } : null;
}

/** The values in the memory order of the problem's tensor (`orderOf`). */
export function arrange(
  values: Float32Array,
  { axes, shape }: Pick<LayoutReading, 'axes' | 'shape'>,
  order: string,
): Float32Array {
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

const NAMES: readonly (readonly [RegExp, TensorName])[] = [
  [/^(x|w|b|y|dy|dx|dw|db)$/, 'x'],
  [/(?:^|[._])(?:weight|weights|kernel)$/, 'w'],
  [/(?:^|[._])bias$/, 'b'],
  [/^(?:input|image|images)$/, 'x'],
  [/^(?:output|out)$/, 'y'],
];

/** The tensor of a common name such as "conv1.weight", or null. */
export function targetOf(name: string): TensorName | null {
  const lower = name.toLowerCase();
  for (const [pattern, target] of NAMES) {
    const match = pattern.exec(lower);
    if (match) return (match[1] as TensorName | undefined) ?? target;
  }
  return null;
}
