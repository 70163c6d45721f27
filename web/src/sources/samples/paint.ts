/** Red, green and blue, 0..1 each (values outside are clamped). */
export type Rgb = readonly [number, number, number];

/**
 * An image as a function of the position, for any size: first of the column u, so that work for a column is shared,
 * then of the row v. u is 0 at the left and 1 at the right of the largest centered square, v is 0 at its top and 1 at
 * its bottom. Wide images exceed 0..1 in u, tall images in v.
 */
export type Painter = (u: number) => (v: number) => Rgb;

/** Color arithmetic. */

export const mix = (a: Rgb, b: Rgb, t: number): Rgb => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

export const shade = (a: Rgb, factor: number): Rgb => [a[0] * factor, a[1] * factor, a[2] * factor];

/** Ten times as fast as Math.hypot, which guards against overflow. */
export const length = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** 0 below `from`, 1 above `to`, smooth in between; `from` may be larger than `to`. */
export function ramp(from: number, to: number, value: number): number {
  const t = Math.min(Math.max((value - from) / (to - from), 0), 1);
  return t * t * (3 - 2 * t);
}

/** Random numbers 0..1 on a SIDE x SIDE torus: a look-up is several times faster than a hash. */
const SIDE = 64;
const LATTICE = Float32Array.from({ length: SIDE * SIDE }, (_, i) => {
  let h = Math.imul(i + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
});

/** Smooth value noise 0..1 with about `cells` grains across the image. */
export function grain(u: number, v: number, cells: number): number {
  const x = u * cells;
  const y = v * cells;
  const i = Math.floor(x);
  const j = Math.floor(y);
  const s = x - i;
  const t = y - j;
  const smooth = s * s * (3 - 2 * s);
  const top = (j & (SIDE - 1)) * SIDE;
  const bottom = ((j + 1) & (SIDE - 1)) * SIDE;
  const left = i & (SIDE - 1);
  const right = (i + 1) & (SIDE - 1);
  const above = at(top + left) + (at(top + right) - at(top + left)) * smooth;
  const below = at(bottom + left) + (at(bottom + right) - at(bottom + left)) * smooth;
  return above + (below - above) * (t * t * (3 - 2 * t));
}

const at = (index: number): number => LATTICE[index] ?? 0;
