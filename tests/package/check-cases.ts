// Layers with their results from the definition.

import type { CheckedArray } from '../../web/package/index';
import type { NamedValues } from '../../web/src/formats/npy';
import { backward, forward, type Problem } from './loops';

/** Arrays by name. */
export type Case = Readonly<Record<string, CheckedArray>>;

export type Layer = Readonly<Record<'x' | 'w' | 'b' | 'y' | 'dy' | 'dx' | 'dw' | 'db', CheckedArray>> & {
  readonly [problem]: Problem;
};
/** Not an array of the file. */
const problem = Symbol('problem');

type Sizes = Omit<Problem, 'dilation' | 'groups' | 'oh' | 'ow'>;

/** Whole numbers without a pattern, times `scale`. */
function values(length: number, seed: number, scale: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return ((state >>> 24) % 19) * scale - 9 * scale;
  });
}

/** Padding is `top` above and below, and `left` on the left only. */
export function convolution(sizes: Sizes, seed: number, scale = 1): Layer {
  const { n, c, h, w, k, kh, kw, stride, top, left } = sizes;
  const oh = Math.floor((h + 2 * top - kh) / stride[0]) + 1;
  const ow = Math.floor((w + left - kw) / stride[1]) + 1;
  const p: Problem = { ...sizes, dilation: [1, 1], groups: 1, oh, ow };
  const drawn = (shape: readonly number[], of: number): CheckedArray => ({
    shape,
    data: values(
      shape.reduce((a, b) => a * b),
      100 * seed + of,
      scale,
    ),
  });
  const x = drawn([n, c, h, w], 1);
  const weights = drawn([k, c, kh, kw], 2);
  const b = drawn([k], 3);
  const dy = drawn([n, k, oh, ow], 4);
  const computed = (shape: readonly number[], data: readonly number[]): CheckedArray => ({
    shape,
    data: Float32Array.from(data),
  });
  const { dx, dw, db } = backward(p, x.data, weights.data, dy.data);
  return {
    ...{ x, w: weights, b, dy, y: computed(dy.shape, forward(p, x.data, weights.data, b.data)) },
    ...{ dx: computed(x.shape, dx), dw: computed(weights.shape, dw), db: computed(b.shape, db) },
    [problem]: p,
  };
}

/** dw of loops in which the windows are one cell apart. */
export function withStrideForgotten({ [problem]: p, x, w, dy }: Layer): CheckedArray {
  const { dw } = backward({ ...p, stride: [1, 1] }, x.data, w.data, dy.data);
  return { shape: w.shape, data: Float32Array.from(dw) };
}

/** y of loops over the flipped kernel. */
export function trueConvolution({ [problem]: p, x, w, b, y }: Layer): CheckedArray {
  const taps = p.kh * p.kw;
  const flipped = w.data.map((_, i) => w.data[i - (i % taps) + (taps - 1 - (i % taps))] ?? Number.NaN);
  return { shape: y.shape, data: Float32Array.from(forward(p, x.data, flipped, b.data)) };
}

export const named = (arrays: Case): readonly NamedValues[] =>
  Object.entries(arrays).map(([name, { shape, data }]) => ({ name, shape, values: data }));

/** With the name of a layer before each name. */
export const renamed = (layer: string, arrays: Case): Case =>
  Object.fromEntries(Object.entries(arrays).map(([name, array]) => [`${layer}.${name}`, array]));
