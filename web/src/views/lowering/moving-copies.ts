import { tapOfColumn } from '../../geometry/matrix';
import { pixelOfColumn } from '../../geometry/rules';
import type { Geometry, Tensor } from '../../protocol/problem';
import { formatCell } from '../../ui/numbers';

/** The animation of one entry of dx_col to its cell of dx. */
export interface MovingCopy {
  readonly fromRow: number;
  readonly fromCol: number;
  readonly toRow: number;
  readonly toCol: number;
  readonly text: string;
}

/** The entries of a row of dx_col for channel `c` of dx, without those of the padding. */
export function movingCopiesOf(g: Geometry, dx_col: Tensor, row: number, c: number): readonly MovingCopy[] {
  const group = Math.floor(c / g.group_c);
  const [, rows, cols] = dx_col.shape;
  const copies: MovingCopy[] = [];
  for (let col = 0; col < cols; col += 1) {
    if (tapOfColumn(g, col).channel !== c % g.group_c) continue;
    const pixel = pixelOfColumn(g, { slice: group, row, col, channel: 0 });
    if (pixel.row < 0 || pixel.row >= g.h || pixel.col < 0 || pixel.col >= g.w) continue;
    const value = dx_col.data[(group * rows + row) * cols + col] ?? 0;
    const text = formatCell(value, { digits: 2, chars: 4 });
    copies.push({ fromRow: row, fromCol: col, toRow: pixel.row, toCol: pixel.col, text });
  }
  return copies;
}
