import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { framesIn, type Needs } from '../kit/answers';
import { Badge } from '../kit/Badge';
import type { View, ViewProps } from '../kit/view';
import { useGeometry } from '../kit/view-model';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk, WalkPlayer } from '../kit/walk/Walk';
import { ALGORITHMS, type Algorithm } from './algorithms';
import { AboutStage, FullConvolution, FullConvolutionPlayer } from './FullConvolution';
import { chosenStage, fullConvNeeds, SLIDE } from './full-conv-stages';
import { PhaseSettings, PhaseSplit, phaseSentence } from './PhaseSplit';

/** Opens with the full convolution, the description of dx in most textbooks. */
const FIRST = 'full_conv';

const algorithmOf = ({ way }: ViewState): Algorithm | undefined =>
  ALGORITHMS.find(({ id }) => id === way) ?? ALGORITHMS.find(({ id }) => id === FIRST);

function detailsOf(g: Geometry, state: ViewState): Needs {
  const algorithm = algorithmOf(state);
  if (algorithm?.process)
    return [{ kind: 'partial', process: algorithm.process.name, steps: stepsOf(g, algorithm.process, state.t) }];
  return algorithm?.id === FIRST ? fullConvNeeds(g, state) : [];
}

function DxView(props: ViewProps) {
  const algorithm = algorithmOf(props.state);
  const partial = framesIn(props.answers)[0];
  if (algorithm?.process)
    return partial ? (
      <Walk process={algorithm.process} partial={partial} chosen={typeof props.state.t === 'number'} />
    ) : null;
  return algorithm?.id === FIRST ? <FullConvolution {...props} /> : <PhaseSplit {...props} />;
}

function DxSettings(props: ViewProps) {
  const { wanted, onState } = props;
  const g = useGeometry();
  const algorithm = algorithmOf(wanted);
  return (
    <>
      <Segmented
        label="algorithm"
        quiet
        options={ALGORITHMS.map(({ id, label, idea }) => ({ value: id, label, hint: idea }))}
        value={algorithm?.id ?? FIRST}
        onChange={(id) => onState({ way: id, t: '' })}
      />
      {algorithm?.id === FIRST && (
        <Checkbox
          label="skip the flip of w"
          checked={chosenStage(g, wanted).unflipped}
          onChange={(on) => onState({ unturned: on, stage: SLIDE })}
        />
      )}
      {algorithm?.id === 'phase_split' && <PhaseSettings {...props} />}
    </>
  );
}

function DxPlayer(props: ViewProps) {
  const { state, wanted, answers, onState } = props;
  const g = useGeometry();
  const algorithm = algorithmOf(state);
  const partial = framesIn(answers)[0];
  if (algorithm?.id === FIRST) return <FullConvolutionPlayer {...props} />;
  if (!algorithm) return null;
  return (
    <>
      {algorithm.id === 'phase_split' && <p class="player-words">{phaseSentence(g, wanted)}</p>}
      {algorithm.process && partial && (
        <WalkPlayer
          process={algorithm.process}
          partial={partial}
          wanted={stepsOf(g, algorithm.process, wanted.t)}
          onSteps={(t) => onState({ t })}
        />
      )}
      <Badge comparison={answers.of('compare')[0]?.answer} algorithm={algorithm.id} />
    </>
  );
}

function AboutDx(props: ViewProps) {
  const algorithm = algorithmOf(props.state);
  return (
    <>
      <p>{algorithm?.idea}</p>
      {algorithm?.id === FIRST && <AboutStage {...props} />}
    </>
  );
}

export const dxView: View = {
  question: 'How does the loss change with each cell of x, and why is w flipped?',
  sentence: 'Four algorithms for one gradient. Each result is compared with the reference.',
  needs: (g, state) => [
    ...detailsOf(g, state),
    { kind: 'compare', pass: 'backward_data', algorithms: ALGORITHMS.map(({ id }) => id) },
  ],
  sums: ['dx'],
  pass: 'backward_data',
  Component: DxView,
  Settings: DxSettings,
  Player: DxPlayer,
  About: AboutDx,
};
