import {
  COUNTS,
  type ConvDesc,
  type ConvError,
  type CountName,
  type ErrorCode,
  type Geometry,
  type Padding,
  type PaddingMode,
  type Shape,
  type SizeName,
  type TensorName,
} from './problem';
import { LIMIT_REASON, SIZE_NAMES, SIZES } from './size-table';

/** Shapes and output sizes of a ConvDesc: integers only, the same formulas as conv2d::resolve, in elements. */

export const shapeSize = (shape: Shape): number => shape[0] * shape[1] * shape[2] * shape[3];

/** Size of the dilated kernel: dilation * (kernel - 1) + 1. */
export const dilatedKernel = (kernel: number, dilation: number): number => dilation * (kernel - 1) + 1;

/** floor((input + padding - dilated kernel) / stride) + 1; 0 or less if the kernel does not fit. */
export const outputSize = (input: number, padding: number, dilated: number, stride: number): number =>
  Math.floor((input + padding - dilated) / stride) + 1;

/** Total padding of TensorFlow's SAME, which gives ceil(input / stride) outputs. */
function samePadding(input: number, dilated: number, stride: number): number {
  const last = input % stride === 0 ? stride : input % stride;
  return Math.max(dilated - last, 0);
}

function axisPadding(desc: ConvDesc, input: number, kernel: number, dilation: number, stride: number) {
  const dilated = dilatedKernel(kernel, dilation);
  if (desc.padding_mode === 'full') return { before: dilated - 1, after: dilated - 1 };
  if (desc.padding_mode === 'valid') return { before: 0, after: 0 };
  const total = samePadding(input, dilated, stride);
  const before = Math.floor(total / 2);
  return { before, after: total - before };
}

/** The padding of each side, in cells, for the descriptor's padding mode. */
export function resolvePadding(desc: ConvDesc): Padding {
  if (desc.padding_mode === 'explicit_sides') return desc.padding;
  const rows = axisPadding(desc, desc.h, desc.kh, desc.dilation_h, desc.stride_h);
  const cols = axisPadding(desc, desc.w, desc.kw, desc.dilation_w, desc.stride_w);
  return { top: rows.before, bottom: rows.after, left: cols.before, right: cols.after };
}

/** The name of the padding: without a padded cell it is `valid`. */
export const paddingName = ({ padding_mode: mode, padding }: ConvDesc): PaddingMode =>
  mode === 'explicit_sides' && !Object.values(padding).some(Boolean) ? 'valid' : mode;

export type FlatDesc = Readonly<Record<SizeName, number>> & Omit<ConvDesc, 'padding'>;

/** The descriptor of a geometry. */
export const descOf = (g: Geometry): ConvDesc => ({
  ...(Object.fromEntries(COUNTS.map((name) => [name, g[name]])) as Record<CountName, number>),
  ...{ layout: g.layout, padding_mode: 'explicit_sides', padding: g.padding },
});

/** The descriptor with one field per side of the padding, named as in errors. */
export function flatDesc({ padding: { top, bottom, left, right }, ...desc }: ConvDesc): FlatDesc {
  return { ...desc, 'padding.top': top, 'padding.bottom': bottom, 'padding.left': left, 'padding.right': right };
}

/** x [n,h,w,c] or [n,c,h,w]. */
export const xShape = (desc: ConvDesc): Shape =>
  desc.layout === 'nhwc' ? [desc.n, desc.h, desc.w, desc.c] : [desc.n, desc.c, desc.h, desc.w];

/** w [kh,kw,c/groups,k] or [k,c/groups,kh,kw]. */
export function wShape(desc: ConvDesc): Shape {
  const channels = desc.c / desc.groups;
  return desc.layout === 'nhwc' ? [desc.kh, desc.kw, channels, desc.k] : [desc.k, channels, desc.kh, desc.kw];
}

/** b and db [1,1,1,k], in both layouts. */
export const bShape = ({ k }: Pick<ConvDesc, 'k'>): Shape => [1, 1, 1, k];

/** y [n,oh,ow,k] or [n,k,oh,ow]. */
export function yShape(desc: ConvDesc): Shape {
  const pad = resolvePadding(desc);
  const oh = outputSize(desc.h, pad.top + pad.bottom, dilatedKernel(desc.kh, desc.dilation_h), desc.stride_h);
  const ow = outputSize(desc.w, pad.left + pad.right, dilatedKernel(desc.kw, desc.dilation_w), desc.stride_w);
  return desc.layout === 'nhwc' ? [desc.n, oh, ow, desc.k] : [desc.n, desc.k, oh, ow];
}

