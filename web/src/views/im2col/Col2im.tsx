import { useMemo } from 'preact/hooks';
import { coverageOf } from '../../geometry/axis';
import {
  cellAt,
  gridOf,
  groupOfChannel,
  indexAt,
  outputPositions,
  PLAIN_FORM,
  positionOf,
  windowCells,
} from '../../geometry/grid';
import { cellLabel, pixelLabel } from '../../geometry/labels';
import { targetsOf } from '../../geometry/links';
import { outputOfRow } from '../../geometry/matrix';
import { tapsInPadding } from '../../geometry/window';
import type { ViewState } from '../../look/look';
import type { Cell, FoldMode, Geometry, GridName } from '../../protocol/problem';
import type { FoldAsk } from '../../protocol/questions';
import { Segmented } from '../../ui/controls/Choice';
import { formatCell } from '../../ui/numbers';
import { formatCount } from '../../ui/quantities';
import { Table } from '../../ui/Table';
import {
  type Answered,
  differingCells,
  inColorsOf,
  isConfirmed,
  type Needs,
  plainStage,
  stageIn,
} from '../shared/answers';
import { Badge } from '../shared/Badge';
import { AROUND } from '../shared/fit';
import { fitGrid } from '../shared/fit-grid';
import { stepHighlights } from '../shared/plane';
import { LayoutBox } from '../shared/stage/LayoutBox';
import { below } from '../shared/stage/layout';
import { TensorPanel } from '../shared/TensorPanel';
import {
  useFrameOverlay,
  useGeometry,
  usePinned,
  useViewModel,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { StepPlayer, windowText } from '../shared/walk/StepPlayer';
import { CopyAnimation, movingCopiesOf, useCopyAnimation } from './CopyAnimation';
import { FOLD_MODES, loweringChoice } from './choice';
import { besideMatrix, MATRIX_LIMITS, MatrixPanel } from './MatrixPanel';

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

const positionsOf = (g: Geometry, rows: number) => (rows === outputPositions(g) ? 'all' : rows);

const isSame = (a: FoldAsk, b: FoldAsk) => a.mode === b.mode && a.positions === b.positions;

const foldOf = (folds: readonly Answered<'fold'>[], mode: FoldMode, positions: FoldAsk['positions']) =>
  folds.find(({ question }) => isSame(question, { mode, positions }))?.answer.tensor;

/** Flat index of the cell of x that is changed: the chosen one, else the first with the most windows. */
function perturbedCell(g: Geometry, { cell }: ViewState) {
  const grid = gridOf(g, 'x');
  if (typeof cell === 'number' && Number.isInteger(cell) && cell >= 0 && cell < grid.cells) return cell;
  const { rows, cols } = coverageOf(g);
  return indexAt(grid, { slice: 0, row: rows.indexOf(most(rows)), col: cols.indexOf(most(cols)), channel: 0 });
}

const most = (counts: Int32Array) => counts.reduce((highest, count) => Math.max(highest, count), 0);

/** The highlights of the last row added: the row of dx_col and its window of dx. */
function foldFrame(g: Geometry, row: number, group: number) {
  const { n, row: i, col: j } = outputOfRow(g, row);
  const cell = cellAt(g, 'dy', { slice: n, row: i, col: j, channel: group * g.group_k });
  if (!cell) return null;
  const targets = (name: GridName) => targetsOf(g, cell).filter(({ tensor }) => tensor === name);
  return stepHighlights(cell, targets('dx_col'), targets('dx'));
}

const ACTIONS: Readonly<Record<FoldMode, string>> = {
  sum: 'is added to',
  average: 'is averaged into',
  overwrite: 'overwrites',
};

/** "Row 3 of dx_col, from dy[1,0], is added to rows 1 to 3, columns 0 to 2 of dx." */
function foldSentence(g: Geometry, row: number, mode: FoldMode) {
  const { n, row: i, col: j } = outputOfRow(g, row);
  const lost = tapsInPadding(g, i, j);
  const padding = lost > 0 ? ` ${lost} of ${g.kh * g.kw} are in the padding and are dropped.` : '';
  return `Row ${row} of dx_col, from ${pixelLabel(g, 'dy', { slice: n, row: i, col: j })}, ${ACTIONS[mode]} ${windowText(g, i, j)} of dx.${padding}`;
}

function foldSubtitle(mode: FoldMode, done: number, total: number) {
  const rows = done === total ? 'all rows' : `${formatCount(done)} of ${formatCount(total)} rows`;
  return mode === 'sum' ? rows : `${rows}, wrong`;
}

function foldWrongText(mode: FoldMode, count: number, of: number) {
  if (count === 0) return 'So far no cell differs from the sum.';
  const why = mode === 'average' ? 'cells in several windows are too small' : 'only the last window counts';
  return `${formatCount(count)} of ${formatCount(of)} cells differ from the sum (outlined): ${why}.`;
}

/** Height of the evidence and the gap above it, in CSS pixels. */
const EVIDENCE = { height: 190, gap: 16 } as const;

/** col2im, row by row: adds dx_col into dx; or averages or overwrites, which is wrong. */
export function Col2im({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const model = useViewModel();
  const { mode, folded } = loweringChoice(g, state);
  usePinned(choiceOfCell, onState);

  const dx_col = stageIn(answers, 'dx_col');
  const folds = answers.of('fold');
  const total = outputPositions(g);
  const taps = windowCells(g);
  const room = besideMatrix(g, model.layout.value, 'dx_col', PLAIN_FORM);
  const fit = fitGrid(room.right, total, taps, { ...MATRIX_LIMITS, ...room.limits });
  const canAnimate = fit.kind === 'numbers';
  // Under dx_col, where it leaves room for all of it.
  const taken = canAnimate ? AROUND.head + AROUND.frame + MATRIX_LIMITS.above + total * fit.size + EVIDENCE.gap : 0;
  const beneath = below(room.right, taken);
  const isBeneath = canAnimate && model.layout.value.arrangement === 'stage' && beneath.height >= EVIDENCE.height;
  const { duration, onDone } = useCopyAnimation(folded, canAnimate);
  const done = duration === null ? folded : folded - 1;
  const result = foldOf(folds, mode, positionsOf(g, done)) ?? foldOf(folds, mode, positionsOf(g, folded));
  const right = foldOf(folds, 'sum', positionsOf(g, folded));
  const whole = foldOf(folds, 'sum', 'all');
  const focus = model.focus.value;
  const { c } = focus;
  const copies = useMemo(
    () => (dx_col && folded > 0 ? movingCopiesOf(g, dx_col, folded - 1, c) : []),
    [g, dx_col, folded, c],
  );
  const group = groupOfChannel(g, c);
  const { n } = folded > 0 ? outputOfRow(g, folded - 1) : focus;
  const wrong = useMemo(
    () => (result && mode !== 'sum' && duration === null ? differingCells(g, result, right ?? null, n, c) : null),
    [g, result, right, mode, duration, n, c],
  );
  const frameModel = useFrameOverlay({
    tensors: useMemo(() => (result && whole ? { dx: inColorsOf(result, whole) } : {}), [result, whole]),
    focus: { ...focus, n },
    highlights: useMemo(() => (folded > 0 ? foldFrame(g, folded - 1, group) : null), [g, folded, group]),
    chosen: typeof state.folded === 'number',
  });
  if (!dx_col || !result || !whole) return null;
  const evidence = <Evidence state={state} answers={answers} />;
  return (
    <ViewModelProvider value={frameModel}>
      <LayoutBox box={room.left}>
        <div class="lowering__side column">
          <div class={mode === 'sum' ? '' : 'lowering__result--wrong'}>
            <TensorPanel tensor="dx" size={room.cell} subtitle={foldSubtitle(mode, done, total)} under={wrong?.marks} />
          </div>
          <div class="lowering__choices grid scrolls">
            <Segmented
              label="Copies of the same pixel"
              options={FOLD_MODES}
              value={loweringChoice(g, wanted).mode}
              onChange={(value) => onState({ mode: value })}
            />
            {wrong && <p class="lowering__note small">{foldWrongText(mode, wrong.count, wrong.of)}</p>}
            {!isBeneath && evidence}
          </div>
        </div>
      </LayoutBox>
      <MatrixPanel
        name="dx_col"
        form={PLAIN_FORM}
        tensor={dx_col}
        group={group}
        subtitle="one gradient per copy"
        lit={frameModel.highlights}
        limits={room.limits}
        box={room.right}
      />
      {isBeneath && <LayoutBox box={beneath}>{evidence}</LayoutBox>}
      {duration !== null && (
        <CopyAnimation copies={copies} fromCols={taps} toCols={g.w} milliseconds={duration} onDone={onDone} />
      )}
    </ViewModelProvider>
  );
}

/** The slope is measured at the pinned cell of x or dx. */
const choiceOfCell = ({ tensor, index }: Cell) => (tensor === 'x' || tensor === 'dx' ? { cell: index } : null);

export function Col2imPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const { mode, folded } = loweringChoice(g, state);
  return (
    <>
      <StepPlayer
        label="rows of dx_col added to dx"
        value={loweringChoice(g, wanted).folded}
        total={outputPositions(g)}
        row={g.ow}
        highlights={folded > 0 ? foldFrame(g, folded - 1, groupOfChannel(g, focus.value.c)) : null}
        sentence={folded > 0 ? foldSentence(g, folded - 1, mode) : 'No row is added yet. Press Play or step forward.'}
        onSteps={(value) => onState({ folded: value })}
      />
      <Badge answers={answers} algorithm="col2im" />
    </>
  );
}

/** Shows that copies are added: the measured slope of the loss for one cell of x, and the results of the three ways. */
function Evidence({ state, answers }: Pick<ViewProps, 'state' | 'answers'>) {
  const g = useGeometry();
  const index = perturbedCell(g, state);
  const run = answers.of('gradient_check')[0]?.answer.runs[0];
  const slope = run?.cells.numeric[0];
  if (!run || slope === undefined) return null;
  const { row, col } = positionOf(g, { tensor: 'x', index });
  const { rows, cols } = coverageOf(g);
  const count = (rows[row] ?? 0) * (cols[col] ?? 0);
  const name = cellLabel(g, { tensor: 'x', index });
  const ways = FOLD_MODES.map(({ value, label }) => ({
    label,
    result: foldOf(answers.of('fold'), value, 'all')?.data[index],
  }));
  const [sum, ...others] = ways.map(({ result }) => result);
  const confirmed = isConfirmed(run.verdict);
  return (
    <section class="evidence small">
      <h3 class="view-title">Which is the gradient?</h3>
      <p>
        {name} has {count === 1 ? 'one copy' : `${count} copies`} in x_col. If only {name} changes, the loss has the
        slope <strong>{formatCell(slope, { digits: 4, chars: 12 })}</strong> (measured).
      </p>
      <Table
        name="evidence__table"
        caption={`${cellLabel(g, { tensor: 'dx', index })} for each way to combine copies`}
        quiet
        headings={[]}
        rows={ways.map(({ label, result }) => [label, formatCell(result ?? Number.NaN, { digits: 4, chars: 12 })])}
      />
      {confirmed && <p class="evidence__verdict">{verdictOf(count, others.includes(sum))}</p>}
    </section>
  );
}

function verdictOf(copies: number, alike: boolean) {
  if (copies < 2) return 'One copy: there is nothing to add. Click another cell of dx.';
  if (alike) return 'Another way gives the same here. Click another cell of dx, or set dy to random.';
  return 'Only the sum matches the slope: each copy changes the loss.';
}
