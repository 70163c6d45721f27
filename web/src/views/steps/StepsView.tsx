import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { framesIn } from '../kit/answers';
import { useGeometry } from '../kit/picture';
import type { View, ViewProps } from '../kit/view';
import { WATCHED, type Watched } from '../kit/walk/processes';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk, WalkPlayer } from '../kit/walk/Walk';

interface Chosen {
  readonly watched: Watched;
  readonly steps: number;
}

function chosenOf(g: Geometry, { process, t }: ViewState): Chosen | null {
  const watched = WATCHED.find((entry) => entry.process === process) ?? WATCHED[0];
  return watched ? { watched, steps: stepsOf(g, watched, t) } : null;
}

function StepsView({ state, answers }: ViewProps) {
  const shown = chosenOf(useGeometry(), state);
  const partial = framesIn(answers)[0];
  return shown && partial ? <Walk watched={shown.watched} partial={partial} /> : null;
}

function StepsSettings({ wanted, onState }: ViewProps) {
  const chosen = chosenOf(useGeometry(), wanted);
  return (
    <Segmented
      label="process"
      quiet
      options={WATCHED.map(({ process, label, idea }) => ({ value: process, label, hint: idea }))}
      value={chosen?.watched.process ?? ''}
      onChange={(process) => onState({ process, t: '' })}
    />
  );
}

function StepsPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const [shown, chosen] = [chosenOf(g, state), chosenOf(g, wanted)];
  const partial = framesIn(answers)[0];
  if (!shown || !chosen || !partial) return null;
  return <WalkPlayer watched={shown.watched} partial={partial} wanted={chosen.steps} onSteps={(t) => onState({ t })} />;
}

function AboutSteps({ state }: ViewProps) {
  return <p>{chosenOf(useGeometry(), state)?.watched.idea}</p>;
}

export const stepsView: View = {
  sentence: 'Stop a pass after any number of steps. Every frame is what the algorithm has computed by then.',
  needs(g, state) {
    const chosen = chosenOf(g, state);
    return chosen ? [{ kind: 'partial', process: chosen.watched.process, steps: chosen.steps }] : [];
  },
  Component: StepsView,
  Settings: StepsSettings,
  Player: StepsPlayer,
  About: AboutSteps,
};
