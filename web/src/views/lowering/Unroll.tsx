import { outputPositions, windowCells } from '../../geometry/grid';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import type { BoardLayout } from '../kit/board-layout';
import type { Scene } from '../kit/scene';
import { TensorPanel } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';
import { brushOf } from './brush';
import { choiceOf, FOLLOWS } from './choice';
import { MatrixPanel } from './MatrixPanel';
import { firstMarked, marksOnMatrix, pendingRows } from './matrix-marks';

const ORDERS = [
  { value: 'kh_kw_c', label: 'kh, kw, c', hint: 'tap after tap, the channels of each together' },
  { value: 'c_kh_kw', label: 'c, kh, kw', hint: 'channel after channel, the taps of each together' },
] as const;

const LARGEST = 34;
/** Height that x should keep to, and the matrix beside it. */
const TALL = 330;
const TALLEST = 460;
const FRAME = 8;
/** Below this x and x_col stand one below the other. */
const NARROW = 620;

/** x beside x_col, every window of x in one row. */
export function Unroll({ scene, state, wanted, answers, events, onState, width }: ViewProps) {
  const g = scene.geometry;
  const { form, follow, rows } = choiceOf(g, state);
  const hand = choiceOf(g, wanted);
  const x_col = answers.details?.stages.find(({ stage }) => stage === 'x_col')?.tensor;
  if (!x_col) return null;
  const total = outputPositions(g);
  const taps = windowCells(g);
  const brush = brushOf(g, scene.highlights?.cell ?? null, follow, scene.focus, rows - 1);
  const group = Math.floor(brush.focus.k / g.group_k);
  const across = g.w + g.padding.left + g.padding.right;
  const down = g.h + g.padding.top + g.padding.bottom;
  const beside = width >= NARROW && (form.transposed ? total : taps) * 13 < width / 2 + 40;
  const room = beside ? width * 0.46 : width;
  const fitting = Math.min(LARGEST, (room - FRAME) / across, TALL / down);
  const cell = fitting >= 14 ? Math.floor(fitting) : fitting;
  const layout: BoardLayout = {
    arrangement: 'stack',
    cell: { x: cell, w: cell, y: cell, b: cell },
    columns: [room, room, room],
  };
  const picture: Scene = { ...scene, focus: brush.focus, highlights: brush.highlights, layout };
  const marks = marksOnMatrix(g, 'x_col', group, form, brush.highlights);
  return (
    <>
      <div class="lowering__controls">
        <Segmented
          label="Point at an entry to see"
          options={FOLLOWS}
          value={hand.follow}
          onChange={(value) => onState({ follow: value })}
        />
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
      <Scrubber
        label="windows laid out"
        value={hand.rows}
        total={total}
        row={g.ow}
        sentence={
          rows === 0 && !scene.highlights ? 'Nothing is laid out yet. Press play, or step forward.' : brush.sentence
        }
        onChange={(value) => onState({ rows: value })}
      />
      <div class="lowering__row">
        <TensorPanel tensor="x" scene={picture} events={events} place="lowering" />
        <MatrixPanel
          geometry={g}
          name="x_col"
          form={form}
          tensor={x_col}
          group={group}
          title={form.transposed ? 'x_colᵀ' : 'x_col'}
          subtitle={`${form.transposed ? 'one window per column' : 'one window per row'}${g.groups > 1 ? `, group ${group}` : ''}`}
          transfer={scene.transfer}
          marks={[...pendingRows(rows, total, taps, form), ...marks]}
          look={firstMarked(marks, 'x_col', scene.highlights)}
          events={events}
          width={beside ? width - room - 24 : width}
          height={width >= NARROW ? TALLEST : TALL}
        />
      </div>
    </>
  );
}
