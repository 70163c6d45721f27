import { axisNames, type Spatial } from '../../geometry/axis';
import { type AxisField, type AxisSizes, axisSizes } from '../../geometry/sizes';
import type { ConvDesc } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';

/** Axes with the same sizes, shown and changed together. */
export interface AxisGroup {
  readonly id: string;
  readonly title: string;
  /** The first of `axes`; its sizes are those of all. */
  readonly axis: Spatial;
  readonly axes: readonly Spatial[];
  /** One of its sizes, and one of its lines of x. */
  readonly size: string;
  readonly line: string;
}

const BOTH = { id: 'both', title: 'Rows and columns', size: 'size', line: 'row and column' } as const;
const TOGETHER: readonly AxisGroup[] = [{ ...BOTH, axis: 'row', axes: ['row', 'col'] }];
const APART: readonly AxisGroup[] = [
  { id: 'row', title: 'Rows', axis: 'row', axes: ['row'], size: 'height', line: 'row' },
  { id: 'col', title: 'Columns', axis: 'col', axes: ['col'], size: 'width', line: 'column' },
];

export function axisGroups(desc: ConvDesc): readonly AxisGroup[] {
  const { top, bottom, left, right } = resolvePadding(desc);
  const [rows, cols] = [axisSizes(desc, 'row'), axisSizes(desc, 'col')];
  const same = AXIS_FIELDS.every((field) => rows[field] === cols[field]) && top === left && bottom === right;
  return same ? TOGETHER : APART;
}

export const AXIS_FIELDS: readonly AxisField[] = ['in', 'pad', 'kernel', 'dilation', 'stride', 'out'];

/** Another input size; the padding mode is kept. */
export function inputPatch({ axes }: AxisGroup, value: number): Partial<ConvDesc> {
  return merged(axes.map((axis) => ({ [axisNames(axis).in]: value })));
}

/** A solution of the size formula. The padding becomes explicit, so that it stays the padding of the solution. */
export function solutionPatch(desc: ConvDesc, { axes }: AxisGroup, field: AxisField, value: number): Partial<ConvDesc> {
  const now = resolvePadding(desc);
  if (field === 'pad') {
    const before = Math.floor(value / 2);
    const sides = axes.map((axis) => ({ [axisNames(axis).before]: before, [axisNames(axis).after]: value - before }));
    return { padding_mode: 'explicit_sides', padding: { ...now, ...merged(sides) } };
  }
  if (field === 'out') return {};
  const sizes = merged(axes.map((axis) => ({ [axisNames(axis)[field]]: value })));
  return { ...sizes, padding_mode: 'explicit_sides', padding: now };
}

const merged = <T extends object>(parts: readonly T[]): Partial<T> => Object.assign({}, ...parts);

/** Largest value tried when the formula is solved for a field. */
const MOST: Readonly<Record<AxisField, number>> = { in: 128, pad: 64, kernel: 31, dilation: 32, stride: 32, out: 128 };

export const mostOf = (field: AxisField, sizes: AxisSizes): number => Math.max(MOST[field], sizes[field]);
