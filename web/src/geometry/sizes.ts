import type { ConvDesc, Padding } from '../protocol/problem';
import { dilatedKernel, outputSize, resolvePadding } from '../protocol/shapes';
import type { Spatial } from './axis';

/** The size formula of one axis, its inverse, and its text. */

/** The sizes of one axis of a convolution; `pad` is the sum of both sides. */
export type AxisField = 'in' | 'kernel' | 'stride' | 'dilation' | 'pad' | 'out';
export type AxisSizes = Readonly<Record<AxisField, number>>;

/** Fields of ConvDesc of one axis. */
export interface AxisNames {
  readonly in: 'h' | 'w';
  readonly kernel: 'kh' | 'kw';
  readonly stride: 'stride_h' | 'stride_w';
  readonly dilation: 'dilation_h' | 'dilation_w';
  readonly before: keyof Padding;
  readonly after: keyof Padding;
}

const ROW_NAMES: AxisNames = {
  in: 'h',
  kernel: 'kh',
  stride: 'stride_h',
  dilation: 'dilation_h',
  before: 'top',
  after: 'bottom',
};
const COL_NAMES: AxisNames = {
  in: 'w',
  kernel: 'kw',
  stride: 'stride_w',
  dilation: 'dilation_w',
  before: 'left',
  after: 'right',
};

export const axisNames = (axis: Spatial): AxisNames => (axis === 'row' ? ROW_NAMES : COL_NAMES);

/** The sizes of one axis of a descriptor; `pad` is the resolved padding of both sides. */
export function axisSizes(desc: ConvDesc, axis: Spatial): AxisSizes {
  const names = axisNames(axis);
  const padding = resolvePadding(desc);
  const sizes = {
    in: desc[names.in],
    kernel: desc[names.kernel],
    stride: desc[names.stride],
    dilation: desc[names.dilation],
    pad: padding[names.before] + padding[names.after],
  };
  return { ...sizes, out: outputOf(sizes) };
}

const outputOf = ({ in: input, pad, kernel, dilation, stride }: Omit<AxisSizes, 'out'>): number =>
  outputSize(input, pad, dilatedKernel(kernel, dilation), stride);

/** True if the kernel fits and the output is that of `sizes`. */
const holds = (sizes: AxisSizes): boolean =>
  dilatedKernel(sizes.kernel, sizes.dilation) <= sizes.in + sizes.pad && outputOf(sizes) === sizes.out;

/**
 * All values of `field` in [lowest, highest] that are consistent with the other five sizes, ascending. Same result as
 * conv2d::solve, but synchronous and for the short ranges of a slider.
 */
export function solveAxis(sizes: AxisSizes, field: AxisField, lowest: number, highest: number): readonly number[] {
  const least = field === 'in' || field === 'pad' ? 0 : 1;
  const values: number[] = [];
  for (let value = Math.max(lowest, least); value <= highest; value += 1) {
    if (holds({ ...sizes, [field]: value })) values.push(value);
  }
  return values;
}

/** All input sizes of an axis with the same output, ascending; `same` padding is resolved for each size. */
export function inputsWithSameOutput(desc: ConvDesc, axis: Spatial): readonly number[] {
  const names = axisNames(axis);
  const { out, in: input, stride } = axisSizes(desc, axis);
  const values: number[] = [];
  for (let value = Math.max(input - stride + 1, 0); value < input + stride; value += 1) {
    const there = axisSizes({ ...desc, [names.in]: value }, axis);
    if (there.out === out && holds(there)) values.push(value);
  }
  return values;
}

/** The output formula, with names and with numbers. */
export interface SizeFormula {
  readonly names: string;
  readonly numbers: string;
  readonly output: number;
}

/** floor((h + top + bottom - kh) / stride_h) + 1, and floor((7 + 1 + 1 - 3) / 2) + 1 = 4. */
export function sizeFormula(desc: ConvDesc, axis: Spatial): SizeFormula {
  const names = axisNames(axis);
  const padding = resolvePadding(desc);
  const sizes = axisSizes(desc, axis);
  const { kernel, dilation, stride, in: input, out } = sizes;
  const dilated = dilation > 1;
  const kernelName = dilated ? `(${names.dilation} \u00b7 (${names.kernel} \u2212 1) + 1)` : names.kernel;
  const kernelNumber = dilated ? `(${dilation} \u00b7 (${kernel} \u2212 1) + 1)` : String(kernel);
  const [before, after] = [padding[names.before], padding[names.after]];
  return {
    names: `floor((${names.in} + ${names.before} + ${names.after} \u2212 ${kernelName}) / ${names.stride}) + 1`,
    numbers: `floor((${input} + ${before} + ${after} \u2212 ${kernelNumber}) / ${stride}) + 1 = ${out}`,
    output: out,
  };
}
