import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { framesIn, type Needs } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { useGeometry } from '../kit/picture';
import type { View, ViewProps } from '../kit/view';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk, WalkPlayer } from '../kit/walk/Walk';
import { AboutStage, FullConvolution, FullConvolutionPlayer } from './FullConvolution';
import { chosenStage, fullConvNeeds, SLIDE } from './full-conv-stages';
import { PhaseSettings, PhaseSplit, phaseSentence } from './PhaseSplit';
import { WAYS, type Way } from './ways';

/** The full convolution first: it is what everybody is told, and few have seen. */
const FIRST = 'full_conv';

const wayOf = ({ way }: ViewState): Way | undefined =>
  WAYS.find(({ id }) => id === way) ?? WAYS.find(({ id }) => id === FIRST);

function detailsOf(g: Geometry, state: ViewState): Needs {
  const way = wayOf(state);
  if (way?.watched) return [{ kind: 'partial', process: way.watched.process, steps: stepsOf(g, way.watched, state.t) }];
  return way?.id === FIRST ? fullConvNeeds(g, state) : [];
}

function DxView(props: ViewProps) {
  const way = wayOf(props.state);
  const partial = framesIn(props.answers)[0];
  if (way?.watched) return partial ? <Walk watched={way.watched} partial={partial} /> : null;
  return way?.id === FIRST ? <FullConvolution {...props} /> : <PhaseSplit {...props} />;
}

function DxSettings(props: ViewProps) {
  const { wanted, onState } = props;
  const g = useGeometry();
  const way = wayOf(wanted);
  return (
    <>
      <Segmented
        label="way"
        quiet
        options={WAYS.map(({ id, label, idea }) => ({ value: id, label, hint: idea }))}
        value={way?.id ?? FIRST}
        onChange={(id) => onState({ way: id, t: '' })}
      />
      {way?.id === FIRST && (
        <Checkbox
          label="skip the turn of w"
          checked={chosenStage(g, wanted).unturned}
          onChange={(on) => onState({ unturned: on, stage: SLIDE })}
        />
      )}
      {way?.id === 'phase_split' && <PhaseSettings {...props} />}
    </>
  );
}

function DxPlayer(props: ViewProps) {
  const { state, wanted, answers, onState } = props;
  const g = useGeometry();
  const way = wayOf(state);
  const partial = framesIn(answers)[0];
  if (way?.id === FIRST) return <FullConvolutionPlayer {...props} />;
  if (!way) return null;
  return (
    <>
      {way.id === 'phase_split' && <p class="player-words">{phaseSentence(g, wanted)}</p>}
      {way.watched && partial && (
        <WalkPlayer
          watched={way.watched}
          partial={partial}
          wanted={stepsOf(g, way.watched, wanted.t)}
          onSteps={(t) => onState({ t })}
        />
      )}
      <Badge comparison={answers.of('compare')[0]?.answer} algorithm={way.id} />
    </>
  );
}

function AboutDx(props: ViewProps) {
  const way = wayOf(props.state);
  return (
    <>
      <p>{way?.idea}</p>
      {way?.id === FIRST && <AboutStage {...props} />}
    </>
  );
}

export const dxView: View = {
  sentence: 'Four algorithms for one gradient. Each is run by itself and measured against the reference.',
  needs: (g, state) => [
    ...detailsOf(g, state),
    { kind: 'compare', pass: 'backward_data', algorithms: WAYS.map(({ id }) => id) },
  ],
  Component: DxView,
  Settings: DxSettings,
  Player: DxPlayer,
  About: AboutDx,
};
