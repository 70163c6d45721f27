import type { Arguments } from '../../formats/format';
import { axisNames, type Spatial, type SpatialAxis } from '../../geometry/axis';
import { solveAxis } from '../../geometry/sizes';
import type { ConvDesc, Layout } from '../../protocol/problem';
import { dilatedKernel, outputSize, resolvePadding } from '../../protocol/shapes';
import { PARTS } from '../../protocol/size-table';

/**
 * Strides, dilations and paddings with which x and the kernel give an output of a certain size, the likeliest first.
 * Likelier are: no padding, or `same` padding as the framework divides it; then symmetric padding; equal values on both
 * axes; no dilation, above all with a stride; small strides, and those that read the last cell. `COSTS` weighs these.
 */
const COSTS = {
  /** Of an axis. */
  ...{ symmetric: 5, asymmetric: 8, large: 15, dilated: 5, remainder: 2 },
  /** Of both together. */
  ...{ strides: 8, dilations: 15, paddings: 5, sides: 10, dilatedStride: 10 },
} as const;

interface AxisSolution extends Pick<SpatialAxis, 'stride' | 'dilation' | 'before' | 'after'> {
  /** Size of the dilated kernel. */
  readonly dilated: number;
  /** Padding as of TensorFlow's SAME. */
  readonly isSame: boolean;
  readonly cost: number;
}

export interface GeometrySolution {
  readonly changes: Pick<ConvDesc, 'stride_h' | 'stride_w' | 'dilation_h' | 'dilation_w' | 'padding'>;
  /** How unlikely it is. */
  readonly cost: number;
}

/** Solutions of an axis that are combined with those of the other one. */
const MOST = 40;
/** Strides to try where they make no difference (one output), or are hardly ever larger (with a dilation). */
const FEW_STRIDES = 4;

/** PyTorch (nchw) pads symmetrically, TensorFlow (nhwc) has one more cell at the end if the number is odd. */
export function geometriesOf(
  desc: ConvDesc,
  out: readonly [rows: number, cols: number],
  given: Arguments,
  framework: Layout,
): readonly GeometrySolution[] {
  const rows = axisSolutions(desc, 'row', out[0], given, framework);
  const cols = axisSolutions(desc, 'col', out[1], given, framework);
  return rows.flatMap((row) => cols.map((col) => combined(row, col))).sort((a, b) => a.cost - b.cost);
}

function combined(row: AxisSolution, col: AxisSolution): GeometrySolution {
  const isSame = row.isSame && col.isSame;
  const isPaddedAlike = row.before === col.before && row.after === col.after;
  const together = [
    row.stride === col.stride ? 0 : COSTS.strides,
    row.dilation === col.dilation ? 0 : COSTS.dilations,
    isPaddedAlike || isSame || row.dilated !== col.dilated ? 0 : COSTS.paddings,
    isSame || Math.sign(row.after - row.before) === Math.sign(col.after - col.before) ? 0 : COSTS.sides,
    Math.max(row.stride, col.stride) > 1 && Math.max(row.dilation, col.dilation) > 1 ? COSTS.dilatedStride : 0,
  ];
  const padding = { top: row.before, bottom: row.after, left: col.before, right: col.after };
  return {
    changes: {
      ...{ stride_h: row.stride, stride_w: col.stride },
      ...{ dilation_h: row.dilation, dilation_w: col.dilation, padding },
    },
    cost: row.cost + col.cost + together.reduce((sum, cost) => sum + cost),
  };
}

export function axisSolutions(
  desc: ConvDesc,
  axis: Spatial,
  out: number,
  { stride: strides, dilation: dilations, padding }: Arguments,
  framework: Layout,
): readonly AxisSolution[] {
  const names = axisNames(axis);
  const [input, kernel, index] = [desc[names.in], desc[names.kernel], axis === 'row' ? 0 : 1];
  const sides = padding && ([padding[names.before], padding[names.after]] as const);
  const found: AxisSolution[] = [];
  // The dilation of a single tap has no effect.
  for (const dilation of upTo(kernel === 1 ? 1 : PARTS.dilation.most, dilations?.[index])) {
    const dilated = dilatedKernel(kernel, dilation);
    for (const stride of upTo(dilation > 1 || out === 1 ? FEW_STRIDES : PARTS.stride.most, strides?.[index])) {
      // Each output more takes `stride` more cells of padding.
      const missing = out - outputSize(input, 0, dilated, stride);
      if (missing < 0) continue;
      const most = sides || dilation === 1 ? 2 * PARTS.padding.most : 2 * (dilated - 1);
      const sizes = { in: input, kernel, stride, dilation, pad: 0, out };
      const pads = solveAxis(sizes, 'pad', (missing - 1) * stride, Math.min((missing + 1) * stride, most));
      if (pads.length === 0) continue;
      const there: ConvDesc = { ...desc, [names.stride]: stride, [names.dilation]: dilation, padding_mode: 'same' };
      const same = resolvePadding(there);
      const moves = stride - 1 + (dilation > 1 ? COSTS.dilated + 2 * (dilation - 1) : 0);
      for (const pad of pads) {
        for (const [rank, [before, after]] of (sides ? [sides] : splitsOf(pad)).entries()) {
          if (before + after !== pad || Math.max(before, after) > PARTS.padding.most) continue;
          const isSame = before === same[names.before] && after === same[names.after];
          // PyTorch also has `same`, for stride 1 only.
          const isUsual = framework === 'nhwc' || stride === 1 ? isSame : before === after && pad === dilated - 1;
          const rest = (input + pad - dilated) % stride === 0 ? 0 : COSTS.remainder;
          const cost = moves + rest + rank / 2 + paddingCost([before, after], dilated, isUsual, isSame);
          found.push({ stride, dilation, before, after, dilated, isSame, cost });
        }
      }
    }
  }
  return found.sort((a, b) => a.cost - b.cost).slice(0, MOST);
}

const upTo = (most: number, given: number | undefined): readonly number[] =>
  given === undefined ? Array.from({ length: most }, (_, i) => i + 1) : [given];

/** The usual ways to divide padding: evenly, with one more cell at the end or at the beginning, and all at one side. */
function splitsOf(pad: number): readonly (readonly [before: number, after: number])[] {
  const [less, more] = [Math.floor(pad / 2), Math.ceil(pad / 2)];
  if (pad === 0) return [[0, 0]];
  if (pad === 1)
    return [
      [0, 1],
      [1, 0],
    ];
  return [[less, more], ...(less === more ? [] : [[more, less] as const]), [0, pad], [pad, 0]];
}

function paddingCost(
  [before, after]: readonly [number, number],
  dilated: number,
  isUsual: boolean,
  isSame: boolean,
): number {
  if (before + after === 0 || isUsual) return 0;
  if (Math.max(before, after) >= dilated) return COSTS.large;
  return before === after || isSame ? COSTS.symmetric : COSTS.asymmetric;
}
