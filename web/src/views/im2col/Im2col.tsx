import { useMemo } from 'preact/hooks';
import {
  boxes,
  cellAt,
  type Focus,
  groupOfChannel,
  groupOfFilter,
  matrixColumn,
  outputPositions,
  type Position,
  positionOf,
  sameCell,
  windowCells,
} from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { sourcesOf } from '../../geometry/links';
import { columnOfTap, copiesOf, im2colRatio, outputOfRow, rowOfOutput, tapOfColumn } from '../../geometry/matrix';
import { pixelOfColumn } from '../../geometry/rules';
import { cellsUnder } from '../../geometry/window';
import type { ViewState } from '../../look/look';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry } from '../../protocol/problem';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { formatBytes, formatCount, formatRatio } from '../../ui/quantities';
import { stageIn } from '../shared/answers';
import { entriesOf } from '../shared/matrix-product';
import { block, marked, stepHighlights } from '../shared/plane';
import { LayoutBox } from '../shared/stage/LayoutBox';
import { TensorPanel } from '../shared/TensorPanel';
import {
  useDerived,
  useGeometry,
  usePublishHighlights,
  useRelit,
  useViewModel,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { StepPlayer } from '../shared/walk/StepPlayer';
import { type Follow, loweringChoice, outlinedRow } from './choice';
import { besideMatrix, MatrixPanel } from './MatrixPanel';

/** The highlights on x and x_col for a cell, and their sentence. */
interface LinkedHighlights {
  readonly highlights: Highlights;
  /** The slices that show it. */
  readonly focus: Focus;
  readonly sentence: string;
}

/** A part of x_col: a row (a window), a column (a tap), or the copies of a pixel of the padded x. */
type MatrixPart = { readonly group: number } & (
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'copies'; readonly padded: Position }
);

/** The brush of a cell that is in x_col; else of an example, with this row. */
export function linkedHighlightsOf(
  g: Geometry,
  cell: Cell | null,
  follow: Follow,
  focus: Focus,
  row: number,
): LinkedHighlights {
  const part = cell && partOf(g, cell, follow);
  if (!cell || !part) return highlightsOf(g, exampleOf(g, follow, focus, row), focus);
  const { highlights, ...found } = highlightsOf(g, part, focus);
  const term = cell.tensor === 'x_col' ? sameCell(g, 'x_padded', pixelOf(g, positionOf(g, cell))) : [];
  return { ...found, highlights: { ...highlights, cell, term } };
}

function partOf(g: Geometry, cell: Cell, follow: Follow): MatrixPart | null {
  const p = positionOf(g, cell);
  switch (cell.tensor) {
    case 'x_col': {
      const group = p.slice;
      if (follow === 'row') return { group, kind: 'row', row: p.row };
      if (follow === 'column') return { group, kind: 'column', column: p.col };
      return { group, kind: 'copies', padded: pixelOf(g, p) };
    }
    case 'x':
    case 'dx':
      return { group: groupOfChannel(g, p.channel), kind: 'copies', padded: inPadded(g, p) };
    case 'x_padded':
      return { group: groupOfChannel(g, p.channel), kind: 'copies', padded: p };
    case 'y':
    case 'dy': {
      const row = rowOfOutput(g, p);
      return { group: groupOfFilter(g, p.channel), kind: 'row', row };
    }
    case 'w':
    case 'dw':
      return { group: groupOfFilter(g, p.slice), kind: 'column', column: columnOfTap(g, p) };
    default:
      return null;
  }
}

/** The position in x_padded of a position in x. */
const inPadded = ({ padding: { top, left } }: Geometry, p: Position): Position => ({
  ...p,
  row: p.row + top,
  col: p.col + left,
});

/** The source pixel of an entry of x_col, in x_padded. */
const pixelOf = (g: Geometry, entry: Position): Position => inPadded(g, pixelOfColumn(g, entry));

