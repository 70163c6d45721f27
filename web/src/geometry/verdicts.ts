import type { ConvDesc, Geometry } from '../protocol/problem';
import { dilatedKernel } from '../protocol/shapes';
import { axisOf, type Spatial, type SpatialAxis } from './axis';
import { coverageOf } from './coverage';
import { gcd } from './range';
import { axisNames } from './sizes';

/** What the coverage map says about a geometry, and the one change that mends it. */

export type VerdictKind = 'checkerboard' | 'gridding' | 'starved_corners';

export interface Verdict {
  readonly kind: VerdictKind;
  /** null: both axes together. */
  readonly axis: Spatial | null;
  /** One sentence with the numbers. */
  readonly message: string;
  readonly remedy: Remedy;
}

export interface Remedy {
  /** "kernel 3 -> 4" */
  readonly label: string;
  readonly patch: Partial<ConvDesc>;
}

const AXES: readonly Spatial[] = ['row', 'col'];
const nounOf = (axis: Spatial): string => (axis === 'row' ? 'rows' : 'columns');

export function coverageVerdicts(g: Geometry): readonly Verdict[] {
  const verdicts = AXES.flatMap((axis) => [gridding(g, axis), checkerboard(g, axis)]);
  // With an uneven lattice a corner may be unread whatever the padding is, so corners are judged once it is even.
  if (AXES.every((axis) => isEven(axisOf(g, axis)))) verdicts.push(starvedCorners(g));
  return verdicts.filter(isVerdict);
}

/** Cells after which the pattern of taps repeats, on the lattice that they reach. One tap has no dilation. */
const periodOf = ({ kernel, stride, dilation }: SpatialAxis): number =>
  kernel === 1 ? stride : stride / gcd(stride, dilation);

/** Far from the edges, every cell is read equally often. */
const isEven = (axis: SpatialAxis): boolean => periodOf(axis) === axis.stride && axis.kernel % axis.stride === 0;

const isVerdict = (verdict: Verdict | null): verdict is Verdict => verdict !== null;

/** Taps that read a cell far from the edges, by the cell's coordinate modulo the stride. */
function interiorCounts({ kernel, stride, dilation }: SpatialAxis): readonly number[] {
  const counts = new Array<number>(stride).fill(0);
  for (let tap = 0; tap < kernel; tap += 1) {
    const residue = (tap * dilation) % stride;
    counts[residue] = (counts[residue] ?? 0) + 1;
  }
  return counts;
}

/** Stride and dilation share a factor: all taps of all windows land on the same lattice, the cells between are never read. */
function gridding(g: Geometry, axis: Spatial): Verdict | null {
  const spatial = axisOf(g, axis);
  const common = gcd(spatial.stride, spatial.dilation);
  if (common === 1 || spatial.kernel === 1) return null;
  const { dilation: field } = axisNames(axis);
  const target = coprimeBelow(spatial.dilation, spatial.stride);
  const noun = nounOf(axis);
  return {
    kind: 'gridding',
    axis,
    message: `stride ${spatial.stride} and dilation ${spatial.dilation} share the factor ${common}: only 1 of ${common} ${noun} of x is ever read`,
    remedy: { label: `${field} ${spatial.dilation} \u2192 ${target}`, patch: { [field]: target } },
  };
}

function coprimeBelow(dilation: number, stride: number): number {
  let value = dilation - 1;
  while (value > 1 && gcd(value, stride) !== 1) value -= 1;
  return value;
}

/** Windows overlap unevenly: on the lattice that they reach, some cells are read more often than their neighbours. */
function checkerboard(g: Geometry, axis: Spatial): Verdict | null {
  const spatial = axisOf(g, axis);
  const { kernel, stride, output } = spatial;
  const period = periodOf(spatial);
  if (output < 2 || kernel % period === 0) return null;
  const counts = interiorCounts(spatial);
  return {
    kind: 'checkerboard',
    axis,
    message: `kernel ${kernel} is no multiple of ${stride === period ? 'stride' : 'stride / factor'} ${period}: ${nounOf(axis)} of x are read ${counts.join('\u2013')} times in turn, and dx shows the pattern`,
    remedy: evenKernel(g, axis, period),
  };
}

/** The next larger kernel that is a multiple of the period, or stride 1 where that does not fit. */
function evenKernel(g: Geometry, axis: Spatial, period: number): Remedy {
  const names = axisNames(axis);
  const { kernel, stride, dilation, input, before, after } = axisOf(g, axis);
  const target = kernel + period - (kernel % period);
  if (dilatedKernel(target, dilation) <= input + before + after) {
    return { label: `${names.kernel} ${kernel} \u2192 ${target}`, patch: { [names.kernel]: target } };
  }
  return { label: `${names.stride} ${stride} \u2192 1`, patch: { [names.stride]: 1 } };
}

/** A corner read less often than a quarter of the best covered cell. */
const STARVED = 4;

function starvedCorners(g: Geometry): Verdict | null {
  const { rows, cols } = coverageOf(g);
  const most = highest(rows) * highest(cols);
  const corners = [rows.at(0), rows.at(-1)].flatMap((row) =>
    [cols.at(0), cols.at(-1)].map((col) => (row ?? 0) * (col ?? 0)),
  );
  const least = Math.min(...corners);
  if (most === 0 || least * STARVED >= most) return null;
  return {
    kind: 'starved_corners',
    axis: null,
    message: `a corner of x is read ${least} of ${most} times: its weights in dx are nearly all missing`,
    remedy: { label: "padding \u2192 'full'", patch: { padding_mode: 'full' } },
  };
}

const highest = (counts: Int32Array): number => counts.reduce((most, count) => Math.max(most, count), 0);
