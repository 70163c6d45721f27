import { coverageOf } from '../../geometry/coverage';
import { gridOf, indexAt, outputPositions } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { FoldMode, Geometry } from '../../protocol/problem';
import type { FoldAsk } from '../../protocol/questions';
import { type Answered, type Needs, plainStage } from '../kit/answers';

import { type Choice, MODES } from './choice';

/** The step of the nudge. The loss is a straight line in x, so any step gives its slope; this one is exact in binary. */
const NUDGE = 0.5;

export function foldNeeds(g: Geometry, choice: Choice, state: ViewState): Needs {
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
      epsilons: [NUDGE],
      indices: Int32Array.of(nudgedCell(g, state)),
    },
  ];
}

export const positionsOf = (g: Geometry, rows: number): FoldAsk['positions'] =>
  rows === outputPositions(g) ? 'all' : rows;

const isSame = (a: FoldAsk, b: FoldAsk): boolean => a.mode === b.mode && a.positions === b.positions;

export const foldOf = (folds: readonly Answered<'fold'>[], mode: FoldMode, positions: FoldAsk['positions']) =>
  folds.find(({ question }) => isSame(question, { mode, positions }))?.answer.tensor;

/** The cell of x that is nudged, flat: the one chosen, else the first of those that most windows read. */
export function nudgedCell(g: Geometry, { cell }: ViewState): number {
  const grid = gridOf(g, 'x');
  if (typeof cell === 'number' && Number.isInteger(cell) && cell >= 0 && cell < grid.cells) return cell;
  const { rows, cols } = coverageOf(g);
  return indexAt(grid, { slice: 0, row: rows.indexOf(most(rows)), col: cols.indexOf(most(cols)), channel: 0 });
}

const most = (counts: Int32Array): number => counts.reduce((highest, count) => Math.max(highest, count), 0);
