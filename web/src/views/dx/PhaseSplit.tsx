import { type Phase, phasesOf } from '../../geometry/phases';
import { Segmented } from '../../ui/controls/Choice';
import type { Mark } from '../../ui/grid/marks';
import { oneCell } from '../../ui/grid/marks';
import { layoutBoard } from '../kit/board-layout';
import type { Scene } from '../kit/scene';
import { TensorPanel } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';

const TALLEST = 380;

/** Which cells of dx need which taps of w, one phase at a time. */
export function PhaseSplit({ scene, wanted, events, onState, width }: ViewProps) {
  const g = scene.geometry;
  const phases = phasesOf(g);
  const index = Math.max(
    0,
    phases.findIndex((_, i) => String(i) === wanted.phase),
  );
  const phase = phases[index];
  if (!phase) return null;
  const pointing = scene.highlights && !scene.highlights.pinned ? scene.highlights : null;
  const picture: Scene = { ...scene, highlights: pointing, layout: layoutBoard(g, width, TALLEST) };
  const { rows, cols } = phase;
  const cells: Mark = {
    tone: 'source',
    area: {
      row: rows.firstCell,
      col: cols.firstCell,
      rows: rows.cells,
      cols: cols.cells,
      rowStep: g.stride_h,
      colStep: g.stride_w,
    },
  };
  const taps = rows.taps.flatMap((row) => cols.taps.map((col): Mark => ({ tone: 'source', area: oneCell(row, col) })));
  return (
    <>
      {phases.length > 1 && (
        <Segmented
          label="phase, named by its first cell"
          options={phases.map(({ rows: r, cols: c }, i) => ({
            value: String(i),
            label: `${r.firstCell},${c.firstCell}`,
          }))}
          value={String(index)}
          onChange={(value) => onState({ phase: value })}
        />
      )}
      <p class="steps__idea">{sentenceOf(phase, phases.length)}</p>
      <div class="steps__row">
        <TensorPanel tensor="dx" scene={picture} events={events} place="four ways" under={[cells]} />
        <span class="row__sign" aria-hidden="true">
          ←
        </span>
        <TensorPanel tensor="w" scene={picture} events={events} place="four ways" under={taps} />
        <TensorPanel tensor="dy" scene={picture} events={events} place="four ways" />
      </div>
    </>
  );
}

function sentenceOf({ rows, cols }: Phase, count: number): string {
  if (count === 1) return 'The stride is 1: there is one phase, and it is the full convolution itself.';
  const { length: tapRows } = rows.taps;
  const { length: tapCols } = cols.taps;
  if (tapRows * tapCols === 0) return 'No tap of w ever meets these cells: their gradient is exactly 0.';
  const taps = tapRows * tapCols === 1 ? 'one tap' : `${tapRows} × ${tapCols} taps`;
  return `The outlined ${rows.cells} × ${cols.cells} cells of dx meet only the outlined ${taps} of w: a dense convolution of dy with that small kernel.`;
}
