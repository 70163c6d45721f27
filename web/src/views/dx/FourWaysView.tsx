import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { Badge } from '../kit/Badge';
import type { Needs } from '../kit/needs';
import type { View, ViewProps } from '../kit/view';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk } from '../kit/walk/Walk';
import { FullConvolution } from './FullConvolution';
import { fullConvNeeds } from './full-conv-stages';
import { PhaseSplit } from './PhaseSplit';
import { WAYS, type Way } from './ways';
import './four-ways.css';

/** The full convolution first: it is what everybody is told, and few have seen. */
const FIRST = 'full_conv';

const wayOf = ({ way }: ViewState): Way | undefined =>
  WAYS.find(({ id }) => id === way) ?? WAYS.find(({ id }) => id === FIRST);

function detailsOf(g: Geometry, state: ViewState): Needs['details'] {
  const way = wayOf(state);
  if (way?.watched) return { partials: [{ process: way.watched.process, steps: stepsOf(g, way.watched, state.t) }] };
  return way?.id === FIRST ? fullConvNeeds(g, state) : {};
}

function FourWaysView(props: ViewProps) {
  const { scene, state, wanted, answers, events, onState, width } = props;
  const way = wayOf(state);
  if (!way) return null;
  const partial = answers.details?.partials[0];
  return (
    <div class="steps">
      <Segmented
        label="way"
        quiet
        options={WAYS.map(({ id, label, idea }) => ({ value: id, label, hint: idea }))}
        value={wayOf(wanted)?.id ?? FIRST}
        onChange={(id) => onState({ way: id, t: '' })}
      />
      <p class="steps__idea">{way.idea}</p>
      <Badge comparison={answers.compare} algorithm={way.id} />
      {answers.error && <p class="notice notice--wrong">{answers.error.message}</p>}
      {way.watched && partial && (
        <Walk
          scene={scene}
          events={events}
          watched={way.watched}
          partial={partial}
          wanted={stepsOf(scene.geometry, way.watched, wanted.t)}
          place="four ways"
          width={width}
          onSteps={(t) => onState({ t })}
        />
      )}
      {way.id === 'full_conv' && <FullConvolution {...props} />}
      {way.id === 'phase_split' && <PhaseSplit {...props} />}
    </div>
  );
}

export const fourWaysView: View = {
  needs: (g, state) => ({
    details: detailsOf(g, state) ?? {},
    compare: { pass: 'backward_data', algorithms: WAYS.map(({ id }) => id) },
  }),
  Component: FourWaysView,
};
