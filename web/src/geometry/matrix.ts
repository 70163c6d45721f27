import type { Geometry, GridName } from '../protocol/problem';
import { axisOf, nth, readersOf } from './axis';
import {
  type Grid,
  gridOf,
  hasForms,
  indexAt,
  type ListRegion,
  type MatrixForm,
  outputPositions,
  type Position,
} from './grid';

/** Rows and columns of the im2col matrices, and their displayed forms. */

/** One tap of a window; the channel is counted within the group. */
interface Tap {
  readonly row: number;
  readonly col: number;
  readonly channel: number;
}

export interface OutputPosition {
  readonly n: number;
  readonly row: number;
  readonly col: number;
}

/** The output position of a row of x_col, y_col, dy_col or dx_col. */
export function outputOfRow(g: Geometry, row: number): OutputPosition {
  const col = row % g.ow;
  const rest = Math.floor(row / g.ow);
  return { n: Math.floor(rest / g.oh), row: rest % g.oh, col };
}

export const rowOfOutput = (g: Geometry, { slice, row, col }: Omit<Position, 'channel'>): number =>
  (slice * g.oh + row) * g.ow + col;

/** The tap of a column of x_col and dx_col (a row of w_col and dw_col), in plain form. */
export function tapOfColumn(g: Geometry, column: number): Tap {
  const channel = column % g.group_c;
  const rest = Math.floor(column / g.group_c);
  return { row: Math.floor(rest / g.kw), col: rest % g.kw, channel };
}

export const columnOfTap = (g: Geometry, { row, col, channel }: Tap): number =>
  (row * g.kw + col) * g.group_c + channel;

/** The axis of a matrix that counts taps and depends on the column order. */
export function tapAxis(name: GridName): 'row' | 'col' | null {
  if (name === 'x_col' || name === 'dx_col') return 'col';
  if (name === 'w_col' || name === 'dw_col') return 'row';
  return null;
}

const orderedTap = (g: Geometry, { row, col, channel }: Tap) => (channel * g.kh + row) * g.kw + col;

function tapOfOrdered(g: Geometry, ordered: number): Tap {
  const col = ordered % g.kw;
  const rest = Math.floor(ordered / g.kw);
  return { channel: Math.floor(rest / g.kh), row: rest % g.kh, col };
}

/** The grid of a matrix in the displayed form (a StageResult of that form has this shape). */
export function shownGrid(g: Geometry, name: GridName, form: MatrixForm): Grid {
  const plain = gridOf(g, name);
  if (!form.transposed || !hasForms(name)) return plain;
  const { slice, row, col, channel } = plain.size;
  return {
    ...plain,
    shape: [slice, col, row, channel],
    size: { slice, row: col, col: row, channel },
    stride: { slice: row * col, row, col: 1, channel: 0 },
  };
}

/** Maps a position from plain to displayed form. Tensors that are not matrices do not change. */
export function toShown(g: Geometry, name: GridName, position: Position, form: MatrixForm): Position {
  const axis = tapAxis(name);
  const ordered =
    axis && form.order === 'c_kh_kw'
      ? { ...position, [axis]: orderedTap(g, tapOfColumn(g, position[axis])) }
      : position;
  return form.transposed && hasForms(name) ? { ...ordered, row: ordered.col, col: ordered.row } : ordered;
}

/** The inverse of `toShown`. */
export function fromShown(g: Geometry, name: GridName, position: Position, form: MatrixForm): Position {
  const upright = form.transposed && hasForms(name) ? { ...position, row: position.col, col: position.row } : position;
  const axis = tapAxis(name);
  return axis && form.order === 'c_kh_kw'
    ? { ...upright, [axis]: columnOfTap(g, tapOfOrdered(g, upright[axis])) }
    : upright;
}

/** Expansion factor of im2col: |x_col| / |x|. */
export function im2colRatio(g: Geometry): number {
  const x = g.n * g.h * g.w * g.c;
  return x === 0 ? 0 : (outputPositions(g) * g.kh * g.kw * g.c) / x;
}

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
      row: rowOfOutput(g, { slice: padded.slice, row: nth(rows.outputs, u), col: nth(cols.outputs, v) }),
      col: columnOfTap(g, { row: nth(rows.taps, u), col: nth(cols.taps, v), channel }),
      channel: 0,
    });
  }
  return { kind: 'list', tensor, indices, count };
}
