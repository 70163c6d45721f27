import type { ConvDesc, Geometry } from '../protocol/problem';
import { dilatedKernel } from '../protocol/shapes';
import { axisNames, axisOf, coverageOf, gcd, type Spatial, type SpatialAxis } from './axis';

/** Problems of a geometry that the coverage map shows, and a change that fixes each. */

export type VerdictKind = 'checkerboard' | 'gridding' | 'starved_corners';

export interface CoverageVerdict {
  readonly kind: VerdictKind;
  /** null: both axes together. */
  readonly axis: Spatial | null;
  /** One sentence with the numbers. */
  readonly message: string;
  readonly fix: GeometryFix;
}

interface GeometryFix {
  /** "kernel 3 -> 4" */
  readonly label: string;
  readonly patch: Partial<ConvDesc>;
}

const AXES: readonly Spatial[] = ['row', 'col'];
const nounOf = (axis: Spatial) => (axis === 'row' ? 'rows' : 'columns');

export function coverageVerdicts(g: Geometry): readonly CoverageVerdict[] {
  const verdicts = AXES.flatMap((axis) => [gridding(g, axis), checkerboard(g, axis)]);
  // On an uneven lattice a corner may be unread with any padding, so corners are checked only on an even one.
  if (AXES.every((axis) => isEven(axisOf(g, axis)))) verdicts.push(starvedCorners(g));
  return verdicts.filter((verdict) => verdict !== null);
}

/** Period of the pattern of taps in cells, on the lattice that they reach. One tap has no dilation. */
const periodOf = ({ kernel, stride, dilation }: SpatialAxis) =>
  kernel === 1 ? stride : stride / gcd(stride, dilation);

/** True if all cells far from the edges are read equally often. */
const isEven = (axis: SpatialAxis) => periodOf(axis) === axis.stride && axis.kernel % axis.stride === 0;

/** Number of taps that read a cell far from the edges, by the cell's coordinate modulo the stride. */
function interiorCounts({ kernel, stride, dilation }: SpatialAxis) {
  const counts = new Array<number>(stride).fill(0);
  for (let tap = 0; tap < kernel; tap += 1) {
    const residue = (tap * dilation) % stride;
    counts[residue] = (counts[residue] ?? 0) + 1;
  }
  return counts;
}

/**
 * Stride and dilation share a factor: all taps of all windows are on one lattice, and the cells in between are never
 * read.
 */
function gridding(g: Geometry, axis: Spatial): CoverageVerdict | null {
  const spatial = axisOf(g, axis);
  const common = gcd(spatial.stride, spatial.dilation);
  if (common === 1 || spatial.kernel === 1) return null;
  const { dilation: field } = axisNames(axis);
  const target = coprimeBelow(spatial.dilation, spatial.stride);
  return {
    kind: 'gridding',
    axis,
    message: `stride ${spatial.stride} and dilation ${spatial.dilation} share the factor ${common}: only 1 of ${common} ${nounOf(axis)} of x is read`,
    fix: { label: `${field} ${spatial.dilation} \u2192 ${target}`, patch: { [field]: target } },
  };
}

function coprimeBelow(dilation: number, stride: number) {
  let value = dilation - 1;
  while (value > 1 && gcd(value, stride) !== 1) value -= 1;
  return value;
}

/** Uneven overlap of windows: on their lattice, some cells are read more often than their neighbors. */
function checkerboard(g: Geometry, axis: Spatial): CoverageVerdict | null {
  const spatial = axisOf(g, axis);
  const { kernel, stride, output } = spatial;
  const period = periodOf(spatial);
  if (output < 2 || kernel % period === 0) return null;
  return {
    kind: 'checkerboard',
    axis,
    message: `kernel ${kernel} is not a multiple of ${stride === period ? 'stride' : 'stride / factor'} ${period}: ${nounOf(axis)} of x are read ${interiorCounts(spatial).join(', then ')} times in turn, which dx shows as a pattern`,
    fix: evenKernel(g, axis, period),
  };
}

/** The next larger kernel that is a multiple of the period, or stride 1 if it does not fit. */
function evenKernel(g: Geometry, axis: Spatial, period: number): GeometryFix {
  const names = axisNames(axis);
  const { kernel, stride, dilation, input, before, after } = axisOf(g, axis);
  const target = kernel + period - (kernel % period);
  if (dilatedKernel(target, dilation) <= input + before + after) {
    return { label: `${names.kernel} ${kernel} \u2192 ${target}`, patch: { [names.kernel]: target } };
  }
  return { label: `${names.stride} ${stride} \u2192 1`, patch: { [names.stride]: 1 } };
}

/** A corner is starved if it is read less than 1/4 as often as the most read cell. */
const STARVED = 4;

function starvedCorners(g: Geometry): CoverageVerdict | null {
  const { least, most } = cornersOf(g);
  if (!isStarved({ least, most })) return null;
  const mode = isStarved(cornersOf(withSamePadding(g))) ? 'full' : 'same';
  const windows = least === 0 ? 'no window' : least === 1 ? 'only 1 window' : `only ${least} windows`;
  return {
    kind: 'starved_corners',
    axis: null,
    message: `a corner of x is in ${windows}, other cells in up to ${most}: its gradient has few terms`,
    fix: { label: `padding \u2192 ${mode}`, patch: { padding_mode: mode } },
  };
}

/** How often the least read corner and the most read cell are read. */
function cornersOf(g: Geometry) {
  const { rows, cols } = coverageOf(g);
  const corners = [rows.at(0), rows.at(-1)].flatMap((row) =>
    [cols.at(0), cols.at(-1)].map((col) => (row ?? 0) * (col ?? 0)),
  );
  return { least: Math.min(...corners), most: highest(rows) * highest(cols) };
}

const isStarved = ({ least, most }: ReturnType<typeof cornersOf>) => least * STARVED < most;

/** With `same` padding for stride 1; with another stride, unchanged. */
function withSamePadding(g: Geometry) {
  if (g.stride_h > 1 || g.stride_w > 1) return g;
  const [down, across] = [g.dilated_kh - 1, g.dilated_kw - 1];
  const [top, left] = [Math.floor(down / 2), Math.floor(across / 2)];
  return { ...g, padding: { top, bottom: down - top, left, right: across - left }, oh: g.h, ow: g.w };
}

const highest = (counts: Int32Array) => counts.reduce((most, count) => Math.max(most, count), 0);
