import { coverageOf } from '../../geometry/coverage';
import { gridOf, indexAt, outputPositions } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { FoldRequest, FoldResult } from '../../protocol/follow-ups';
import type { FoldMode, Geometry } from '../../protocol/problem';
import type { Needs } from '../kit/needs';

import { type Choice, MODES } from './choice';

/** The step of the nudge. The loss is a straight line in x, so any step gives its slope; this one is exact in binary. */
const NUDGE = 0.5;

export function foldNeeds(g: Geometry, choice: Choice, state: ViewState): Needs {
  const { mode, folded } = choice;
  const partial: FoldRequest[] = [
    { mode, positions: positionsOf(g, Math.max(folded - 1, 0)) },
    { mode, positions: positionsOf(g, folded) },
    { mode: 'sum', positions: positionsOf(g, folded) },
  ];
  const whole = MODES.map(({ value }): FoldRequest => ({ mode: value, positions: 'all' }));
  const asked = [...partial, ...whole];
  return {
    details: {
      stages: [{ stage: 'dx_col', order: 'kh_kw_c', transposed: false }],
      folds: asked.filter((fold, i) => asked.findIndex((other) => isSame(other, fold)) === i),
    },
    compare: { pass: 'backward_data', algorithms: ['col2im'] },
    gradientChecks: [
      {
        parameter: 'x',
        loss: 'linear',
        target: null,
        precision: 'float64',
        epsilons: [NUDGE],
        indices: Int32Array.of(nudgedCell(g, state)),
      },
    ],
  };
}

export const positionsOf = (g: Geometry, rows: number): FoldRequest['positions'] =>
  rows === outputPositions(g) ? 'all' : rows;

const isSame = (a: FoldRequest, b: FoldRequest): boolean => a.mode === b.mode && a.positions === b.positions;

export const foldOf = (folds: readonly FoldResult[], mode: FoldMode, positions: FoldRequest['positions']) =>
  folds.find((fold) => isSame(fold, { mode, positions }))?.tensor;

/** The cell of x that is nudged, flat: the one chosen, else the first of those that most windows read. */
export function nudgedCell(g: Geometry, { cell }: ViewState): number {
  const grid = gridOf(g, 'x');
  if (typeof cell === 'number' && Number.isInteger(cell) && cell >= 0 && cell < grid.cells) return cell;
  const { rows, cols } = coverageOf(g);
  return indexAt(grid, { slice: 0, row: rows.indexOf(most(rows)), col: cols.indexOf(most(cols)), channel: 0 });
}

const most = (counts: Int32Array): number => counts.reduce((highest, count) => Math.max(highest, count), 0);
