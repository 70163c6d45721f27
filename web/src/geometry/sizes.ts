import type { ConvDesc, SizeName } from '../protocol/problem';
import { dilatedKernel, flatDesc, outputSize, resolvePadding } from '../protocol/shapes';
import { LIMIT_REASON, SIZES, type SizeRule } from '../protocol/size-table';
import { axisNames, gcd, type Spatial } from './axis';

/** The size formula of one axis, its inverse, and its text. */

/** The sizes of one axis of a convolution; `pad` is the sum of both sides. */
export type AxisField = 'in' | 'kernel' | 'stride' | 'dilation' | 'pad' | 'out';
export type AxisSizes = Readonly<Record<AxisField, number>>;

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

const outputOf = ({ in: input, pad, kernel, dilation, stride }: Omit<AxisSizes, 'out'>) =>
  outputSize(input, pad, dilatedKernel(kernel, dilation), stride);

/** True if the kernel fits and the output is that of `sizes`. */
const holds = (sizes: AxisSizes) =>
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

/** The output formula, with names (floor((h + top + bottom - kh) / stride_h) + 1) and with numbers. */
export function sizeFormula(desc: ConvDesc, axis: Spatial) {
  const names = axisNames(axis);
  const padding = resolvePadding(desc);
  const { kernel, dilation, stride, in: input, out } = axisSizes(desc, axis);
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

/** Bounds of each control, and their reasons. */

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly minReason: string;
  readonly maxReason: string;
  /** The only values allowed between min and max; null: all. */
  readonly values: readonly number[] | null;
}

const AT_LEAST_ONE = 'smaller values are not valid';

const axisOfField = (field: SizeName): Spatial => SIZES[field].axis ?? 'row';
const sizesAt = (desc: ConvDesc, field: SizeName) => axisSizes(desc, axisOfField(field));

const RULES: Readonly<Record<SizeRule, (desc: ConvDesc, field: SizeName) => Bounds>> = {
  free: (_desc, field) => within(field, 1),
  multiple: multiples,
  divisor: groupBounds,
  input: inputBounds,
  kernel: kernelBounds,
  dilation: dilationBounds,
  padding: paddingBounds,
};

/** The bounds of a field for the current values of the others. The kernel must fit into the padded input. */
export const boundsOf = (desc: ConvDesc, field: SizeName): Bounds => RULES[SIZES[field].rule](desc, field);

const within = (field: SizeName, min: number): Bounds => ({
  min,
  max: SIZES[field].most,
  minReason: AT_LEAST_ONE,
  maxReason: LIMIT_REASON,
  values: null,
});

function multiples({ groups }: ConvDesc, field: SizeName): Bounds {
  const bounds = within(field, groups);
  if (groups === 1) return bounds;
  const values = Array.from({ length: Math.floor(bounds.max / groups) }, (_, i) => (i + 1) * groups);
  return { ...bounds, values, minReason: `it must be a multiple of groups (${groups})`, max: values.at(-1) ?? groups };
}

function groupBounds({ c, k }: ConvDesc): Bounds {
  const most = gcd(c, k);
  const values = Array.from({ length: most }, (_, i) => i + 1).filter((value) => most % value === 0);
  const maxReason = `groups must divide channels (${c}) and filters (${k})`;
  return { min: 1, max: most, minReason: AT_LEAST_ONE, maxReason, values };
}

/** `same` and `full` padding grow with the kernel, so that every kernel fits. */
const growsPadding = (desc: ConvDesc) => desc.padding_mode === 'same' || desc.padding_mode === 'full';

function inputBounds(desc: ConvDesc, field: SizeName): Bounds {
  const { kernel, dilation, pad } = sizesAt(desc, field);
  const dilated = dilatedKernel(kernel, dilation);
  const least = growsPadding(desc) ? 1 : Math.max(dilated - pad, 1);
  const noun = dilation > 1 ? 'the dilated kernel' : 'the kernel';
  return {
    ...within(field, least),
    minReason: least > 1 ? `${noun} (${dilated}) must fit into input + padding` : AT_LEAST_ONE,
  };
}

/** At most `fits`, the largest value with which the kernel fits. */
function fitting(bounds: Bounds, fits: number, { in: input, pad, dilation }: AxisSizes) {
  if (fits > bounds.max) return bounds;
  const room = pad > 0 ? `input + padding (${input} + ${pad})` : `input (${input})`;
  const maxReason = `${dilation > 1 ? 'dilated kernel' : 'kernel'} \u2264 ${room}`;
  return { ...bounds, max: Math.max(fits, 1), maxReason };
}

function kernelBounds(desc: ConvDesc, field: SizeName) {
  const sizes = sizesAt(desc, field);
  const widest = within(field, 1);
  if (growsPadding(desc)) return widest;
  return fitting(widest, Math.floor((sizes.in + sizes.pad - 1) / sizes.dilation) + 1, sizes);
}

function dilationBounds(desc: ConvDesc, field: SizeName) {
  const sizes = sizesAt(desc, field);
  const widest = { ...within(field, 1), minReason: '1 means no dilation' };
  if (growsPadding(desc) || sizes.kernel === 1) return widest;
  const fits = Math.floor((sizes.in + sizes.pad - 1) / (sizes.kernel - 1));
  return fitting(widest, fits, { ...sizes, dilation: 2 });
}

function paddingBounds(desc: ConvDesc, field: SizeName): Bounds {
  const { kernel, dilation, in: input, pad } = sizesAt(desc, field);
  const other = pad - flatDesc({ ...desc, padding: resolvePadding(desc) })[field];
  const dilated = dilatedKernel(kernel, dilation);
  const least = Math.max(dilated - input - other, 0);
  return {
    ...within(field, least),
    minReason: least > 0 ? `the kernel (${dilated}) must fit into input + padding` : 'padding cannot be negative',
  };
}
