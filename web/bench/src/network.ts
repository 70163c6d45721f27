import type { LayerSizes, PlaneSizes } from '../../src/protocol/layers';
import { randomValues, type Shape4, sizeOf } from './problem';

/** A training step of a small network: convolution, ReLU, max pooling, convolution, mean squared error, update. */

export interface Network {
  readonly name: string;
  /** Sizes of x; an even number of rows and columns. */
  readonly input: PlaneSizes;
  /** Filters of the two convolutions, of 3 x 3 with stride 1 and one row and column of padding on each side. */
  readonly filters: readonly [number, number];
  readonly rate: number;
}

export const NETWORK: Network = {
  name: 'N1',
  input: { layout: 'nhwc', n: 8, h: 32, w: 32, c: 16 },
  filters: [32, 32],
  // Thousands of steps with the random values below converge.
  rate: 0.1,
};

export const sizeText = ({ input: { n, h, w, c }, filters: [first, second] }: Network): string =>
  `${n} x ${h} x ${w} x ${c} -> conv 3 x 3, ${first} -> ReLU -> max pooling 2 x 2 -> conv 3 x 3, ${second}`;

export interface NetworkShapes {
  readonly x: Shape4;
  /** The output of the first convolution and of the ReLU. */
  readonly hidden: Shape4;
  readonly pooled: Shape4;
  readonly y: Shape4;
  /** HWIO, of both convolutions. */
  readonly w: readonly [Shape4, Shape4];
}

export function shapesOf({ input: { n, h, w, c }, filters: [first, second] }: Network): NetworkShapes {
  return {
    x: [n, h, w, c],
    hidden: [n, h, w, first],
    pooled: [n, h / 2, w / 2, first],
    y: [n, h / 2, w / 2, second],
    w: [
      [3, 3, c, first],
      [3, 3, first, second],
    ],
  };
}

/** The values that a step starts with. */
export interface NetworkCase {
  readonly network: Network;
  readonly x: Float32Array<ArrayBuffer>;
  readonly target: Float32Array<ArrayBuffer>;
  /** w1, b1, w2, b2. */
  readonly parameters: readonly Float32Array<ArrayBuffer>[];
}

export function networkCase(network: Network): NetworkCase {
  const shapes = shapesOf(network);
  const parameters = shapes.w.flatMap((shape, i) => {
    // The range that keeps the variance from layer to layer (He et al. 2015).
    const range = Math.sqrt(6 / sizeOf(shape.slice(0, 3)));
    const w = randomValues(sizeOf(shape), 10 + i).map((value) => range * value);
    return [w, new Float32Array(shape[3])];
  });
  return { network, x: randomValues(sizeOf(shapes.x), 1), target: randomValues(sizeOf(shapes.y), 2), parameters };
}

/** The loss before a step, and what it subtracts from all parameters, in order. */
export interface NetworkStep {
  readonly loss: number;
  readonly changes: Float32Array;
}

export function changesOf({ parameters }: NetworkCase, after: readonly Float32Array[]): Float32Array {
  return Float32Array.from(
    parameters.flatMap((values, i) => Array.from(values, (value, at) => value - (after[i]?.[at] ?? Number.NaN))),
  );
}

const window = { dilation_h: 1, dilation_w: 1, padding_mode: 'explicit_sides' } as const;
const none = { top: 0, bottom: 0, left: 0, right: 0 };
const step = (size: number) => ({ kh: size, kw: size, stride_h: size, stride_w: size, padding: none });

const convolution = (k: number): LayerSizes => ({
  kind: 'conv',
  window: {
    ...{ ...window, k, kh: 3, kw: 3, stride_h: 1, stride_w: 1, groups: 1 },
    padding: { top: 1, bottom: 1, left: 1, right: 1 },
  },
  options: {},
});

/** The layers as the library takes them. */
export function layersOf({ filters: [first, second] }: Network): readonly LayerSizes[] {
  const planes = { ...window, k: first, groups: first };
  return [
    convolution(first),
    { kind: 'relu', window: { ...planes, ...step(1) }, options: {} },
    { kind: 'max_pool', window: { ...planes, ...step(2) }, options: {} },
    convolution(second),
  ];
}
