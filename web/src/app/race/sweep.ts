import type { ConvDesc } from '../../protocol/problem';
import { checkDesc } from '../../protocol/shapes';
import { multiplyAdds } from './tasks';

/** Sweeps vary one size of a problem and keep the others fixed. */

export interface Sweep {
  readonly id: ParameterId;
  readonly title: string;
  readonly axis: string;
  readonly values: readonly number[];
  readonly at: (desc: ConvDesc, value: number) => ConvDesc;
}

export const PARAMETERS = ['size', 'channels', 'filters', 'kernel', 'stride', 'batch'] as const;
export type ParameterId = (typeof PARAMETERS)[number];

export const SWEEPS: readonly Sweep[] = [
  {
    id: 'size',
    title: 'Height and width of x',
    axis: 'height and width of x',
    values: [4, 7, 10, 14, 20, 28, 40, 56, 80, 112],
    at: (desc, h) => ({ ...desc, h, w: h }),
  },
  {
    id: 'channels',
    title: 'Channels and filters',
    axis: 'number of channels and filters',
    values: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    at: (desc, c) => ({ ...desc, c, k: c, groups: desc.groups === desc.c && desc.c > 1 ? c : 1 }),
  },
  {
    id: 'filters',
    title: 'Filters only',
    axis: 'filters',
    values: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    at: (desc, k) => ({ ...desc, k, groups: 1 }),
  },
  {
    id: 'kernel',
    title: 'Height and width of the kernel',
    axis: 'height and width of w',
    values: [1, 2, 3, 4, 5, 7, 9, 11],
    at: (desc, kh) => ({ ...desc, kh, kw: kh, padding_mode: 'same' }),
  },
  {
    id: 'stride',
    title: 'Stride',
    axis: 'stride',
    values: [1, 2, 3, 4, 6, 8],
    at: (desc, stride_h) => ({ ...desc, stride_h, stride_w: stride_h }),
  },
  {
    id: 'batch',
    title: 'Images in the batch',
    axis: 'images in the batch',
    values: [1, 2, 4, 8, 16, 32],
    at: (desc, n) => ({ ...desc, n }),
  },
];

/** Multiply-adds; larger problems take entrants long for all entrants and values. */
const MOST_MACS = 2.5e8;

/** The problems of a sweep that are valid and small enough. */
export function sweepOf(
  base: ConvDesc,
  id: ParameterId,
): readonly { readonly value: number; readonly desc: ConvDesc }[] {
  const sweep = SWEEPS.find((each) => each.id === id);
  if (!sweep) return [];
  return sweep.values
    .map((value) => ({ value, desc: sweep.at(base, value) }))
    .filter(({ desc }) => isConvolution(desc) && multiplyAdds(desc) <= MOST_MACS);
}

/** Races may exceed the size limits of the page. */
const isConvolution = (desc: ConvDesc): boolean => (checkDesc(desc)?.code ?? 'beyond_limits') === 'beyond_limits';