/** The example without a selected cell: this row, the middle tap, or the middle pixel. */
function exampleOf(g: Geometry, follow: Follow, { n, c, k }: Focus, row: number): MatrixPart {
  const group = groupOfFilter(g, k);
  if (follow === 'row') return { group, kind: 'row', row: Math.max(row, 0) };
  if (follow === 'column') {
    const channel = c % g.group_c;
    return { group, kind: 'column', column: columnOfTap(g, { row: g.kh >> 1, col: g.kw >> 1, channel }) };
  }
  const pixel = { slice: n, row: g.h >> 1, col: g.w >> 1, channel: c };
  return { group, kind: 'copies', padded: inPadded(g, pixel) };
}

function highlightsOf(g: Geometry, part: MatrixPart, focus: Focus): LinkedHighlights {
  const { group } = part;
  const filter = group * g.group_k;
  const inGroup = (channel: number) => group * g.group_c + channel;
  if (part.kind === 'row') {
    const { n, row, col } = outputOfRow(g, part.row);
    const position = { slice: n, row, col, channel: filter };
    const cell = cellAt(g, 'y', position) ?? { tensor: 'y', index: 0 };
    const read = sourcesOf(g, cell).filter(({ tensor }) => tensor === 'x_padded' || tensor === 'x_col');
    return {
      highlights: stepHighlights(cell, read),
      focus: { n, c: groupOfChannel(g, focus.c) === group ? focus.c : inGroup(0), k: filter },
      sentence: `Row ${part.row} of x_col is the window of ${positionLabel(g, 'y', position)}: ${g.kh} × ${g.kw} cells${perChannel(g)}.`,
    };
  }
  if (part.kind === 'column') {
    const tap = tapOfColumn(g, part.column);
    const cell = cellAt(g, 'w', { ...tap, slice: filter }) ?? { tensor: 'w', index: 0 };
    const name = positionLabel(g, 'w', { ...tap, slice: filter });
    const column = boxes(g, { x_col: matrixColumn(group, part.column) });
    return {
      highlights: stepHighlights(cell, [...cellsUnder(g, { ...tap, slice: filter }), ...column]),
      focus: { ...focus, c: inGroup(tap.channel), k: filter },
      sentence: `Column ${part.column} of x_col holds every pixel that ${name} multiplies, one per window.`,
    };
  }
  const { padded } = part;
  const inX = { ...padded, row: padded.row - g.padding.top, col: padded.col - g.padding.left };
  const cell = cellAt(g, 'x', inX) ?? cellAt(g, 'x_padded', padded) ?? { tensor: 'x', index: 0 };
  const copies = copiesOf(g, 'x_col', padded);
  return {
    highlights: stepHighlights(cell, sameCell(g, 'x_padded', padded), copies ? [copies] : []),
    focus: { n: padded.slice, c: padded.channel, k: filter },
    sentence: `${positionLabel(g, 'x', inX)} ${copiesText(copies?.count ?? 0)}.`,
  };
}

function copiesText(count: number) {
  if (count === 0) return 'is in no window, so it is not in x_col';
  if (count === 1) return 'is in x_col once: one window reads it';
  return `is in x_col ${count} times, once for each window that reads it`;
}

const perChannel = ({ group_c }: Geometry) => (group_c > 1 ? ` of each of ${group_c} channels` : '');

const ORDERS = [
  { value: 'kh_kw_c', label: 'kh, kw, c', hint: 'by kernel position, then by channel' },
  { value: 'c_kh_kw', label: 'c, kh, kw', hint: 'by channel, then by kernel position' },
] as const;

/** The highlights on x and x_col: of the selected cell, else of the outlined row. */
function useLinkedHighlights(state: ViewState) {
  const g = useGeometry();
  const { content, userHighlights, played, focus } = useViewModel();
  const { follow, rows } = loweringChoice(g, state);
  return useDerived(() => {
    const cell = userHighlights.value?.cell ?? null;
    const row = outlinedRow(content.value, 'y', state.rows, rows);
    return linkedHighlightsOf(g, cell, !cell && played.value ? 'row' : follow, focus.value, row);
  }, [g, content, userHighlights, played, follow, focus, rows, state.rows]);
}

