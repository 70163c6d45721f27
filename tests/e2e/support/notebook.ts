import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeValues } from '../../../web/src/link/text';
import { THOROUGH } from '../../thorough';

/** Shapes are NHWC and HWIO. */
type Shape = readonly [number, number, number, number];

export interface NotebookCase {
  readonly name: string;
  readonly x_shape: Shape;
  readonly w_shape: Shape;
  readonly y_shape: Shape;
  readonly stride: readonly [number, number];
  readonly padding: readonly [number, number, number, number];
  readonly w: string;
  readonly b: readonly number[] | null;
  readonly y: readonly number[];
  readonly dx: readonly number[];
  readonly dw: readonly number[];
  readonly db: readonly number[];
}

export const { cases: CASES } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../golden/notebook.json'), 'utf8'),
) as {
  cases: readonly NotebookCase[];
};

/**
 * One case with one channel, padding and stride, and the case with everything: images, channels, filters, padding,
 * stride and bias. Thorough runs add those in between. (The walk in three engines computes all ten.)
 */
export const TESTED_CASES: readonly NotebookCase[] = (THOROUGH ? ['1', '2', '3', '4', '10'] : ['4', '10']).map(
  (number) => {
    const found = CASES.find(({ name }) => name.startsWith(`${number} `));
    if (!found) throw new Error(`no notebook case ${number}`);
    return found;
  },
);

/** The link that opens the page with a case. */
export function linkTo({ x_shape, w_shape, stride, padding, w, b }: NotebookCase): string {
  const [n, height, width, c] = x_shape;
  const [kh, kw, , k] = w_shape;
  const parts = [`h=${height}`, `w=${width}`, `kh=${kh}`, `kw=${kw}`, `n=${n}`, `c=${c}`, `k=${k}`];
  parts.push(
    `stride=${stride.join('x')}`,
    `padding=${padding.join(',')}`,
    'x=ramp',
    `weights=countdown:${Number.parseInt(w, 10)}`,
  );
  if (b) parts.push(`bias=constant:0~${encodeValues(Float32Array.from(b))}`);
  return `#${parts.join('&')}`;
}

/** The plane of one image and channel of an NHWC tensor, row by row. */
export function imagePlane(values: readonly number[], shape: Shape, n: number, channel: number): number[] {
  const [, rows, cols, channels] = shape;
  return Array.from(
    { length: rows * cols },
    (_, i) => values[(n * rows * cols + i) * channels + channel] ?? Number.NaN,
  );
}

/** The plane of one channel and filter of HWIO weights. */
export function kernelPlane(values: readonly number[], shape: Shape, channel: number, filter: number): number[] {
  const [rows, cols, channels, filters] = shape;
  return Array.from(
    { length: rows * cols },
    (_, i) => values[(i * channels + channel) * filters + filter] ?? Number.NaN,
  );
}

/** The name of a plane on the page: `dx` if the tensor has only one, otherwise `dx[n=0, c=1]`. */
export function planeName(tensor: string, one: NotebookCase, { n = 0, c = 0, k = 0 } = {}): string {
  const [images, , , channels] = one.x_shape;
  const filters = one.w_shape[3];
  const several = { x: images * channels, y: images * filters, w: channels * filters };
  const kind = tensor.endsWith('x') ? 'x' : tensor.endsWith('y') ? 'y' : 'w';
  if (tensor.endsWith('b') || several[kind] === 1) return tensor;
  if (kind === 'w') return `${tensor}[c=${c}, k=${k}]`;
  return `${tensor}[n=${n}, ${kind === 'y' ? `k=${k}` : `c=${c}`}]`;
}
