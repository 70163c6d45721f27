import type { Case } from '../problem';

/** What the peers treat as different operations. */

export const isDepthwise = ({ geometry: g }: Case): boolean => g.groups > 1 && g.groups === g.c && g.groups === g.k;

/** Groups that are not depthwise: TensorFlow and LiteRT have no kernel for them. */
export const isGrouped = (problem: Case): boolean => problem.geometry.groups > 1 && !isDepthwise(problem);

export const isStrided = ({ geometry: g }: Case): boolean => g.stride_h * g.stride_w > 1;

export const isDilated = ({ geometry: g }: Case): boolean => g.dilation_h * g.dilation_w > 1;

/** A matrix product of pixels and channels, nothing else. */
export function isProduct(problem: Case): boolean {
  const { kh, kw, groups, padding } = problem.geometry;
  const { top, bottom, left, right } = padding;
  return kh * kw * groups === 1 && !isStrided(problem) && top + bottom + left + right === 0;
}

/** Padding of the forward pass that computes backward_data at stride 1: [top, bottom, left, right]. */
export function flipSides({ geometry: g }: Case): readonly [number, number, number, number] {
  const [tall, wide] = [g.dilated_kh - 1, g.dilated_kw - 1];
  const { top, bottom, left, right } = g.padding;
  return [tall - top, tall - bottom, wide - left, wide - right];
}

/**
 * Rows and columns of the convolution of x with dy (stride and dilation exchanged): the kernel's, and those that the
 * remainder adds, which are cropped.
 */
export function crossSize({ geometry: g }: Case): readonly [number, number] {
  const { top, bottom, left, right } = g.padding;
  return [
    Math.floor((g.h + top + bottom - g.stride_h * (g.oh - 1) - 1) / g.dilation_h) + 1,
    Math.floor((g.w + left + right - g.stride_w * (g.ow - 1) - 1) / g.dilation_w) + 1,
  ];
}

/** Reasons that several parties give. */
export const unless = (supported: boolean, reason: string): string => (supported ? '' : reason);
