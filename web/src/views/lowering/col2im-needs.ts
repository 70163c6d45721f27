import { coverageOf } from '../../geometry/axis';
import { gridOf, indexAt, outputPositions } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { FoldMode, Geometry } from '../../protocol/problem';
import type { FoldAsk } from '../../protocol/questions';
import { type Answered, type Needs, plainStage } from '../kit/answers';

import { type LoweringChoice, MODES } from './choice';

/** Step of the finite difference. The loss is linear in x, so any step gives its slope; this one is exact in binary. */
const EPSILON = 0.5;

export function col2imNeeds(g: Geometry, choice: LoweringChoice, state: ViewState): Needs {
  const { mode, folded } = choice;
  const partial: FoldAsk[] = [
    { mode, positions: positionsOf(g, Math.max(folded - 1, 0)) },
    { mode, positions: positionsOf(g, folded) },
    { mode: 'sum', positions: positionsOf(g, folded) },
  ];
  const whole = MODES.map(({ value }): FoldAsk => ({ mode: value, positions: 'all' }));
  const asked = [...partial, ...whole];
  const folds = asked.filter((fold, i) => asked.findIndex((other) => isSame(other, fold)) === i);
  return [
    plainStage('dx_col'),
    ...folds.map((fold) => ({ kind: 'fold', ...fold }) as const),
    { kind: 'compare', pass: 'backward_data', algorithms: ['col2im'] },
    {
      kind: 'gradient_check',
      parameter: 'x',
      loss: 'linear',
      target: null,
      precision: 'float64',
      epsilons: [EPSILON],
      indices: Int32Array.of(perturbedCell(g, state)),
    },
  ];
}

export const positionsOf = (g: Geometry, rows: number): FoldAsk['positions'] =>
  rows === outputPositions(g) ? 'all' : rows;

const isSame = (a: FoldAsk, b: FoldAsk): boolean => a.mode === b.mode && a.positions === b.positions;

export const foldOf = (folds: readonly Answered<'fold'>[], mode: FoldMode, positions: FoldAsk['positions']) =>
  folds.find(({ question }) => isSame(question, { mode, positions }))?.answer.tensor;

/** Flat index of the cell of x that is changed: the chosen one, else the first with the most windows. */
export function perturbedCell(g: Geometry, { cell }: ViewState): number {
  const grid = gridOf(g, 'x');
  if (typeof cell === 'number' && Number.isInteger(cell) && cell >= 0 && cell < grid.cells) return cell;
  const { rows, cols } = coverageOf(g);
  return indexAt(grid, { slice: 0, row: rows.indexOf(most(rows)), col: cols.indexOf(most(cols)), channel: 0 });
}

const most = (counts: Int32Array): number => counts.reduce((highest, count) => Math.max(highest, count), 0);
