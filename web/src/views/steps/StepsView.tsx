import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { framesIn } from '../kit/answers';
import type { View, ViewProps } from '../kit/view';
import { useGeometry } from '../kit/view-model';
import { PROCESSES, type ProcessInfo } from '../kit/walk/processes';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk, WalkPlayer } from '../kit/walk/Walk';

interface Chosen {
  readonly process: ProcessInfo;
  readonly steps: number;
}

function chosenOf(g: Geometry, { process, t }: ViewState): Chosen | null {
  const found = PROCESSES.find(({ name }) => name === process) ?? PROCESSES[0];
  return found ? { process: found, steps: stepsOf(g, found, t) } : null;
}

function StepsView({ state, answers }: ViewProps) {
  const shown = chosenOf(useGeometry(), state);
  const partial = framesIn(answers)[0];
  return shown && partial ? <Walk process={shown.process} partial={partial} /> : null;
}

function StepsSettings({ wanted, onState }: ViewProps) {
  const chosen = chosenOf(useGeometry(), wanted);
  return (
    <Segmented
      label="algorithm"
      quiet
      options={PROCESSES.map(({ name, label, idea }) => ({ value: name, label, hint: idea }))}
      value={chosen?.process.name ?? ''}
      onChange={(process) => onState({ process, t: '' })}
    />
  );
}

function StepsPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const [shown, chosen] = [chosenOf(g, state), chosenOf(g, wanted)];
  const partial = framesIn(answers)[0];
  if (!shown || !chosen || !partial) return null;
  return <WalkPlayer process={shown.process} partial={partial} wanted={chosen.steps} onSteps={(t) => onState({ t })} />;
}

function AboutSteps({ state }: ViewProps) {
  return <p>{chosenOf(useGeometry(), state)?.process.idea}</p>;
}

export const stepsView: View = {
  sentence: 'Step through a pass. Each frame shows what the algorithm has computed so far.',
  needs(g, state) {
    const chosen = chosenOf(g, state);
    return chosen ? [{ kind: 'partial', process: chosen.process.name, steps: chosen.steps }] : [];
  },
  sums: ['y', 'dx', 'dw', 'db'],
  Component: StepsView,
  Settings: StepsSettings,
  Player: StepsPlayer,
  About: AboutSteps,
};
