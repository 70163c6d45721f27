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
function sizesOfY(f: TransposedFields, input: PlaneSizes): PlaneSizes {
  const { top, bottom, left, right } = f.padding;
  const sizeOf = (axis: 'h' | 'w', padding: number) =>
    (input[axis] - 1) * f[`stride_${axis}`] +
    f[`dilation_${axis}`] * (f[`k${axis}`] - 1) +
    1 -
    padding +
    f[`output_padding_${axis}`];
  return { ...input, c: f.k, h: sizeOf('h', top + bottom), w: sizeOf('w', left + right) };
}

function fault(f: TransposedFields, input: PlaneSizes): ConvError | null {
  const y = sizesOfY(f, input);
  for (const axis of ['h', 'w'] as const) {
    const wrong = (field: string, message: string): ConvError => ({ code: 'invalid_padding', field, message });
    const [more, stride] = [f[`output_padding_${axis}`], f[`stride_${axis}`]];
    if (more >= stride)
      return wrong(`output_padding_${axis}`, `the output padding, ${more}, must be below the stride, ${stride}`);
    if (y[axis] < 1) return wrong('padding', `the padding leaves no ${axis === 'h' ? 'rows' : 'columns'} of y`);
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
