import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { outputPositions, windowCells } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { stageIn } from '../kit/answers';
import { PictureProvider, steady, useDerived, useGeometry, usePicture } from '../kit/picture';
import { region } from '../kit/stage/layout';
import { Place } from '../kit/stage/Place';
import { Slot } from '../kit/stage/Slot';
import type { ViewProps } from '../kit/view';
import { brushOf } from './brush';
import { choiceOf } from './choice';
import { MatrixPanel } from './MatrixPanel';
import { MemoryMeter } from './MemoryMeter';
import { pendingRows } from './matrix-marks';

const ORDERS = [
  { value: 'kh_kw_c', label: 'kh, kw, c', hint: 'tap after tap, the channels of each together' },
  { value: 'c_kh_kw', label: 'c, kh, kw', hint: 'channel after channel, the taps of each together' },
] as const;

/** What x and x_col show of the cell that one points at, else of the row that was laid out last. */
function useBrush(state: ViewState) {
  const g = useGeometry();
  const { highlights, focus } = usePicture();
  const { follow, rows } = choiceOf(g, state);
  return useDerived(
    () => brushOf(g, highlights.value?.cell ?? null, follow, focus.value, rows - 1),
    [g, highlights, follow, focus, rows],
  );
}

/** x beside x_col, every window of x in one row. */
export function Unroll({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const picture = usePicture();
  const { form, rows } = choiceOf(g, state);
  const hand = choiceOf(g, wanted);
  const x_col = stageIn(answers, 'x_col');
  const total = outputPositions(g);
  const taps = windowCells(g);
  const brush = useBrush(state);
  const brushed = useMemo(() => {
    const highlights = computed(() => brush.value.highlights);
    return { ...picture, focus: steady(computed(() => brush.value.focus)), highlights, spoken: highlights };
  }, [picture, brush]);
  const group = useDerived(() => Math.floor(brush.value.focus.k / g.group_k), [brush, g]).value;
  const { order, transposed } = form;
  const pending = useMemo(
    () => pendingRows(rows, total, taps, { order, transposed }),
    [rows, total, taps, order, transposed],
  );
  const layout = picture.layout.value;
  if (!x_col) return null;
  return (
    <>
      <PictureProvider value={brushed}>
        <Slot tensor="x" />
      </PictureProvider>
      <MatrixPanel
        name="x_col"
        form={form}
        tensor={x_col}
        group={group}
        title={transposed ? 'x_colᵀ' : 'x_col'}
        subtitle={`${transposed ? 'one window per column' : 'one window per row'}${g.groups > 1 ? `, group ${group}` : ''}`}
        lit={brushed.highlights}
        under={pending}
        box={region(layout, 'w', 'y', 'both')}
      />
      <Place box={region(layout, 'x', 'x', 'backward')} scrolls>
        <div class="lowering__choices">
          <MemoryMeter geometry={g} />
          <Segmented
            label="Order of the taps"
            options={ORDERS}
            value={hand.form.order}
            onChange={(value) => onState({ order: value })}
          />
          <Checkbox
            label="on its side (transposed)"
            checked={hand.form.transposed}
            onChange={(on) => onState({ transposed: on })}
          />
        </div>
      </Place>
    </>
  );
}

export function UnrollPlayer({ state, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { highlights } = usePicture();
  const brush = useBrush(state);
  const { rows } = choiceOf(g, state);
  const words = useDerived(
    () =>
      rows === 0 && !highlights.value ? 'Nothing is laid out yet. Press play, or step forward.' : brush.value.sentence,
    [rows, highlights, brush],
  );
  return (
    <Scrubber
      label="windows laid out"
      value={choiceOf(g, wanted).rows}
      total={outputPositions(g)}
      row={g.ow}
      sentence={words.value}
      onChange={(value) => onState({ rows: value })}
    />
  );
}
