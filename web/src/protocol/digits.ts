import type { LayerSizes, PlaneSizes, WindowSizes } from './layers';
import { NO_PADDING } from './problem';

/**
 * Training of a network on images of digits: 8 x 8 pixels from 0 to 1, with a class from 0 to 9. Every fifth image is held out: no step
 * uses it. An image is named by its number in the file, from 0.
 */
export const DIGITS = {
  side: 8,
  classes: 10,
  /** Images of a mini-batch, and mini-batches of an epoch. */
  batch: 32,
  batches: 44,
  rate: 0.05,
  momentum: 0.9,
} as const;

/** Ten epochs. */
export const DIGIT_STEPS = 10 * DIGITS.batches;

const window = (k: number, size: number): WindowSizes => ({
  ...{ k, kh: size, kw: size, groups: 1, stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1 },
  ...{ padding_mode: 'explicit_sides', padding: NO_PADDING },
});
const conv = (k: number, size: number): LayerSizes => ({ kind: 'conv', options: {}, window: window(k, size) });
const same = (k: number): LayerSizes => ({
  ...conv(k, 3),
  window: { ...window(k, 3), padding: { top: 1, bottom: 1, left: 1, right: 1 } },
});
const FILTERS = 8;
const relu: LayerSizes = { kind: 'relu', options: {}, window: { ...window(FILTERS, 1), groups: FILTERS } };
const pool: LayerSizes = {
  kind: 'max_pool',
  options: {},
  window: { ...window(FILTERS, 2), groups: FILTERS, stride_h: 2, stride_w: 2 },
};

/** The last layer is dense: a convolution with the size of its input. */
export const DIGIT_LAYERS: readonly LayerSizes[] = [
  same(FILTERS),
  relu,
  pool,
  same(FILTERS),
  relu,
  conv(DIGITS.classes, DIGITS.side / 2),
];

export const digitInput = (n: number): PlaneSizes => ({ layout: 'nhwc', n, h: DIGITS.side, w: DIGITS.side, c: 1 });

/** The same settings give bitwise the same result. Consecutive steps are fast, because the worker continues from its current state. */
export interface DigitsAsk {
  /** Of one mini-batch each. */
  readonly steps: number;
  /** The initial weights are multiplied by it. */
  readonly scale: number;
  /** The image to classify; null: the first one of the batch. */
  readonly image: number | null;
  /** Another image to classify, row-major; null: none. */
  readonly drawn: readonly number[] | null;
}

export interface DigitImage {
  readonly number: number;
  /** Row-major. */
  readonly pixels: Float32Array;
  readonly label: number;
}

export interface Trained {
  /** Fewer than requested if the next step overflows float32. */
  readonly steps: number;
  /** Of the next mini-batch. */
  readonly loss: number;
  /** Some of the steps from 0 to this one, including both, ascending; `norms`: of dw of each convolution, by step. */
  readonly history: { readonly steps: Int32Array; readonly losses: Float64Array; readonly norms: Float64Array };
  /** Held-out images that are recognized, after this step and after each epoch until it. */
  readonly held: { readonly images: number; readonly correct: number; readonly loss: number };
  readonly epochs: readonly { readonly steps: number; readonly correct: number }[];
  /** Of each convolution. */
  readonly weights: readonly { readonly w: Float32Array; readonly b: Float32Array }[];
  /** mean(|dx|) over the held-out images, row-major. */
  readonly receptive: Float32Array;
  /** Per ReLU, its number among the layers, from 0, and how many of its channels are 0 for all held-out images. */
  readonly gates: readonly { readonly layer: number; readonly channels: number; readonly closed: number }[];
  /** The images of the next step. */
  readonly batch: readonly DigitImage[];
  /** The chosen image, and the probability of each class. */
  readonly image: DigitImage & { readonly probabilities: Float32Array; readonly isHeldOut: boolean };
  /** Of the drawn image; null: there is none. */
  readonly drawn: Float32Array | null;
}
