import { formatScientific } from '../../ui/quantities';
import type { ViewProps } from '../kit/view';
import { useGeometry } from '../kit/view-model';
import { choiceOf, learntIn } from './choice';

/** Explains a step of gradient descent and the limit of the learning rate. */
export function AboutLearning({ state, answers }: ViewProps) {
  const choice = choiceOf(useGeometry(), state);
  const learned = learntIn(answers);
  if (!learned) return null;
  const { step_size: pace } = learned;
  const name = choice.learns;
  const number = (value: number) => formatScientific(value, 3);
  return (
    <>
      <p>
        {choice.task
          ? `${choice.task.sentence} A task loads its own problem. Undo restores yours.`
          : 'The target is that of the loss: an image of the size of y, or a y chosen in the menu of dy. The default is 0.'}
      </p>
      <p>
        The loss L = Σ (y − target)² / 2N is one number for the error of y. d{name} is the change of L with each value
        of {name}. A step goes against d{name}, and the <em>learning rate</em> scales it:
      </p>
      <p class="learn__formula">
        {name} ← {name} − {number(choice.rate)} · d{name}
      </p>
      <h3 class="view-title">How large can the learning rate be?</h3>
      <p>
        L is a bowl over all values of {name}. Its steepest direction has the curvature λ = {number(pace.curvature)}.
        This is the largest eigenvalue of the second derivatives, found by power iteration. In that direction each step
        multiplies the error by
      </p>
      <p class="learn__formula">1 − learning rate · λ = {number(pace.factor)}</p>
      <p>
        Between −1 and 1 the error shrinks. Below −1 each step lands higher on the other side of the bowl: the loss{' '}
        <em>diverges</em>. So the learning rate must stay below 2 / λ = {number(pace.largest_rate)}.
        {pace.factor < -1 && <strong> This learning rate is above it: the loss diverges.</strong>}
      </p>
      <p>
        Explain does not cover these cells: they belong to the step, not to your problem. “Use{' '}
        {name === 'x' ? 'this x' : 'these weights'}” copies them into your problem.
      </p>
    </>
  );
}
