import type { Cell } from '../protocol/cell';
import type { ConvDesc, Geometry, Shape } from '../protocol/problem';
import { yShape } from '../protocol/shapes';
import { type InputName, KIND_OF, shapeOf } from '../protocol/tensors';
import { indexAt, type Logical, logicalOf, positionAt } from '../sources/logical';

/** Cells of one input, as flat indices in the geometry of the result in which they were selected. */
export interface AddressedCells {
  readonly tensor: InputName;
  readonly indices: readonly number[];
  readonly geometry: Geometry;
}

export const cellAt = (tensor: InputName, { index }: Pick<Cell, 'index'>, geometry: Geometry): AddressedCells => ({
  tensor,
  indices: [index],
  geometry,
});

function shapeBefore(g: Geometry, tensor: InputName): Shape {
  const plane = (rows: number, cols: number, channels: number): Shape =>
    g.layout === 'nhwc' ? [g.n, rows, cols, channels] : [g.n, channels, rows, cols];
  if (tensor === 'x') return plane(g.h, g.w, g.c);
  if (tensor === 'dy') return plane(g.oh, g.ow, g.k);
  if (tensor === 'b') return [1, 1, 1, g.k];
  return g.layout === 'nhwc' ? [g.kh, g.kw, g.group_c, g.k] : [g.k, g.group_c, g.kh, g.kw];
}

/**
 * The same cells by position (image, row, column, channel or filter) in the current problem; missing ones are left out.
 */
export function cellsIn(desc: ConvDesc, { tensor, indices, geometry }: AddressedCells): readonly number[] {
  const kind = KIND_OF[tensor];
  const from: Logical = logicalOf(kind, geometry.layout, shapeBefore(geometry, tensor));
  const to = logicalOf(kind, desc.layout, shapeOf(tensor, desc));
  return indices.flatMap((index) => {
    const position = positionAt(index, from);
    const found = position && indexAt(position, to);
    return found ?? [];
  });
}

/** True if y has the same shape and layout in `geometry`. */
export function isSameOutput(desc: ConvDesc, geometry: Geometry): boolean {
  const before = shapeBefore(geometry, 'dy');
  return desc.layout === geometry.layout && yShape(desc).every((size, i) => size === before[i]);
}

/** The reason why an edit changed nothing. */
export function missingCellText(desc: ConvDesc, { tensor, indices, geometry }: AddressedCells): string {
  const before = shapeBefore(geometry, tensor);
  return shapeOf(tensor, desc).every((size, i) => size === before[i])
    ? `${tensor} has no cell ${indices[0]}`
    : `the size of ${tensor} has changed and the cell no longer exists`;
}
