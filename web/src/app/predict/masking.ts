import { cellAt, gridOf, positionOf } from '../../geometry/grid';
import type { Cell, Hidden } from '../../protocol/cell';
import type { Geometry, TensorName } from '../../protocol/problem';

/** How much is hidden, or revealed, at a time. */
export type Extent = 'cell' | 'row' | 'tensor';

const TENSORS: ReadonlySet<string> = new Set<TensorName>(['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db']);

/** Only cells of tensors are hidden by hand: those of a stage are hidden with what they are made of. */
export const canHide = ({ tensor }: Cell): boolean => TENSORS.has(tensor);

export const isMasked = (masked: readonly Hidden[], { tensor, index }: Cell): boolean =>
  masked.some((entry) => entry.tensor === tensor && (entry.index === null || entry.index === index));

/** More cells than this are hidden and revealed together: a link names each of them. */
const MOST_NAMED = 512;

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
  if (extent === 'tensor' || gridOf(g, tensor).cells > MOST_NAMED) return others;
  const shown = new Set(cellsOf(g, cell, extent));
  const left = cellsOf(g, cell, 'tensor').filter((index) => !shown.has(index) && isMasked(masked, { tensor, index }));
  return [...others, ...left.map((index) => ({ tensor, index }))];
}
