import type { Cell } from '../protocol/cell';
import type { Geometry, ProcessName } from '../protocol/problem';
import { outputPositions, positionOf } from './grid';
import { outputOfRow, rowOfOutput } from './matrix';

/** The steps of the sequential processes (conv2d::Process): one output position each, or one cell of x for a gather. */

/** What a step is about. */
export interface StepPosition {
  /** dx_gather walks over the cells of x, all others over the output. */
  readonly over: 'x' | 'y';
  readonly n: number;
  readonly row: number;
  readonly col: number;
}

/** Number of steps; after t of them, the steps 0 .. t - 1 are done. */
export const stepCount = (g: Geometry, process: ProcessName): number =>
  process === 'dx_gather' ? g.n * g.h * g.w : outputPositions(g);

/** The position of step t, 0 <= t < stepCount. */
export function stepPosition(g: Geometry, process: ProcessName, t: number): StepPosition {
  if (process !== 'dx_gather') return { over: 'y', ...outputOfRow(g, t) };
  const rest = Math.floor(t / g.w);
  return { over: 'x', n: Math.floor(rest / g.h), row: rest % g.h, col: t % g.w };
}

/** The step that deals with the cell of x, dx (gather) or y, dy (all others); null when the process has no such step. */
export function stepOfCell(g: Geometry, process: ProcessName, cell: Cell): number | null {
  const p = positionOf(g, cell);
  const overX = cell.tensor === 'x' || cell.tensor === 'dx';
  const overY = cell.tensor === 'y' || cell.tensor === 'dy';
  if (process === 'dx_gather') return overX ? (p.slice * g.h + p.row) * g.w + p.col : null;
  return overY ? rowOfOutput(g, { n: p.slice, row: p.row, col: p.col }) : null;
}
