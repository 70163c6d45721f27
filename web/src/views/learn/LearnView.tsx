import { useMemo } from 'preact/hooks';
import { PictureProvider, useFramed, useGeometry, usePicture } from '../kit/picture';
import { region, wholeStage } from '../kit/stage/layout';
import { Place } from '../kit/stage/Place';
import { ForwardSigns, Tensors } from '../kit/stage/Tensors';
import type { View, ViewProps } from '../kit/view';
import { AboutLearning } from './AboutLearning';
import { Curve } from './Curve';
import { canLearn, choiceOf, questionOf } from './choice';
import { LearnPlayer } from './LearnPlayer';
import { LearnSettings } from './LearnSettings';
import { LearntPanel } from './LearntPanel';
import { learntIn } from './learnt';
import './learn.css';

const X = ['x'] as const;
const W = ['w', 'b'] as const;
const nothing = () => undefined;

/** x, and w and y as they are after some steps; below them the loss over the steps, dw, and the target or dy. */
function LearnView({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const layout = usePicture().layout.value;
  const learnt = learntIn(answers);
  const framed = useFramed(learnt);
  const quiet = useMemo(
    () => ({ ...framed, events: { ...framed.events, onHover: nothing, onMove: nothing, onPick: nothing } }),
    [framed],
  );
  if (!learnt) {
    return (
      <Place box={wholeStage(layout)} scrolls>
        <p class="learn__note">
          One pass over this problem takes too long for the hundreds that learning takes: make it smaller, a picture of
          256 × 256 say.
        </p>
      </Place>
    );
  }
  const choice = choiceOf(g, state);
  const { x, w, b, y, dy, dx, dw, db } = learnt.tensors;
  const after = learnt.steps === 1 ? 'after 1 step' : `after ${learnt.steps.toLocaleString('en')} steps`;
  const error = choice.below === 'dy' && dy;
  return (
    <PictureProvider value={quiet}>
      {x ? <LearntPanel like="x" tensor={x} subtitle={after} chooses /> : <Tensors names={X} />}
      {w ? <LearntPanel like="w" tensor={w} subtitle={after} chooses /> : <Tensors names={W} />}
      {b && <LearntPanel like="b" tensor={b} subtitle={after} />}
      {y && <LearntPanel like="y" tensor={y} subtitle={after} chooses />}
      <ForwardSigns />
      {dx && <LearntPanel like="dx" tensor={dx} subtitle="gradient of x" />}
      {dw && <LearntPanel like="dw" tensor={dw} subtitle="gradient of w" />}
      {db && <LearntPanel like="db" tensor={db} subtitle="gradient of b" />}
      {error ? (
        <LearntPanel like="dy" tensor={error} subtitle="(y − target) / N" />
      ) : (
        <LearntPanel like="dy" tensor={learnt.target} title="target" subtitle="of y" />
      )}
      <Curve
        box={region(layout, choice.learns === 'x' ? 'w' : 'x', choice.learns === 'x' ? 'w' : 'x', 'backward')}
        choice={choiceOf(g, wanted)}
        learnt={learnt}
        onState={onState}
      />
    </PictureProvider>
  );
}

export const learnView: View = {
  sentence: 'Gradient descent: w goes a little down its gradient, again and again, until y is the target.',
  needs: (g, state) => (canLearn(g) ? [questionOf(g, choiceOf(g, state))] : []),
  Component: LearnView,
  Settings: LearnSettings,
  Player: LearnPlayer,
  About: AboutLearning,
};