const SHAPES: Readonly<Record<TensorName, (desc: ConvDesc) => Shape>> = {
  ...{ x: xShape, dx: xShape, y: yShape, dy: yShape },
  ...{ w: wShape, dw: wShape },
  ...{ b: bShape, db: bShape },
};

export const shapeOf = (name: TensorName, desc: ConvDesc): Shape => SHAPES[name](desc);

const fail = (code: ErrorCode, field: string, message: string): ConvError => ({ code, field, message });

/** Error for the first size below its lowest value. Padding counts only if its sides are given. */
function checkLowest(desc: ConvDesc): ConvError | null {
  const values = flatDesc(desc);
  for (const name of SIZE_NAMES) {
    const { lowest, error, rule } = SIZES[name];
    const value = values[name];
    const counts = rule !== 'padding' || desc.padding_mode === 'explicit_sides';
    if (counts && (!Number.isSafeInteger(value) || value < lowest)) {
      return fail(error, name, `${name} is ${value}, but must be a whole number of at least ${lowest}`);
    }
  }
  return null;
}

function checkLimits(desc: ConvDesc): ConvError | null {
  const values = flatDesc(desc);
  const name = SIZE_NAMES.find((size) => values[size] > SIZES[size].most);
  if (!name) return null;
  return fail('beyond_limits', name, `${name} is ${values[name]}, but at most ${SIZES[name].most}: ${LIMIT_REASON}`);
}

function checkFit(kernel: 'kh' | 'kw', input: number, padding: number, size: number, dilation: number) {
  const dilated = dilatedKernel(size, dilation);
  if (dilated <= input + padding) return null;
  const gaps = dilation === 1 ? `${kernel} is ${size}` : `${kernel} ${size} with dilation ${dilation} spans ${dilated}`;
  return fail(
    'kernel_too_large',
    kernel,
    `${gaps}, but the padded input has only ${input + padding} cells (${input} + ${padding})`,
  );
}

/** Maximum elements of a tensor: 512 MiB of float32. The page and the worker each have a copy. */
const MAX_ELEMENTS = 2 ** 27;

/** Size of `elements` float32 values, rounded for reading. */
function memoryText(elements: number): string {
  const mib = Math.ceil(elements / 2 ** 18);
  const gib = mib / 2 ** 10;
  if (gib >= 1e6) return 'more than a million GiB';
  if (gib >= 10) return `${Math.round(gib).toLocaleString('en')} GiB`;
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${mib} MiB`;
}

function checkTensorSizes(desc: ConvDesc): ConvError | null {
  const pad = resolvePadding(desc);
  const padded = desc.n * (desc.h + pad.top + pad.bottom) * (desc.w + pad.left + pad.right) * desc.c;
  const sizes = { x: padded, w: shapeSize(wShape(desc)), y: shapeSize(yShape(desc)) };
  for (const [field, size] of Object.entries(sizes)) {
    if (size > MAX_ELEMENTS) {
      return fail(
        'out_of_memory',
        field,
        `${field} would need ${memoryText(size)}; the maximum for a tensor is ${memoryText(MAX_ELEMENTS)}`,
      );
    }
  }
  return null;
}

/**
 * A fast subset of the checks of conv2d::resolve, used before memory is allocated for an edit. Returns the first error, or null.
 * The library then checks everything.
 */
export function checkDesc(desc: ConvDesc): ConvError | null {
  const basic = checkLowest(desc);
  if (basic) return basic;
  if (desc.c % desc.groups !== 0 || desc.k % desc.groups !== 0) {
    const what = desc.c % desc.groups !== 0 ? `${desc.c} input channels` : `${desc.k} filters`;
    return fail('invalid_groups', 'groups', `groups is ${desc.groups}, but does not divide the ${what}`);
  }
  const pad = resolvePadding(desc);
  return (
    checkFit('kh', desc.h, pad.top + pad.bottom, desc.kh, desc.dilation_h) ??
    checkFit('kw', desc.w, pad.left + pad.right, desc.kw, desc.dilation_w) ??
    checkTensorSizes(desc) ??
    checkLimits(desc)
  );
}

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

/** Null if the work may be done without asking, or is no more than `before`. */
export const checkWork = (work: Work, before: Work): ConvError | null =>
  isMore(work, AT_ONCE) && isMore(work, before)
    ? fail('costly', '', 'a large problem. Confirm above to compute it')
    : null;
