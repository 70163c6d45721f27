import type { Shape4 } from './problem';

type Order = readonly [number, number, number, number];

/** The shape of the result of `permute`. */
export const permuted = (shape: Shape4, [a, b, c, d]: Order): Shape4 => [
  shape[a] ?? 1,
  shape[b] ?? 1,
  shape[c] ?? 1,
  shape[d] ?? 1,
];

/** Axis i of the result is axis order[i] of `data`. */
export function permute(data: Float32Array, shape: Shape4, order: Order): Float32Array<ArrayBuffer> {
  const strides = [shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1];
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = order.map((axis) => strides[axis] ?? 0);
  const [n0, n1, n2, n3] = permuted(shape, order);
  const out = new Float32Array(data.length);
  let at = 0;
  for (let a = 0; a < n0; a += 1)
    for (let b = 0; b < n1; b += 1)
      for (let c = 0; c < n2; c += 1)
        for (let d = 0; d < n3; d += 1) {
          out[at] = data[a * s0 + b * s1 + c * s2 + d * s3] ?? 0;
          at += 1;
        }
  return out;
}

/** HWIO weights, flipped by 180 degrees in the plane. */
export function flipWeights(w: Float32Array, [kh, kw, i, k]: Shape4): Float32Array<ArrayBuffer> {
  const taps = kh * kw;
  const out = new Float32Array(w.length);
  for (let tap = 0; tap < taps; tap += 1) out.set(w.subarray(tap * i * k, (tap + 1) * i * k), (taps - 1 - tap) * i * k);
  return out;
}

export const middleOf = (shape: readonly number[]): number[] => shape.map((size) => Math.floor(size / 2));

/** Flat index of the element at `middleOf(shape)`. */
export function middleIndex(shape: readonly number[]): number {
  return middleOf(shape).reduce((index, at, axis) => index * (shape[axis] ?? 1) + at, 0);
}
