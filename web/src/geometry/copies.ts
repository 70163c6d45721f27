import type { Geometry } from '../protocol/problem';
import { axisOf, readersOf } from './axis';
import { gridOf, indexAt, type Position } from './grid';
import { columnOfTap, rowOfOutput } from './matrix';
import type { Range } from './range';
import type { ListRegion } from './region';

const nth = (range: Range, t: number): number => range.first + range.step * t;

/** The copies of a padded pixel in x_col (and in dx_col), in the order of the taps; null if no window reads it. */
export function copiesOf(g: Geometry, tensor: 'x_col' | 'dx_col', padded: Position): ListRegion | null {
  const rows = readersOf(axisOf(g, 'row'), padded.row);
  const cols = readersOf(axisOf(g, 'col'), padded.col);
  const count = rows.taps.count * cols.taps.count;
  if (count === 0) return null;
  const grid = gridOf(g, tensor);
  const group = Math.floor(padded.channel / g.group_c);
  const channel = padded.channel - group * g.group_c;
  const indices = new Int32Array(count);
  for (let i = 0; i < count; i += 1) {
    const u = Math.floor(i / cols.taps.count);
    const v = i % cols.taps.count;
    indices[i] = indexAt(grid, {
      slice: group,
      row: rowOfOutput(g, { n: padded.slice, row: nth(rows.outputs, u), col: nth(cols.outputs, v) }),
      col: columnOfTap(g, { row: nth(rows.taps, u), col: nth(cols.taps, v), channel }),
      channel: 0,
    });
  }
  return { kind: 'list', tensor, indices, count };
}
