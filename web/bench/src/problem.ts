import namedShapes from '../../../tests/problems/named_shapes.json';
import type { ConvDesc, Geometry, Pass } from '../../src/protocol/problem';

/** A shape of tests/problems/named_shapes.json. */
export interface NamedShape {
  readonly name: string;
  readonly note: string;
  readonly desc: ConvDesc;
}

const defaults = {
  layout: 'nhwc',
  stride_h: 1,
  stride_w: 1,
  dilation_h: 1,
  dilation_w: 1,
  groups: 1,
  padding_mode: 'explicit_sides',
  padding: { top: 0, bottom: 0, left: 0, right: 0 },
} as const;

export const NAMED_SHAPES: readonly NamedShape[] = namedShapes.map(({ name, note, desc }) => ({
  name,
  note,
  desc: { ...defaults, ...desc },
}));

/** One race: a pass of a shape with its data. Tensors are NHWC and HWIO; y and dy have the same shape. */
export interface Case {
  readonly name: string;
  readonly pass: Pass;
  readonly desc: ConvDesc;
  readonly geometry: Geometry;
  readonly x: Float32Array<ArrayBuffer>;
  readonly w: Float32Array<ArrayBuffer>;
  readonly b: Float32Array<ArrayBuffer>;
  readonly dy: Float32Array<ArrayBuffer>;
}

/** Values in [-1, 1), the same for all parties and runs (mulberry32). */
export function randomValues(length: number, seed: number): Float32Array<ArrayBuffer> {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  });
}

export type Shape4 = readonly [number, number, number, number];

export const xShape = (g: Geometry): Shape4 => [g.n, g.h, g.w, g.c];
export const wShape = (g: Geometry): Shape4 => [g.kh, g.kw, g.group_c, g.k];
export const yShape = (g: Geometry): Shape4 => [g.n, g.oh, g.ow, g.k];

export const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

export type InputName = 'x' | 'dy';

/** Inputs that each call uploads; weights are uploaded once. */
export const INPUTS = {
  forward: ['x'],
  backward_data: ['dy'],
  backward_weights: ['x', 'dy'],
  backward_bias: ['dy'],
} as const satisfies Record<Pass, readonly InputName[]>;

export const inputShapes = (g: Geometry): Readonly<Record<InputName, Shape4>> => ({ x: xShape(g), dy: yShape(g) });

/** Shape of the pass's result; db is [1, 1, 1, k]. */
export function outputShape({ geometry: g, pass }: Case): Shape4 {
  if (pass === 'forward') return yShape(g);
  if (pass === 'backward_data') return xShape(g);
  return pass === 'backward_weights' ? wShape(g) : [1, 1, 1, g.k];
}

export function makeCase({ name, desc }: NamedShape, pass: Pass, geometry: Geometry): Case {
  return {
    name,
    pass,
    desc,
    geometry,
    x: randomValues(sizeOf(xShape(geometry)), 1),
    w: randomValues(sizeOf(wShape(geometry)), 2),
    b: randomValues(geometry.k, 3),
    dy: randomValues(sizeOf(yShape(geometry)), 4),
  };
}

/** Flops of the direct convolution with its padding taps. An algorithm that skips work can exceed the ceiling. */
export function flopsOf({ geometry: g, pass }: Case): number {
  const outputs = g.n * g.oh * g.ow * g.k;
  return pass === 'backward_bias' ? outputs : 2 * outputs * g.kh * g.kw * g.group_c;
}

/** |x| + |w| + |y| in floats: the unit of workspace sizes. */
export const tensorFloats = (g: Geometry): number => sizeOf(xShape(g)) + sizeOf(wShape(g)) + sizeOf(yShape(g));
