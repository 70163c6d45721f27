import type { Geometry } from '../../../src/protocol/problem';
import type { Case } from '../problem';

/** Properties of a case that decide which operations of the peers can compute it. */

export const isDepthwise = ({ geometry: g }: Case): boolean => g.groups > 1 && g.groups === g.c && g.groups === g.k;

/** Grouped but not depthwise: TensorFlow and LiteRT have no kernel for it. */
export const isGrouped = (problem: Case): boolean => problem.geometry.groups > 1 && !isDepthwise(problem);

export const isStrided = ({ geometry: g }: Case): boolean => g.stride_h * g.stride_w > 1;

export const isDilated = ({ geometry: g }: Case): boolean => g.dilation_h * g.dilation_w > 1;

/** Whether the case is a plain matrix product: 1x1, stride 1, no groups, no padding. */
export function isProduct(problem: Case): boolean {
  const { kh, kw, groups } = problem.geometry;
  return kh * kw * groups === 1 && !isStrided(problem) && sidesOf(problem.geometry).every((side) => side === 0);
}

export type Sides = readonly [top: number, bottom: number, left: number, right: number];

export const sidesOf = ({ padding: { top, bottom, left, right } }: Geometry): Sides => [top, bottom, left, right];

type Pad = [before: number, after: number];

/** Padding of all four NHWC axes. */
export const padsOf = ([top, bottom, left, right]: Sides): [Pad, Pad, Pad, Pad] => [
  [0, 0],
  [top, bottom],
  [left, right],
  [0, 0],
];

/** Padding of the forward pass that computes backward_data at stride 1. */
export function flipSides({ geometry: g }: Case): Sides {
  const [tall, wide] = [g.dilated_kh - 1, g.dilated_kw - 1];
  const { top, bottom, left, right } = g.padding;
  return [tall - top, tall - bottom, wide - left, wide - right];
}

/**
 * Rows and columns of the convolution of x with dy (stride and dilation exchanged). A remainder makes them more than
 * the kernel's; the surplus is cropped.
 */
export function crossSize({ geometry: g }: Case): readonly [number, number] {
  const { top, bottom, left, right } = g.padding;
  return [
    Math.floor((g.h + top + bottom - g.stride_h * (g.oh - 1) - 1) / g.dilation_h) + 1,
    Math.floor((g.w + left + right - g.stride_w * (g.ow - 1) - 1) / g.dilation_w) + 1,
  ];
}
