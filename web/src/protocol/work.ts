import type { ConvError } from './errors';
import type { ConvDesc } from './problem';
import { shapeSize, wShape, xShape, yShape } from './shapes';

/** What a problem takes to compute, so that nobody is made to wait, or given less memory, unasked. */
export interface Work {
  /** Of all passes. */
  readonly multiply_adds: number;
  /** Of all tensors. What an algorithm takes besides is the library's to say. */
  readonly bytes: number;
  /** Numbers that the page makes or moves itself, in one go: those of x and w. */
  readonly cells: number;
}

/** y, dx and dw have the same products. */
const PASSES = 3;
/** A number takes four bytes, its gradient has a place too, and both are on the page and in the worker. */
const BYTES_A_CELL = 4 * 2 * 2;

/** Of a descriptor that checkDesc accepts. */
export function workOf(desc: ConvDesc): Work {
  const y = shapeSize(yShape(desc));
  const cells = shapeSize(xShape(desc)) + shapeSize(wShape(desc));
  return {
    multiply_adds: PASSES * y * (desc.c / desc.groups) * desc.kh * desc.kw,
    bytes: BYTES_A_CELL * (cells + y),
    cells,
  };
}

/**
 * What is computed unasked: a picture of 1024 x 1024 in colour under a kernel of 31 x 31 takes some seconds on a laptop, and x is
 * made in 100 ms.
 */
export const AT_ONCE: Work = { multiply_adds: 1e10, bytes: 2 ** 27, cells: 3.2e6 };

const MEASURES = ['multiply_adds', 'bytes', 'cells'] as const;

export const isMore = (a: Work, b: Work): boolean => MEASURES.some((measure) => a[measure] > b[measure]);

/** Null where `desc` may be computed unasked, or takes no more than what is there. */
export function checkCosts(desc: ConvDesc, before: ConvDesc): ConvError | null {
  const work = workOf(desc);
  if (!isMore(work, AT_ONCE) || !isMore(work, workOf(before))) return null;
  return { code: 'costly', field: '', message: 'larger than what is computed unasked: see above the picture' };
}
