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
import { magnitudeOf } from '../../ui/magnitude';
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
import { type Subject, tellingIndex, tellingPosition } from '../shared/telling';
import {
  useFrameOverlay,
  useGeometry,
  usePinned,
  useViewModel,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { StepPlayer, windowText } from '../shared/walk/StepPlayer';
import { FOLD_MODES, loweringChoice, outlinedRow } from './choice';
import { besideMatrix, MATRIX_LIMITS, MatrixPanel } from './MatrixPanel';
import { useCopyAnimation } from './use-copy-animation';

/** Step of the finite difference. The loss is linear in x, so any step gives its slope; this one is exact in binary. */
const EPSILON = 0.5;

export function col2imNeeds(of: Subject, state: ViewState): Needs {
  const { geometry: g } = of;
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
      indices: Int32Array.from(perturbedCells(of, state)),
    },
  ];
}

const positionsOf = (g: Geometry, rows: number) => (rows === outputPositions(g) ? 'all' : rows);

const isSame = (a: FoldAsk, b: FoldAsk) => a.mode === b.mode && a.positions === b.positions;

const foldOf = (folds: readonly Answered<'fold'>[], mode: FoldMode, positions: FoldAsk['positions']) =>
  folds.find(({ question }) => isSame(question, { mode, positions }))?.answer.tensor;

/** Cells of x that are changed before one is chosen: enough for all that a 5 × 5 kernel reaches from one cell of dy. */
const MOST_CANDIDATES = 25;

/**
 * Flat indices of the cells of x that are changed: the chosen one; else those of one plane with several copies, the largest gradients
 * first, of which the first tells the three ways apart (`evidentCell`).
 */
function perturbedCells(of: Subject, { cell }: ViewState): readonly number[] {
  const { geometry: g, tensors } = of;
  const grid = gridOf(g, 'x');
  if (typeof cell === 'number' && Number.isInteger(cell) && cell >= 0 && cell < grid.cells) return [cell];
  const { slice, channel } = tellingPosition(of, 'dx');
  const { rows, cols } = coverageOf(g);
  const copied = Array.from(rows, (down, row) =>
    Array.from(cols, (across, col) => (down * across > 1 ? indexAt(grid, { slice, row, col, channel }) : [])),
  ).flat(2);
  const size = (index: number) => magnitudeOf(tensors.dx?.data[index] ?? 0);
  const best = copied.sort((a, b) => size(b) - size(a)).slice(0, MOST_CANDIDATES);
  return best.length > 0 ? best : [tellingIndex(of, 'dx')];
}

/** The position in the list of the first cell for which all ways give another result; 0: there is none. */
const evidentCell = (cells: ArrayLike<number>, folds: readonly Answered<'fold'>[]): number =>
  Math.max(
    0,
    Array.from(cells).findIndex((index) => new Set(resultsAt(folds, index)).size === FOLD_MODES.length),
  );

const resultsAt = (folds: readonly Answered<'fold'>[], index: number) =>
  FOLD_MODES.map(({ value }) => foldOf(folds, value, 'all')?.data[index]);

/** The highlights of an added row: the row of dx_col and its window of dx. */
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
  const focus = model.focus.value;
  const { c } = focus;
  const isMoving = useCopyAnimation(g, folded, c, canAnimate);
  const done = isMoving ? folded - 1 : folded;
  const result = foldOf(folds, mode, positionsOf(g, done)) ?? foldOf(folds, mode, positionsOf(g, folded));
  const right = foldOf(folds, 'sum', positionsOf(g, folded));
  const whole = foldOf(folds, 'sum', 'all');
  const group = groupOfChannel(g, c);
  const row = outlinedRow(model.content.value, 'dy', state.folded, folded);
  const { n } = row < 0 ? focus : outputOfRow(g, row);
  const wrong = useMemo(
    () => (result && mode !== 'sum' && !isMoving ? differingCells(g, result, right ?? null, n, c) : null),
    [g, result, right, mode, isMoving, n, c],
  );
  const frameModel = useFrameOverlay({
    tensors: useMemo(() => (result && whole ? { dx: inColorsOf(result, whole) } : {}), [result, whole]),
    focus: { ...focus, n },
    highlights: useMemo(() => (row < 0 ? null : foldFrame(g, row, group)), [g, row, group]),
    chosen: typeof state.folded === 'number',
  });
  if (!dx_col || !result || !whole) return null;
  const evidence = <Evidence answers={answers} />;
  return (
    <ViewModelProvider value={frameModel}>
      <LayoutBox box={room.left}>
        <div class={`lowering__side ${room.isBelow ? 'lowering__side--above row' : 'column'}`}>
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
    </ViewModelProvider>
  );
}

/** The slope is measured at the pinned cell of x or dx. */
const choiceOfCell = ({ tensor, index }: Cell) => (tensor === 'x' || tensor === 'dx' ? { cell: index } : null);

export function Col2imPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, focus } = useViewModel();
  const { mode, folded } = loweringChoice(g, state);
  const row = outlinedRow(content.value, 'dy', state.folded, folded);
  return (
    <>
      <StepPlayer
        label="rows of dx_col added to dx"
        value={loweringChoice(g, wanted).folded}
        total={outputPositions(g)}
        row={g.ow}
        highlights={row < 0 ? null : foldFrame(g, row, groupOfChannel(g, focus.value.c))}
        sentence={row < 0 ? 'No row is added yet. Press Play or step forward.' : foldSentence(g, row, mode)}
        onSteps={(value) => onState({ folded: value })}
      />
      <Badge answers={answers} algorithm="col2im" />
    </>
  );
}

/** Shows that copies are added: the measured slope of the loss for one cell of x, and the results of the three ways. */
function Evidence({ answers }: Pick<ViewProps, 'answers'>) {
  const g = useGeometry();
  const folds = answers.of('fold');
  const cells = answers.of('gradient_check')[0]?.answer.runs[0]?.cells;
  const at = evidentCell(cells?.index ?? [], folds);
  const [index, slope, verdict] = [cells?.index[at], cells?.numeric[at], cells?.verdict[at]];
  if (index === undefined || slope === undefined || verdict === undefined) return null;
  const { row, col } = positionOf(g, { tensor: 'x', index });
  const { rows, cols } = coverageOf(g);
  const count = (rows[row] ?? 0) * (cols[col] ?? 0);
  const name = cellLabel(g, { tensor: 'x', index });
  const results = resultsAt(folds, index);
  const [sum, ...others] = results;
  return (
    <section class="evidence small">
      <h3 class="view-title">Which is the gradient?</h3>
      <p>
        {name} has {count === 1 ? 'one copy' : `${count} copies`} in x_col. The measured slope of the loss is{' '}
        <strong>{formatCell(slope, { digits: 4, chars: 12 })}</strong>.
      </p>
      <Table
        name="evidence__table"
        caption={`${cellLabel(g, { tensor: 'dx', index })} for each way to combine copies`}
        quiet
        headings={[]}
        rows={FOLD_MODES.map(({ label }, i) => [label, formatCell(results[i] ?? Number.NaN, { digits: 4, chars: 12 })])}
      />
      {isConfirmed(verdict) && <p class="evidence__verdict">{verdictOf(count, others.includes(sum))}</p>}
    </section>
  );
}

function verdictOf(copies: number, alike: boolean) {
  if (copies < 2) return 'One copy: there is nothing to add. Click another cell of dx.';
  if (alike) return 'Another way gives the same here. Click another cell of dx, or set dy to random.';
  return 'Only the sum matches the slope: each copy changes the loss.';
}
