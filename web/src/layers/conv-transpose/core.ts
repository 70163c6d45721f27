import { descOn, type PlaneSizes, type WindowSizes } from '../../protocol/layers';
import type { ConvError } from '../../protocol/problem';
import { checkDesc } from '../../protocol/shapes';
import type { WeightedCore } from '../layer';

/** k are the channels of y; the padding is given by its sides, and cuts rows and columns of y off. */
export interface TransposedFields extends WindowSizes {
  /** Which of the possible sizes y has: 0, the smallest, to stride - 1. */
  readonly output_padding_h: number;
  readonly output_padding_w: number;
}

/** The sizes of y. */
function sizesOfY(f: TransposedFields, { h, w, ...input }: PlaneSizes): PlaneSizes {
  const { top, bottom, left, right } = f.padding;
  return {
    ...input,
    c: f.k,
    h: (h - 1) * f.stride_h + f.dilation_h * (f.kh - 1) + 1 - top - bottom + f.output_padding_h,
    w: (w - 1) * f.stride_w + f.dilation_w * (f.kw - 1) + 1 - left - right + f.output_padding_w,
  };
}

function fault(f: TransposedFields, input: PlaneSizes): ConvError | null {
  const y = sizesOfY(f, input);
  const axes = [
    ['h', f.output_padding_h, f.stride_h, y.h, 'rows'],
    ['w', f.output_padding_w, f.stride_w, y.w, 'columns'],
  ] as const;
  for (const [axis, more, stride, size, lines] of axes) {
    const wrong = (field: string, message: string): ConvError => ({ code: 'invalid_padding', field, message });
    if (more >= stride)
      return wrong(`output_padding_${axis}`, `the output padding, ${more}, must be below the stride, ${stride}`);
    if (size < 1) return wrong('padding', `the padding leaves no ${lines} of y`);
  }
  return checkDesc(descOn({ ...f, k: input.c }, y));
}

export const convTranspose: WeightedCore<TransposedFields> = {
  kind: 'conv_transpose',
  weights: true,
  title: ({ kh, kw }) => `transposed conv ${kh} × ${kw}`,
  window: (fields) => fields,
  fault,
  options: ({ output_padding_h, output_padding_w }) => ({ output_padding_h, output_padding_w }),
  transposed: sizesOfY,
};
