import type { Layout, Shape, TensorKind } from '../protocol/problem';

/** Tensors by logical axes, so that resizing and generators do not depend on the layout. */

type Four = readonly [number, number, number, number];

/** Sizes and flat strides in logical order, in elements. */
export interface Logical {
  readonly sizes: Four;
  readonly strides: Four;
}

export function logicalOf(kind: TensorKind, layout: Layout, shape: Shape): Logical {
  const [a, b, c, d] = shape;
  if (layout === 'nhwc' || kind === 'bias') return { sizes: shape, strides: [b * c * d, c * d, d, 1] };
  if (kind === 'pixels') return { sizes: [a, c, d, b], strides: [b * c * d, d, 1, c * d] };
  return { sizes: [c, d, b, a], strides: [d, 1, c * d, b * c * d] };
}

export type ValueAt = (i: number, j: number, k: number, l: number) => number;

export const cellsOf = ([a, b, c, d]: Logical['sizes']): number => a * b * c * d;

/** Calls `visit` for each position of the first three axes. */
function forRows([ni, nj, nk]: Four, visit: (i: number, j: number, k: number) => void): void {
  for (let i = 0; i < ni; i += 1) {
    for (let j = 0; j < nj; j += 1) for (let k = 0; k < nk; k += 1) visit(i, j, k);
  }
}

const rowAt = ({ strides: [a, b, c] }: Logical, i: number, j: number, k: number): number => i * a + j * b + k * c;

export function fill(logical: Logical, valueAt: ValueAt): Float32Array {
  const [sizes, step] = [logical.sizes, logical.strides[3]];
  const data = new Float32Array(cellsOf(sizes));
  forRows(sizes, (i, j, k) => {
    const row = rowAt(logical, i, j, k);
    for (let l = 0; l < sizes[3]; l += 1) data[row + l * step] = valueAt(i, j, k, l);
  });
  return data;
}

/** Copies the values at common positions. */
export function copyCommon(from: Float32Array, source: Logical, to: Float32Array, target: Logical): void {
  const common = (axis: 0 | 1 | 2 | 3) => Math.min(source.sizes[axis], target.sizes[axis]);
  const last = common(3);
  forRows([common(0), common(1), common(2), last], (i, j, k) => {
    const [read, write] = [rowAt(source, i, j, k), rowAt(target, i, j, k)];
    for (let l = 0; l < last; l += 1) to[write + l * target.strides[3]] = from[read + l * source.strides[3]] ?? 0;
  });
}

/** The position of a flat index on an axis. */
const along = (axis: 0 | 1 | 2 | 3, index: number, { sizes, strides }: Logical): number =>
  sizes[axis] <= 1 ? 0 : Math.floor(index / strides[axis]) % sizes[axis];

/** The logical position of a flat index; null if the tensor has no such cell. */
export function positionAt(index: number, logical: Logical): Four | null {
  if (!Number.isInteger(index) || index < 0 || index >= cellsOf(logical.sizes)) return null;
  return [along(0, index, logical), along(1, index, logical), along(2, index, logical), along(3, index, logical)];
}

export function indexAt(position: Four, { sizes, strides }: Logical): number | null {
  if (position.some((at, axis) => at >= (sizes[axis] ?? 0))) return null;
  return position.reduce<number>((index, at, axis) => index + at * (strides[axis] ?? 0), 0);
}

/** The flat index of the cell at the same logical position, or of the nearest cell. */
export function nearestIndex(index: number, source: Logical, target: Logical): number {
  let moved = 0;
  for (const axis of [0, 1, 2, 3] as const) {
    moved += Math.max(Math.min(along(axis, index, source), target.sizes[axis] - 1), 0) * target.strides[axis];
  }
  return moved;
}
