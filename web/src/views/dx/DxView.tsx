import { Checkbox } from '../../ui/controls/Choice';
import type { ViewProps } from '../kit/view';
import { useGeometry } from '../kit/view-model';
import { type Algorithm, algorithmView, walkAlgorithm } from '../kit/walk/algorithm-view';
import { AboutStage, FullConvolution, FullConvolutionPlayer } from './FullConvolution';
import { chosenStage, fullConvNeeds, SLIDE } from './full-conv-stages';
import { PhasePlayer, PhaseSettings, PhaseSplit } from './PhaseSplit';

function FlipSetting({ wanted, onState }: ViewProps) {
  return (
    <Checkbox
      label="skip the flip of w"
      checked={chosenStage(useGeometry(), wanted).unflipped}
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
  About: AboutStage,
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
    Player: PhasePlayer,
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
