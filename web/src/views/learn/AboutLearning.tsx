import { formatScientific } from '../../ui/quantities';
import { useGeometry } from '../kit/picture';
import type { ViewProps } from '../kit/view';
import { choiceOf } from './choice';
import { learntIn } from './learnt';

/** What a step does, and which rates can work. */
export function AboutLearning({ state, answers }: ViewProps) {
  const choice = choiceOf(useGeometry(), state);
  const learnt = learntIn(answers);
  if (!learnt) return null;
  const { pace } = learnt;
  const name = choice.learns;
  const number = (value: number) => formatScientific(value, 3);
  return (
    <>
      <p>
        {choice.task
          ? choice.task.sentence
          : 'The target is that of the page’s own loss: a picture as large as y, chosen above, or a y that was taken for it in Paint dy. Without one it is 0.'}
      </p>
      <p>
        The loss L = Σ (y − target)² / 2N is one number for all that is wrong with y. d{name} says how L changes with
        each number of {name}. A step goes against it, and the <em>rate</em> says how far:
      </p>
      <p class="learn__formula">
        {name} ← {name} − {number(choice.rate)} · d{name}
      </p>
      <h3 class="learn__title">How large may the rate be?</h3>
      <p>
        L is a bowl over all the numbers of {name}. Its steepest direction has the curvature λ ={' '}
        {number(pace.curvature)} (the largest eigenvalue of the second derivatives, found by running forward and
        backward again and again). In that direction each step multiplies what is missing by
      </p>
      <p class="learn__formula">1 − rate · λ = {number(pace.factor)}</p>
      <p>
        Between −1 and 1 it shrinks. Below −1 each step jumps across the bowl and lands higher than it was: it{' '}
        <em>diverges</em>. So the rate must stay below 2 / λ = {number(pace.largest_rate)}.
        {pace.factor < -1 && <strong> This rate is above: the loss runs away.</strong>}
      </p>
      <p>
        The cells here are not explained one by one: they belong to the step, not to the page’s problem. “Use{' '}
        {name === 'x' ? 'this x' : 'these weights'}” puts them into the problem, where every cell explains itself.
      </p>
    </>
  );
}
