import { useMemo } from 'preact/hooks';
import { outputPositions, windowCells } from '../../geometry/grid';
import { im2colRatio } from '../../geometry/matrix';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { formatBytes, formatCount, formatRatio } from '../../ui/quantities';
import { stageIn } from '../kit/answers';
import { block, marked } from '../kit/marks';
import { entriesOf } from '../kit/matrix-product';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { TensorPanel } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';
import {
  useDerived,
  useGeometry,
  usePublishHighlights,
  useRelit,
  useViewModel,
  ViewModelProvider,
} from '../kit/view-model';
import { StepPlayer } from '../kit/walk/StepPlayer';
import { loweringChoice } from './choice';
import { linkedHighlightsOf } from './linked-highlights';
import { besideMatrix, MatrixPanel } from './MatrixPanel';

const ORDERS = [
  { value: 'kh_kw_c', label: 'kh, kw, c', hint: 'by kernel position, then by channel' },
  { value: 'c_kh_kw', label: 'c, kh, kw', hint: 'by channel, then by kernel position' },
] as const;

/** The highlights on x and x_col: of the selected cell, else of the last row that was copied. */
function useLinkedHighlights(state: ViewState) {
  const g = useGeometry();
  const { userHighlights, played, focus } = useViewModel();
  const { follow, rows } = loweringChoice(g, state);
  return useDerived(() => {
    const cell = userHighlights.value?.cell ?? null;
    return linkedHighlightsOf(g, cell, !cell && played.value ? 'row' : follow, focus.value, rows - 1);
  }, [g, userHighlights, played, follow, focus, rows]);
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
        <div class="lowering__side column">
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
function MemoryMeter({ geometry: g }: { readonly geometry: Geometry }) {
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
