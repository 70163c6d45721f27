import { consecutive, coverageOf, single } from '../../geometry/axis';
import { cellAt, gridOf, indexAt, outputPositions } from '../../geometry/grid';
import { pixelLabel } from '../../geometry/labels';
import { outputOfRow } from '../../geometry/matrix';
import { box, matrixRow } from '../../geometry/region';
import { tapsInPadding } from '../../geometry/window';
import type { ViewState } from '../../look/look';
import type { Highlights } from '../../look/look-store';
import type { FoldMode, Geometry } from '../../protocol/problem';
import type { FoldAsk } from '../../protocol/questions';
import { formatCount } from '../../ui/quantities';
import { type Answered, type Needs, plainStage } from '../kit/answers';
import { stepHighlights } from '../kit/marks';
import { windowText } from '../kit/walk/frame';
import { FOLD_MODES, loweringChoice } from './choice';

/** Step of the finite difference. The loss is linear in x, so any step gives its slope; this one is exact in binary. */
const EPSILON = 0.5;

export function col2imNeeds(g: Geometry, state: ViewState): Needs {
  const { mode, folded } = loweringChoice(g, state);
  const partial: FoldAsk[] = [
    { mode, positions: positionsOf(g, Math.max(folded - 1, 0)) },
    { mode, positions: positionsOf(g, folded) },
    { mode: 'sum', positions: positionsOf(g, folded) },
  ];
  const whole = FOLD_MODES.map(({ value }): FoldAsk => ({ mode: value, positions: 'all' }));
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

/** The highlights of the last row added: the row of dx_col and its window of dx. */
export function foldFrame(g: Geometry, row: number, group: number): Highlights | null {
  const { n, row: i, col: j } = outputOfRow(g, row);
  const cell = cellAt(g, 'dy', { slice: n, row: i, col: j, channel: group * g.group_k });
  if (!cell) return null;
  const window = box(g, 'dx', {
    slice: single(n),
    row: { first: i * g.stride_h - g.padding.top, step: g.dilation_h, count: g.kh },
    col: { first: j * g.stride_w - g.padding.left, step: g.dilation_w, count: g.kw },
    channel: consecutive(group * g.group_c, g.group_c),
  });
  const line = box(g, 'dx_col', matrixRow(group, row));
  return stepHighlights(cell, line ? [line] : [], window ? [window] : []);
}

const ACTIONS: Readonly<Record<FoldMode, string>> = {
  sum: 'is added to',
  average: 'is averaged into',
  overwrite: 'overwrites',
};

/** "Row 3 of dx_col, from dy[1,0], is added to rows 1 to 3, columns 0 to 2 of dx." */
export function foldSentence(g: Geometry, row: number, mode: FoldMode): string {
  const { n, row: i, col: j } = outputOfRow(g, row);
  const lost = tapsInPadding(g, i, j);
  const padding = lost > 0 ? ` ${lost} of ${g.kh * g.kw} are in the padding and are dropped.` : '';
  return `Row ${row} of dx_col, from ${pixelLabel(g, 'dy', { slice: n, row: i, col: j })}, ${ACTIONS[mode]} ${windowText(g, i, j)} of dx.${padding}`;
}

export function foldSubtitle(mode: FoldMode, done: number, total: number): string {
  const rows = done === total ? 'all rows' : `${formatCount(done)} of ${formatCount(total)} rows`;
  return mode === 'sum' ? rows : `${rows}, wrong`;
}

export function foldWrongText(mode: FoldMode, count: number, of: number): string {
  if (count === 0) return 'So far no cell differs from the sum.';
  const why = mode === 'average' ? 'cells in several windows are too small' : 'only the last window counts';
  return `${formatCount(count)} of ${formatCount(of)} cells differ from the sum (outlined): ${why}.`;
}
