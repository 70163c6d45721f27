import { tapOfColumn } from '../../geometry/matrix';
import { pixelOfColumn } from '../../geometry/rules';
import type { Geometry, Tensor } from '../../protocol/problem';
import { formatCell } from '../../ui/numbers';

/** One entry of dx_col on its way to the cell of dx that it is a copy of. */
export interface Flyer {
  readonly fromRow: number;
  readonly fromCol: number;
  readonly toRow: number;
  readonly toCol: number;
  readonly text: string;
}

/** The entries of a row of dx_col that go to channel `c` of dx; those of the padding go nowhere. */
export function flyersOf(g: Geometry, dx_col: Tensor, row: number, c: number): readonly Flyer[] {
  const group = Math.floor(c / g.group_c);
  const [, rows, cols] = dx_col.shape;
  const flyers: Flyer[] = [];
  for (let col = 0; col < cols; col += 1) {
    if (tapOfColumn(g, col).channel !== c % g.group_c) continue;
    const home = pixelOfColumn(g, { slice: group, row, col, channel: 0 });
    if (home.row < 0 || home.row >= g.h || home.col < 0 || home.col >= g.w) continue;
    const value = dx_col.data[(group * rows + row) * cols + col] ?? 0;
    const text = formatCell(value, { digits: 2, chars: 4 });
    flyers.push({ fromRow: row, fromCol: col, toRow: home.row, toCol: home.col, text });
  }
  return flyers;
}
