import type { Geometry, ProcessName } from '../protocol/problem';
import { gridOf } from './grid';
import type { OutputPosition } from './matrix';

/** Steps of the sequential processes (conv2d::Process): each step handles one position with all channels or filters. */

type StepGrid = 'x' | 'y' | 'dw_uncropped';

/** The position of a step: a pixel of x (gather), an output position, or a position of the dilated dy, where n is 0. */
export interface StepPosition extends OutputPosition {
  readonly over: StepGrid;
}

/** Where it is not y. */
const STEP_GRIDS: Readonly<Partial<Record<ProcessName, StepGrid>>> = {
  ...{ dx_gather: 'x', dx_full_conv: 'x', dx_full_conv_unflipped: 'x', dw_dilated_dy: 'dw_uncropped' },
};

/** Samples, rows and columns of the steps; a position of the dilated dy sums over the batch. */
function walkOf(g: Geometry, process: ProcessName) {
  const over = STEP_GRIDS[process] ?? 'y';
  const { size } = gridOf(g, over);
  return { over, samples: over === 'dw_uncropped' ? 1 : g.n, rows: size.row, cols: size.col };
}

/** Number of steps; after t of them, the steps 0 .. t - 1 are done. */
export function stepCount(g: Geometry, process: ProcessName): number {
  const { samples, rows, cols } = walkOf(g, process);
  return samples * rows * cols;
}

/** The position of step t, 0 <= t < stepCount: sample by sample, row by row. */
export function stepPosition(g: Geometry, process: ProcessName, t: number): StepPosition {
  const { over, rows, cols } = walkOf(g, process);
  const line = Math.floor(t / cols);
  return { over, n: Math.floor(line / rows), row: line % rows, col: t % cols };
}
