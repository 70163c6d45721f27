import { useMemo } from 'preact/hooks';
import { type Phase, phasesOf } from '../../geometry/phases';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { type Area, oneCell } from '../../ui/grid/marks';
import { block, marked } from '../kit/marks';
import { ALL_TENSORS, TensorSlots } from '../kit/stage/Tensors';
import type { ViewProps } from '../kit/view';
import { useGeometry } from '../kit/view-model';

function chosenPhase(g: Geometry, { phase }: ViewState) {
  const phases = phasesOf(g);
  const index = Math.max(
    0,
    phases.findIndex((_, i) => String(i) === phase),
  );
  return { phases, index };
}

/** The cells of dx of one phase, and the taps of w that they use. */
export function PhaseSplit({ wanted }: ViewProps) {
  const g = useGeometry();
  const { index } = chosenPhase(g, wanted);
  const own = useMemo(() => {
    const phase = phasesOf(g)[index];
    if (!phase) return {};
    return { dx: { under: marked('source', [cellsOf(g, phase)]) }, w: { under: marked('source', tapsOf(phase)) } };
  }, [g, index]);
  return <TensorSlots names={ALL_TENSORS} own={own} />;
}

const cellsOf = (g: Geometry, { rows, cols }: Phase): Area => ({
  ...block(rows.firstCell, cols.firstCell, rows.cells, cols.cells),
  rowStep: g.stride_h,
  colStep: g.stride_w,
});

const tapsOf = ({ rows, cols }: Phase): readonly Area[] =>
  rows.taps.flatMap((row) => cols.taps.map((col) => oneCell(row, col)));

export function PhaseSettings({ wanted, onState }: ViewProps) {
  const { phases, index } = chosenPhase(useGeometry(), wanted);
  if (phases.length < 2) return null;
  return (
    <Segmented
      label="phase (its first cell)"
      quiet
      options={phases.map(({ rows, cols }, i) => ({ value: String(i), label: `${rows.firstCell},${cols.firstCell}` }))}
      value={String(index)}
      onChange={(value) => onState({ phase: value })}
    />
  );
}

export function PhasePlayer({ wanted }: ViewProps) {
  const { phases, index } = chosenPhase(useGeometry(), wanted);
  const phase = phases[index];
  return <p class="player-words small">{phase && sentenceOf(phase, phases.length)}</p>;
}

function sentenceOf({ rows, cols }: Phase, count: number): string {
  if (count === 1) return 'The stride is 1: there is one phase, the full convolution.';
  const { length: tapRows } = rows.taps;
  const { length: tapCols } = cols.taps;
  if (tapRows * tapCols === 0) return 'No weight reaches these cells: their gradient is exactly 0.';
  const taps = tapRows * tapCols === 1 ? 'one weight' : `${tapRows} × ${tapCols} weights`;
  return `The outlined ${rows.cells} × ${cols.cells} cells of dx use only the outlined ${taps}. They are a dense convolution of dy with that small kernel.`;
}
