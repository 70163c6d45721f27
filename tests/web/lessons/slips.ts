import type { ConvDesc } from '../../../web/src/protocol/problem';
import { resolvePadding, yShape } from '../../../web/src/protocol/shapes';
import type { Problem } from '../../../web/src/state/problem';
import { partsOf } from '../support/problems';

/** Mistakes of sums on paper as plain loops, written apart from the library. */

/** A product: the window (i, j) of an image and filter, the tap, and the cell of x under it, which may be in the padding. */
interface Product {
  i: number;
  j: number;
  p: number;
  q: number;
  row: number;
  col: number;
}

type Desc = ConvDesc;

interface Slip {
  /** What the mistake changes in a product. */
  readonly changes?: (at: Product, desc: Desc) => void;
  /** Only the first image counts. */
  readonly oneImage?: boolean;
  readonly onesForDy?: boolean;
  readonly noBias?: boolean;
}

/** By name. */
export const SLIPS: Readonly<Record<string, Slip>> = {
  'stride forgotten': {
    changes: (at, { stride_h, stride_w }) => {
      at.row -= at.i * (stride_h - 1);
      at.col -= at.j * (stride_w - 1);
    },
  },
  'dilation forgotten': {
    changes: (at, { dilation_h, dilation_w }) => {
      at.row -= at.p * (dilation_h - 1);
      at.col -= at.q * (dilation_w - 1);
    },
  },
  'padded indices': {
    changes: (at, desc) => {
      const { top, left } = resolvePadding(desc);
      at.row += top;
      at.col += left;
    },
  },
  'kernel flipped': {
    changes: (at, { kh, kw }) => {
      at.p = kh - 1 - at.p;
      at.q = kw - 1 - at.q;
    },
  },
  'rows flipped': {
    changes: (at, { kh, kw }) => {
      if (kw > 1) at.p = kh - 1 - at.p;
    },
  },
  'row and column of w exchanged': {
    changes: (at, { kh, kw }) => {
      if (kh === kw) [at.p, at.q] = [at.q, at.p];
    },
  },
  'one image': { oneImage: true },
  'ones for dy': { onesForDy: true },
  'no bias': { noBias: true },
};

interface Given {
  readonly problem: Problem;
  readonly dy: Float32Array;
  readonly tensor: string;
}

/** The result of a pass with a slip, by index, in NHWC and HWIO. Null: without one. */
export function wrongValues({ problem, dy, tensor }: Given, name: string | null): ReadonlyMap<number, number> {
  const { desc, x, w, b } = partsOf(problem);
  const { n, h, w: width, c, k, kh, kw, groups, stride_h, stride_w, dilation_h, dilation_w } = desc;
  const { top, left } = resolvePadding(desc);
  const slip: Slip = (name !== null && SLIPS[name]) || {};
  const [, oh, ow] = yShape(desc);
  const [channels, filters] = [c / groups, k / groups];
  const sums = new Map<number, number>();
  const add = (at: number, value: number) => sums.set(at, (sums.get(at) ?? 0) + value);
  for (let image = 0; image < n; image += 1)
    for (let i = 0; i < oh; i += 1)
      for (let j = 0; j < ow; j += 1)
        for (let f = 0; f < k; f += 1) {
          const y = ((image * oh + i) * ow + j) * k + f;
          const up = slip.onesForDy ? 1 : (dy[y] ?? Number.NaN);
          const counts = !slip.oneImage || image === 0;
          if (tensor === 'y') add(y, slip.noBias ? 0 : (b?.data[f] ?? 0));
          if (tensor === 'db') add(f, counts ? up : 0);
          for (let p = 0; p < kh; p += 1)
            for (let q = 0; q < kw; q += 1) {
              const at = {
                i,
                j,
                p,
                q,
                row: i * stride_h + p * dilation_h - top,
                col: j * stride_w + q * dilation_w - left,
              };
              slip.changes?.(at, desc);
              if (at.row < 0 || at.row >= h || at.col < 0 || at.col >= width) continue;
              for (let ch = 0; ch < channels; ch += 1) {
                const cell = ((image * h + at.row) * width + at.col) * c + Math.floor(f / filters) * channels + ch;
                const tap = ((at.p * kw + at.q) * channels + ch) * k + f;
                const [value, weight] = [x.data[cell] ?? Number.NaN, w.data[tap] ?? Number.NaN];
                if (tensor === 'y') add(y, value * weight);
                if (tensor === 'dx') add(cell, up * weight);
                if (tensor === 'dw') add(tap, counts ? up * value : 0);
              }
            }
        }
  return sums;
}
