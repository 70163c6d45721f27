import { weightAt } from '../../geometry/conv-matrix';
import { cellAt, gridOf, isInside, positionOf } from '../../geometry/grid';
import type { Content } from '../../protocol/messages';
import { type Cell, type Geometry, isTensor } from '../../protocol/problem';

/** The value of a cell of a tensor, of the padding or of C; null: of another grid. */
export function valueIn(g: Geometry, tensors: Content['tensors'], { tensor, index }: Cell): number | null {
  if (tensor === 'x_padded') {
    const { slice, row, col, channel } = positionOf(g, { tensor, index });
    const inside = isInside(gridOf(g, 'x'), { slice, row: row - g.padding.top, col: col - g.padding.left, channel });
    return inside ? null : 0;
  }
  if (tensor === 'C') {
    const { row, col } = positionOf(g, { tensor, index });
    const weight = weightAt(g, row, col);
    const cell = weight && cellAt(g, 'w', weight);
    return cell && valueIn(g, tensors, cell);
  }
  return isTensor(tensor) ? (tensors[tensor]?.data[index] ?? null) : null;
}
