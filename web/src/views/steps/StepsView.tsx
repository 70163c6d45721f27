import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import type { View, ViewProps } from '../kit/view';
import { WATCHED, type Watched } from '../kit/walk/processes';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk } from '../kit/walk/Walk';
import '../kit/steps.css';

interface Chosen {
  readonly watched: Watched;
  readonly steps: number;
}

function chosenOf(g: Geometry, { process, t }: ViewState): Chosen | null {
  const watched = WATCHED.find((entry) => entry.process === process) ?? WATCHED[0];
  return watched ? { watched, steps: stepsOf(g, watched, t) } : null;
}

function StepsView({ scene, state, wanted, answers, events, onState, width }: ViewProps) {
  const g = scene.geometry;
  const shown = chosenOf(g, state);
  const chosen = chosenOf(g, wanted);
  const partial = answers.details?.partials[0];
  if (!chosen || !shown || !partial) return answers.error ? <p class="notice">{answers.error.message}</p> : null;
  return (
    <div class="steps">
      <Segmented
        label="process"
        quiet
        options={WATCHED.map(({ process, label, idea }) => ({ value: process, label, hint: idea }))}
        value={chosen.watched.process}
        onChange={(process) => onState({ process, t: '' })}
      />
      <p class="steps__idea">{shown.watched.idea}</p>
      <Walk
        scene={scene}
        events={events}
        watched={shown.watched}
        partial={partial}
        wanted={chosen.steps}
        place="step by step"
        width={width}
        onSteps={(t) => onState({ t })}
      />
    </div>
  );
}

export const stepsView: View = {
  needs(g, state) {
    const chosen = chosenOf(g, state);
    return chosen ? { details: { partials: [{ process: chosen.watched.process, steps: chosen.steps }] } } : {};
  },
  Component: StepsView,
};
