import type { ConvError } from './errors';
import type { ConvDesc } from './problem';
import { shapeSize, wShape, xShape, yShape } from './shapes';

/** Estimated cost of a problem. The page asks before it computes an expensive one. */
export interface Work {
  /** Of all passes. */
  readonly multiply_adds: number;
  /** Of all tensors, without the workspace of algorithms. */
  readonly bytes: number;
  /** Values of x and w, which the page itself generates or copies without interruption. */
  readonly cells: number;
}

/** y, dx and dw need the same number of multiply-adds. */
const PASSES = 3;
/** 4 bytes for a value and for its gradient, both on the page and in the worker. */
const BYTES_PER_CELL = 4 * 2 * 2;

/** Precondition: checkDesc accepts `desc`. */
export function workOf(desc: ConvDesc): Work {
  const y = shapeSize(yShape(desc));
  const cells = shapeSize(xShape(desc)) + shapeSize(wShape(desc));
  return {
    multiply_adds: PASSES * y * (desc.c / desc.groups) * desc.kh * desc.kw,
    bytes: BYTES_PER_CELL * (cells + y),
    cells,
  };
}

/**
 * Maximum cost that is computed without asking: an RGB image of 1024 x 1024 with a kernel of 31 x 31 takes some seconds on a
 * laptop, and x is generated in 100 ms.
 */
export const AT_ONCE: Work = { multiply_adds: 1e10, bytes: 2 ** 27, cells: 3.2e6 };

const MEASURES = ['multiply_adds', 'bytes', 'cells'] as const;

export const isMore = (a: Work, b: Work): boolean => MEASURES.some((measure) => a[measure] > b[measure]);

/** Null if `desc` may be computed without asking, or costs no more than `before`. */
export function checkCosts(desc: ConvDesc, before: ConvDesc): ConvError | null {
  const work = workOf(desc);
  if (!isMore(work, AT_ONCE) || !isMore(work, workOf(before))) return null;
  return { code: 'costly', field: '', message: 'a large problem. Confirm above to compute it' };
}
