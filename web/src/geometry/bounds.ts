import { LIMIT_REASON } from '../protocol/limits';
import type { ConvDesc, SizeName } from '../protocol/problem';
import { dilatedKernel, resolvePadding } from '../protocol/shapes';
import { SIZES, type SizeRule } from '../protocol/size-table';
import type { Spatial } from './axis';
import { gcd } from './range';
import { axisNames } from './sizes';

/** Bounds of each control, and their reasons. */

export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly minReason: string;
  readonly maxReason: string;
  /** The only values allowed between min and max; null: all. */
  readonly values: readonly number[] | null;
}

const AT_LEAST_ONE = 'smaller values are not valid';

const axisOfField = (field: SizeName): Spatial => SIZES[field].axis ?? 'row';

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

/** From `min` to the limit of the page. */
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
const growsPadding = (desc: ConvDesc): boolean => desc.padding_mode === 'same' || desc.padding_mode === 'full';

/** Sum of the padding of an axis. */
function paddingOf(desc: ConvDesc, axis: Spatial): number {
  const names = axisNames(axis);
  const padding = resolvePadding(desc);
  return padding[names.before] + padding[names.after];
}

const fitReason = (desc: ConvDesc, axis: Spatial): string => {
  const names = axisNames(axis);
  const padding = paddingOf(desc, axis);
  const kernel = desc[names.dilation] > 1 ? 'dilated kernel' : 'kernel';
  return padding > 0
    ? `${kernel} \u2264 input + padding (${desc[names.in]} + ${padding})`
    : `${kernel} \u2264 input (${desc[names.in]})`;
};

function inputBounds(desc: ConvDesc, field: SizeName): Bounds {
  const axis = axisOfField(field);
  const names = axisNames(axis);
  const dilated = dilatedKernel(desc[names.kernel], desc[names.dilation]);
  const least = growsPadding(desc) ? 1 : Math.max(dilated - paddingOf(desc, axis), 1);
  const kernel = desc[names.dilation] > 1 ? 'the dilated kernel' : 'the kernel';
  return {
    ...within(field, least),
    minReason: least > 1 ? `${kernel} (${dilated}) must fit into input + padding` : AT_LEAST_ONE,
  };
}

function kernelBounds(desc: ConvDesc, field: SizeName): Bounds {
  const axis = axisOfField(field);
  const names = axisNames(axis);
  const widest = within(field, 1);
  if (growsPadding(desc)) return widest;
  const room = desc[names.in] + paddingOf(desc, axis);
  const fits = Math.floor((room - 1) / desc[names.dilation]) + 1;
  return fits > widest.max ? widest : { ...widest, max: Math.max(fits, 1), maxReason: fitReason(desc, axis) };
}

function dilationBounds(desc: ConvDesc, field: SizeName): Bounds {
  const axis = axisOfField(field);
  const names = axisNames(axis);
  const kernel = desc[names.kernel];
  const widest = { ...within(field, 1), minReason: '1 means no dilation' };
  if (growsPadding(desc) || kernel === 1) return widest;
  const room = desc[names.in] + paddingOf(desc, axis);
  const fits = Math.floor((room - 1) / (kernel - 1));
  if (fits > widest.max) return widest;
  return { ...widest, max: Math.max(fits, 1), maxReason: fitReason({ ...desc, [field]: 2 }, axis) };
}

function paddingBounds(desc: ConvDesc, field: SizeName): Bounds {
  const axis = axisOfField(field);
  const names = axisNames(axis);
  const side = field === `padding.${names.before}` ? names.before : names.after;
  const other = paddingOf(desc, axis) - resolvePadding(desc)[side];
  const dilated = dilatedKernel(desc[names.kernel], desc[names.dilation]);
  const least = Math.max(dilated - desc[names.in] - other, 0);
  return {
    ...within(field, least),
    minReason: least > 0 ? `the kernel (${dilated}) must fit into input + padding` : 'padding cannot be negative',
  };
}
