import { positionOf } from '../geometry/grid';
import { outputOfRow, tapOfColumn } from '../geometry/matrix';
import { stepPosition } from '../geometry/steps';
import type { Cell } from '../protocol/cell';
import type { Geometry, Pass, ProcessName } from '../protocol/problem';
import { DEFAULT_LOOP_ORDERS, type KnownIndices } from './snippet';

/** Loop indices of a step of a player, or of a cell. */

/** The pass of a process. */
export function passOfProcess(process: ProcessName): Pass {
  if (process === 'forward') return 'forward';
  if (process.startsWith('dx')) return 'backward_data';
  return process.startsWith('dw') ? 'backward_weights' : 'backward_bias';
}

/** The pass that computes a cell; null for inputs. */
export function passOfCell({ tensor }: Cell): Pass | null {
  if (tensor === 'y' || tensor === 'y_col') return 'forward';
  if (tensor.startsWith('dx')) return 'backward_data';
  if (tensor.startsWith('dw')) return 'backward_weights';
  return tensor === 'db' ? 'backward_bias' : null;
}

/** The loop order that computes a cell directly: dx by cells of x, or by cells of dy. */
export function loopOrderOfCell(pass: Pass, { tensor }: Cell): ProcessName {
  if (pass === 'backward_data' && /^d?x(_padded)?$/.test(tensor)) return 'dx_gather';
  if (pass === 'backward_weights' && /^d?w(_|$)/.test(tensor)) return 'dw_dilated_dy';
  return DEFAULT_LOOP_ORDERS[pass];
}

/** Indices after `steps` steps of a process, in the selected filter and channel; none before the first step. */
export function indicesOfStep(
  g: Geometry,
  process: ProcessName,
  steps: number,
  focus: { readonly c: number; readonly k: number },
): KnownIndices {
  if (steps < 1) return {};
  const { over, n, row, col } = stepPosition(g, process, steps - 1);
  switch (over) {
    case 'x':
      return { n, r: row, s: col, c: focus.c };
    case 'y':
      return { n, i: row, j: col, k: focus.k };
    case 'dw_uncropped':
      return { p: row, q: col, c: focus.c, k: focus.k };
  }
}

/** Indices of a cell of a tensor or of an im2col matrix; none for other grids. */
export function indicesOfCell(g: Geometry, cell: Cell): KnownIndices {
  const { slice, row, col, channel } = positionOf(g, cell);
  const ofRow = (at: number): KnownIndices => {
    const { n, row: i, col: j } = outputOfRow(g, at);
    return { n, i, j };
  };
  const ofTap = (at: number): KnownIndices => {
    const tap = tapOfColumn(g, at);
    return { p: tap.row, q: tap.col, c: slice * g.group_c + tap.channel };
  };
  switch (cell.tensor) {
    case 'x':
    case 'dx':
      return { n: slice, r: row, s: col, c: channel };
    case 'x_padded':
    case 'dx_padded':
      return { n: slice, r: row - g.padding.top, s: col - g.padding.left, c: channel };
    case 'y':
    case 'dy':
      return { n: slice, i: row, j: col, k: channel };
    case 'w':
    case 'dw':
      return { k: slice, p: row, q: col, c: Math.floor(slice / g.group_k) * g.group_c + channel };
    case 'b':
    case 'db':
      return { k: channel };
    case 'x_col':
    case 'dx_col':
      return { ...ofRow(row), ...ofTap(col) };
    case 'w_col':
    case 'dw_col':
      return { ...ofTap(row), k: slice * g.group_k + col };
    case 'y_col':
    case 'dy_col':
      return { ...ofRow(row), k: slice * g.group_k + col };
    default:
      return {};
  }
}
