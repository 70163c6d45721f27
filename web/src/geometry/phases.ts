import type { Geometry } from '../protocol/problem';
import { axisOf, type Spatial } from './axis';

/** One axis of a phase (conv2d::PhaseAxis): every stride-th cell of x, and the taps of w that reach these cells. */
interface PhaseAxis {
  readonly firstCell: number;
  readonly cells: number;
  readonly taps: readonly number[];
}

/** The interleaved grids that a stride splits dx into; each needs only its own taps. */
export interface Phase {
  readonly rows: PhaseAxis;
  readonly cols: PhaseAxis;
}

export function phasesOf(g: Geometry): readonly Phase[] {
  const cols = phaseAxes(g, 'col');
  return phaseAxes(g, 'row').flatMap((row) => cols.map((col) => ({ rows: row, cols: col })));
}

function phaseAxes(g: Geometry, axis: Spatial): readonly PhaseAxis[] {
  const { input, kernel, stride, dilation, before } = axisOf(g, axis);
  return Array.from({ length: Math.min(stride, input) }, (_, firstCell) => ({
    firstCell,
    cells: Math.ceil((input - firstCell) / stride),
    // Tap p reaches a cell from the output (cell + before - p * dilation) / stride, if that is a whole number.
    taps: Array.from({ length: kernel }, (_tap, p) => p).filter(
      (p) => (firstCell + before - p * dilation) % stride === 0,
    ),
  }));
}
