import { cellAt, gridOf, positionOf } from '../../../geometry/grid';
import type { Cell, Hidden } from '../../../protocol/cell';
import type { Geometry } from '../../../protocol/problem';
import { isTensor } from '../../../protocol/tensors';

/** How much is hidden or revealed at once. */
export type Extent = 'cell' | 'row' | 'tensor';

/** Users hide cells of tensors only. Cells of intermediate matrices are hidden if they depend on hidden values. */
export const canHide = ({ tensor }: Cell): boolean => isTensor(tensor);

export const isMasked = (masked: readonly Hidden[], { tensor, index }: Cell): boolean =>
  masked.some((entry) => entry.tensor === tensor && (entry.index === null || entry.index === index));

/** Cells. In a larger tensor, revealing one cell reveals all: a link names each hidden cell. */
const MAX_NAMED = 512;

function cellsOf(g: Geometry, cell: Cell, extent: Extent): readonly number[] {
  const { cells, size } = gridOf(g, cell.tensor);
  if (extent === 'cell') return [cell.index];
  if (extent === 'tensor') return Array.from({ length: cells }, (_, index) => index);
  const { slice, row, channel } = positionOf(g, cell);
  return Array.from(
    { length: size.col },
    (_, col) => cellAt(g, cell.tensor, { slice, row, col, channel })?.index ?? cell.index,
  );
}

export function withHidden(g: Geometry, masked: readonly Hidden[], cell: Cell, extent: Extent): readonly Hidden[] {
  const { tensor } = cell;
  if (extent === 'tensor') return [...masked.filter((entry) => entry.tensor !== tensor), { tensor, index: null }];
  const more = cellsOf(g, cell, extent).filter((index) => !isMasked(masked, { tensor, index }));
  return [...masked, ...more.map((index) => ({ tensor, index }))];
}

export function withRevealed(g: Geometry, masked: readonly Hidden[], cell: Cell, extent: Extent): readonly Hidden[] {
  const { tensor } = cell;
  const others = masked.filter((entry) => entry.tensor !== tensor);
  if (extent === 'tensor' || gridOf(g, tensor).cells > MAX_NAMED) return others;
  const shown = new Set(cellsOf(g, cell, extent));
  const left = cellsOf(g, cell, 'tensor').filter((index) => !shown.has(index) && isMasked(masked, { tensor, index }));
  return [...others, ...left.map((index) => ({ tensor, index }))];
}
