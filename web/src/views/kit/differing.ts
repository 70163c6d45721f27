import { gridOf } from '../../geometry/grid';
import type { Geometry, Tensor } from '../../protocol/problem';
import { type Area, oneCell } from '../../ui/grid/marks';
import { marked } from './marks';

/** More outlines would hide the values. */
const MOST_OUTLINES = 400;

/** The cells of one plane of dx that differ from the correct ones: `count` of them, and outlines. */
export function differingCells(g: Geometry, found: Tensor, right: Tensor | null, n: number, c: number) {
  const areas: Area[] = [];
  let count = 0;
  const { stride } = gridOf(g, 'dx');
  for (let row = 0; right && row < g.h; row += 1) {
    for (let col = 0; col < g.w; col += 1) {
      const index = n * stride.slice + c * stride.channel + row * stride.row + col * stride.col;
      if (Object.is(found.data[index], right.data[index])) continue;
      count += 1;
      if (areas.length < MOST_OUTLINES) areas.push(oneCell(row, col));
    }
  }
  return { count, of: g.h * g.w, marks: marked('wrong', areas) };
}
