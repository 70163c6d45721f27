import { useEffect, useMemo } from 'preact/hooks';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { region, wholeStage } from '../kit/stage/layout';
import { ForwardSigns, Tensors } from '../kit/stage/Tensors';
import type { View, ViewProps } from '../kit/view';
import { useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../kit/view-model';
import { AboutLearning } from './AboutLearning';
import { Curve } from './Curve';
import { canLearn, choiceOf, questionOf, safeRate } from './choice';
import { LearnedPanel } from './LearnedPanel';
import { LearnPlayer } from './LearnPlayer';
import { LearnSettings } from './LearnSettings';
import { learntIn } from './learned';
import './learn.css';

const X = ['x'] as const;
const W = ['w', 'b'] as const;
const nothing = () => undefined;

/** x, w and y after some steps; below them the loss over the steps, dw, and the target or dy. */
function LearnView({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const layout = useViewModel().layout.value;
  const learned = learntIn(answers);
  const frameModel = useFrameOverlay(learned);
  const silentModel = useMemo(
    () => ({ ...frameModel, events: { ...frameModel.events, onHover: nothing, onMove: nothing, onPick: nothing } }),
    [frameModel],
  );
  const largest = learned?.step_size.largest_rate;
  const opens = choiceOf(g, wanted);
  const safe = largest && wanted.rate === undefined && !opens.task && opens.steps === 0 ? safeRate(largest) : null;
  useEffect(() => {
    if (safe !== null && safe < opens.rate) onState({ rate: safe });
  }, [safe, opens.rate, onState]);
  if (!learned) {
    // Cancelled, failed or refused: the notice above the panels reports it.
    if (canLearn(g)) return null;
    return (
      <LayoutBox box={wholeStage(layout)} scrolls>
        <p class="kit__note">
          This problem is too large: learning takes hundreds of passes. Make it smaller, for example an image of 256 ×
          256.
        </p>
      </LayoutBox>
    );
  }
  const choice = choiceOf(g, state);
  const { x, w, b, y, dy, dx, dw, db } = learned.tensors;
  const after = learned.steps === 1 ? 'after 1 step' : `after ${learned.steps.toLocaleString('en')} steps`;
  const error = choice.below === 'dy' && dy;
  return (
    <ViewModelProvider value={silentModel}>
      {x ? <LearnedPanel like="x" tensor={x} subtitle={after} chooses /> : <Tensors names={X} />}
      {w ? (
        <LearnedPanel like="w" tensor={w} subtitle={choice.learns === 'x' ? 'of the task' : after} chooses />
      ) : (
        <Tensors names={W} />
      )}
      {b && <LearnedPanel like="b" tensor={b} subtitle={after} />}
      {y && <LearnedPanel like="y" tensor={y} subtitle={after} chooses />}
      <ForwardSigns />
      {dx && <LearnedPanel like="dx" tensor={dx} subtitle="gradient of x" />}
      {dw && <LearnedPanel like="dw" tensor={dw} subtitle="gradient of w" />}
      {db && <LearnedPanel like="db" tensor={db} subtitle="gradient of b" />}
      {error ? (
        <LearnedPanel like="dy" tensor={error} subtitle="(y − target) / N" />
      ) : (
        <LearnedPanel like="dy" tensor={learned.target} title="target" subtitle="of y" />
      )}
      <Curve
        box={region(layout, choice.learns === 'x' ? 'w' : 'x', choice.learns === 'x' ? 'w' : 'x', 'backward')}
        choice={choiceOf(g, wanted)}
        learned={learned}
        onState={onState}
      />
    </ViewModelProvider>
  );
}

export const learnView: View = {
  sentence: 'Gradient descent: small steps of w against dw, until y matches the target.',
  needs: (g, state) => (canLearn(g) ? [questionOf(g, choiceOf(g, state))] : []),
  Component: LearnView,
  Settings: LearnSettings,
  Player: LearnPlayer,
  About: AboutLearning,
};