/** x beside x_col, which has one row per window. */
export function Im2col({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const model = useViewModel();
  const { form, rows, follow } = loweringChoice(g, state);
  const shown = loweringChoice(g, wanted);
  const x_col = stageIn(answers, 'x_col');
  const total = outputPositions(g);
  const taps = windowCells(g);
  const linked = useLinkedHighlights(state);
  const linkedModel = useRelit(linked);
  const { played } = model;
  const chosen = typeof state.rows === 'number' && follow === 'row';
  const step = useDerived(
    () => (rows > 0 && (played.value || chosen) ? linked.value.highlights : null),
    [played, chosen, rows, linked],
  );
  usePublishHighlights(model, step.value, chosen);
  const group = useDerived(() => Math.floor(linked.value.focus.k / g.group_k), [linked, g]).value;
  const { transposed } = form;
  // Windows that are not copied yet.
  const pending = useMemo(() => {
    const rest = total - rows;
    return rest > 0 ? marked('pending', [transposed ? block(0, rows, taps, rest) : block(rows, 0, rest, taps)]) : [];
  }, [rows, total, taps, transposed]);
  if (!x_col) return null;
  const room = besideMatrix(g, model.layout.value, 'x_col', form);
  return (
    <>
      <LayoutBox box={room.left}>
        <div class={`lowering__side ${room.isBelow ? 'lowering__side--above row' : 'column'}`}>
          <ViewModelProvider value={linkedModel}>
            <TensorPanel tensor="x" size={room.cell} />
          </ViewModelProvider>
          <div class="lowering__choices grid scrolls">
            <MemoryMeter geometry={g} />
            <Segmented
              label="Column order"
              options={ORDERS}
              value={shown.form.order}
              onChange={(value) => onState({ order: value })}
            />
            <Checkbox
              label="transpose"
              checked={shown.form.transposed}
              onChange={(on) => onState({ transposed: on })}
            />
          </div>
        </div>
      </LayoutBox>
      <MatrixPanel
        name="x_col"
        form={form}
        tensor={x_col}
        group={group}
        subtitle={transposed ? 'one window per column' : 'one window per row'}
        lit={linkedModel.highlights}
        under={pending}
        limits={room.limits}
        box={room.right}
      />
    </>
  );
}

export function Im2colPlayer({ state, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { userHighlights } = useViewModel();
  const linked = useLinkedHighlights(state);
  const { rows } = loweringChoice(g, state);
  const words = useDerived(
    () =>
      rows === 0 && !userHighlights.value
        ? 'No window is copied yet. Press Play or step forward.'
        : linked.value.sentence,
    [rows, userHighlights, linked],
  );
  return (
    <StepPlayer
      label="windows copied"
      value={loweringChoice(g, wanted).rows}
      total={outputPositions(g)}
      row={g.ow}
      // The sentence is about the outlined cells, also those that the user points at.
      highlights={null}
      sentence={words.value}
      onSteps={(value) => onState({ rows: value })}
    />
  );
}

/** Memory of x and of x_col, which holds each value of x as often as windows read it. */
function MemoryMeter({ geometry: g }: { geometry: Geometry }) {
  const pixels = g.n * g.h * g.w * g.c;
  const entries = entriesOf(g);
  const most = Math.max(pixels, entries, 1);
  return (
    <dl class="meter grid tight small" aria-label="memory">
      {Object.entries({ x: pixels, x_col: entries }).map(([name, count]) => (
        <div key={name} class="meter__line">
          <dt class="symbol">{name}</dt>
          <dd>
            <span class="meter__bar" style={{ width: `${(count / most) * 100}%` }} />
            <span class="meter__text">
              {formatCount(count)} values, {formatBytes(4 * count)}
              {name === 'x_col' && <strong> = {formatRatio(im2colRatio(g))} × x</strong>}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
