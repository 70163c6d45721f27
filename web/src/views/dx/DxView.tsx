import { useMemo } from 'preact/hooks';
import { type Phase, phasesOf } from '../../geometry/phases';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { type Area, oneCell } from '../../ui/grid/marks';
import { block, marked } from '../shared/plane';
import { Board } from '../shared/stage/LayoutBox';
import { ALL_TENSORS, TensorSlots } from '../shared/TensorPanel';
import { useGeometry, useViewModel, type ViewProps } from '../shared/view-model';
import { type Algorithm, algorithmView, useResultInSight, walkAlgorithm } from '../shared/walk/algorithm-view';
import { FullConvolution, FullConvolutionPlayer } from './FullConvolution';
import { chosenStage, fullConvNeeds, SLIDE } from './full-conv-stages';

function chosenPhase(g: Geometry, { phase }: ViewState) {
  const phases = phasesOf(g);
  const index = Math.max(
    0,
    phases.findIndex((_, i) => String(i) === String(phase)),
  );
  return { phases, index };
}

/** The cells of dx of one phase, and the taps of w that they use. */
function PhaseSplit({ wanted }: ViewProps) {
  const g = useGeometry();
  const { index } = chosenPhase(g, wanted);
  useResultInSight('dx');
  const own = useMemo(() => {
    const phase = phasesOf(g)[index];
    if (!phase) return {};
    return { dx: { under: marked('source', [cellsOf(g, phase)]) }, w: { under: marked('source', tapsOf(phase)) } };
  }, [g, index]);
  return (
    <Board>
      <TensorSlots names={ALL_TENSORS} own={own} />
    </Board>
  );
}

const cellsOf = (g: Geometry, { rows, cols }: Phase): Area => ({
  ...block(rows.firstCell, cols.firstCell, rows.cells, cols.cells),
  rowStep: g.stride_h,
  colStep: g.stride_w,
});

const tapsOf = ({ rows, cols }: Phase) => rows.taps.flatMap((row) => cols.taps.map((col) => oneCell(row, col)));

function PhaseSettings({ wanted, onState }: ViewProps) {
  const { phases, index } = chosenPhase(useGeometry(), wanted);
  if (phases.length < 2) return null;
  return (
    <Segmented
      label="phase (its first cell)"
      quiet
      options={phases.map(({ rows, cols }, i) => ({ value: i, label: `${rows.firstCell},${cols.firstCell}` }))}
      value={index}
      onChange={(phase) => onState({ phase: String(phase) })}
    />
  );
}

function phaseWords(g: Geometry, wanted: ViewState) {
  const { phases, index } = chosenPhase(g, wanted);
  const phase = phases[index];
  if (!phase) return '';
  const { rows, cols } = phase;
  if (phases.length === 1) return 'The stride is 1: there is one phase, the full convolution.';
  const { length: tapRows } = rows.taps;
  const { length: tapCols } = cols.taps;
  if (tapRows * tapCols === 0) return 'No weight reaches these cells: their gradient is exactly 0.';
  const taps = tapRows * tapCols === 1 ? 'weight' : `${tapRows} × ${tapCols} weights`;
  return `The outlined ${rows.cells} × ${cols.cells} cells of dx use only the outlined ${taps}. They are a dense convolution of dy with that small kernel.`;
}

function FlipSetting({ wanted, onState }: ViewProps) {
  const { content, hiddenParts } = useViewModel();
  const { unflipped } = chosenStage(content.value, wanted);
  // Of a lesson, it is the answer of a step.
  return !unflipped && hiddenParts.value.includes('mode.dx') ? null : (
    <Checkbox
      label="skip the flip of w"
      checked={unflipped}
      onChange={(on) => onState({ unturned: on, stage: SLIDE })}
    />
  );
}

const FULL_CONV: Algorithm = {
  id: 'full_conv',
  pass: 'backward_data',
  label: 'full convolution',
  idea: 'dx is a convolution: the upsampled and padded dy with w flipped by 180°. Go through the stages.',
  needs: fullConvNeeds,
  Component: FullConvolution,
  Player: FullConvolutionPlayer,
  Settings: FlipSetting,
  about: (of, state) => [chosenStage(of, state).stage?.sentence(of.geometry) ?? ''],
};

/** THE LIST of algorithms. */
export const DX_ALGORITHMS: readonly Algorithm[] = [
  walkAlgorithm(
    { name: 'dx_scatter', label: 'dx by scatter', result: 'dx', setting: 't' },
    {
      id: 'scatter',
      pass: 'backward_data',
      label: 'scatter',
      idea: 'Each cell of dy adds a copy of w, scaled by its value, to its window of dx. Overlapping copies add up.',
    },
  ),
  walkAlgorithm(
    { name: 'dx_gather', label: 'dx by gather', result: 'dx', setting: 't', writesOnce: true },
    {
      id: 'gather',
      pass: 'backward_data',
      label: 'gather',
      idea: 'Each cell of dx sums the dy of every window that reads it, times the weight. Each step finishes one cell.',
    },
  ),
  FULL_CONV,
  {
    id: 'phase_split',
    pass: 'backward_data',
    label: 'phase split',
    idea: 'With a stride, most of the upsampled dy is zeros. Cells of dx that are one stride apart use the same few weights. So each such grid is a small dense convolution of dy, without zeros.',
    Component: PhaseSplit,
    words: phaseWords,
    Settings: PhaseSettings,
  },
];

/** Links without `way` show the full convolution, the description of dx in most textbooks. */
export const dxView = algorithmView({
  question: 'How does the loss change with each cell of x, and why is w flipped?',
  sentence: 'Four algorithms for one gradient. Each result is compared with the reference.',
  sums: ['dx'],
  pass: 'backward_data',
  algorithms: DX_ALGORITHMS,
  first: FULL_CONV,
  resets: { t: '' },
});
