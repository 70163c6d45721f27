import * as fc from 'fast-check';
import type { Cell, ConvDesc, Geometry, GridName } from '../../../web/src/protocol/problem';
import { checkDesc, dilatedKernel, outputSize, resolvePadding } from '../../../web/src/protocol/shapes';
import { notebook4 } from '../support/notebook4';
import { layerOf } from '../support/problems';

/** A Geometry as resolved by the library; the tests of index math do not load the module. */
export function geometryOf(desc: ConvDesc): Geometry {
  const error = checkDesc(desc);
  if (error) throw new Error(error.message);
  const padding = resolvePadding(desc);
  const dilated_kh = dilatedKernel(desc.kh, desc.dilation_h);
  const dilated_kw = dilatedKernel(desc.kw, desc.dilation_w);
  const { layout, n, h, w, c, k, kh, kw, stride_h, stride_w, dilation_h, dilation_w, groups } = desc;
  return {
    ...{ layout, n, h, w, c, k, kh, kw, stride_h, stride_w, dilation_h, dilation_w, groups, padding },
    oh: outputSize(h, padding.top + padding.bottom, dilated_kh, stride_h),
    ow: outputSize(w, padding.left + padding.right, dilated_kw, stride_w),
    group_c: c / groups,
    group_k: k / groups,
    dilated_kh,
    dilated_kw,
    remainder_h: (h + padding.top + padding.bottom - dilated_kh) % stride_h,
    remainder_w: (w + padding.left + padding.right - dilated_kw) % stride_w,
  };
}

const { desc: FOURTH } = layerOf(notebook4());

export const descOf = (patch: Partial<ConvDesc>): ConvDesc => ({ ...FOURTH, ...patch });

const upTo = (max: number, min = 1) => fc.integer({ min, max });

/** Valid descriptors with all options, small enough for brute force. */
export const arbitraryDesc: fc.Arbitrary<ConvDesc> = fc
  .record({
    layout: fc.constantFrom<ConvDesc['layout']>('nhwc', 'nchw'),
    n: upTo(2),
    h: upTo(6),
    w: upTo(6),
    group_c: upTo(2),
    group_k: upTo(2),
    groups: upTo(2),
    kh: upTo(3),
    kw: upTo(3),
    stride_h: upTo(4),
    stride_w: upTo(4),
    dilation_h: upTo(3),
    dilation_w: upTo(3),
    padding_mode: fc.constantFrom<ConvDesc['padding_mode']>('explicit_sides', 'valid', 'same', 'full'),
    padding: fc.record({ top: upTo(3, 0), bottom: upTo(3, 0), left: upTo(3, 0), right: upTo(3, 0) }),
  })
  .map(({ group_c, group_k, ...desc }) => ({ ...desc, c: group_c * desc.groups, k: group_k * desc.groups }))
  .filter((desc) => checkDesc(desc) === null);

export const arbitraryGeometry: fc.Arbitrary<Geometry> = arbitraryDesc.map(geometryOf);

/** One product of the convolution, from the seven loops of the definition. */
export interface BruteTerm {
  readonly x: number | null;
  readonly w: number;
  readonly y: number;
  /** Position in x_padded, row and column. */
  readonly padded: readonly [number, number];
  readonly matrix_row: number;
  readonly matrix_col: number;
  readonly group: number;
}

/** Every (x, w, y) triple of the definition, in the order n, i, j, filter, p, q, c; x is null in the padding. */
export function bruteTerms(g: Geometry): readonly BruteTerm[] {
  const nhwc = g.layout === 'nhwc';
  const triples: BruteTerm[] = [];
  for (let n = 0; n < g.n; n += 1)
    for (let i = 0; i < g.oh; i += 1)
      for (let j = 0; j < g.ow; j += 1)
        for (let k = 0; k < g.k; k += 1)
          for (let p = 0; p < g.kh; p += 1)
            for (let q = 0; q < g.kw; q += 1)
              for (let c = 0; c < g.group_c; c += 1) {
                const group = Math.floor(k / g.group_k);
                const channel = group * g.group_c + c;
                const padded = [i * g.stride_h + p * g.dilation_h, j * g.stride_w + q * g.dilation_w] as const;
                const r = padded[0] - g.padding.top;
                const s = padded[1] - g.padding.left;
                const inside = r >= 0 && r < g.h && s >= 0 && s < g.w;
                const x = nhwc ? ((n * g.h + r) * g.w + s) * g.c + channel : ((n * g.c + channel) * g.h + r) * g.w + s;
                triples.push({
                  x: inside ? x : null,
                  w: nhwc ? ((p * g.kw + q) * g.group_c + c) * g.k + k : ((k * g.group_c + c) * g.kh + p) * g.kw + q,
                  y: nhwc ? ((n * g.oh + i) * g.ow + j) * g.k + k : ((n * g.k + k) * g.oh + i) * g.ow + j,
                  padded,
                  matrix_row: (n * g.oh + i) * g.ow + j,
                  matrix_col: (p * g.kw + q) * g.group_c + c,
                  group,
                });
              }
  return triples;
}

export const cellOf = (tensor: GridName, index: number): Cell => ({ tensor, index });

export const GRIDS: readonly GridName[] = [
  ...(['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'] as const),
  ...(['x_padded', 'x_col', 'w_col', 'y_col', 'dy_col', 'dx_col', 'dw_col'] as const),
  ...([
    'dy_upsampled',
    'dy_extended',
    'dy_inserted',
    'w_exchanged',
    'w_flipped',
    'dx_padded',
    'dw_uncropped',
    'dw_per_image',
    'C',
  ] as const),
];
