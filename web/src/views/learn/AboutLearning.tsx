import { signal } from '@preact/signals';
import { cellLabel } from '../../geometry/labels';
import type { GridName, Tensor } from '../../protocol/problem';
import type { Learned, StepSize } from '../../protocol/questions';
import { formatExact } from '../../ui/numbers';
import { formatScientific } from '../../ui/quantities';
import type { ViewProps } from '../kit/view';
import { useViewModel } from '../kit/view-model';
import { hasOwnRate, learntIn, stepsText, useChoiceOf } from './choice';

/** The cell under the pointer; `title` is the name of its panel: y, or the target, which has the cells of dy. */
export const pointed = signal<{ readonly tensor: GridName; readonly title: string; readonly index: number } | null>(
  null,
);

/** The value of the pointed cell after the steps. */
function PointedCell({ learned }: { readonly learned: Learned }) {
  const { content } = useViewModel();
  const { geometry, tensors } = content.value;
  if (!pointed.value) return null;
  const { tensor, title, index } = pointed.value;
  const all: Readonly<Record<string, Tensor | undefined>> = {
    ...tensors,
    ...learned.tensors,
    ...(learned.target && { target: learned.target }),
  };
  const value = all[title]?.data[index];
  if (value === undefined) return null;
  const name = cellLabel(geometry, { tensor, index }).replace(tensor, title);
  return (
    <h3 class="view-title">
      <span class="symbol">{name}</span> = {formatExact(value)}
      {title in learned.tensors && ` after ${stepsText(learned.steps)}`}
    </h3>
  );
}

const number = (value: number) => formatScientific(value, 3);

/** Explains a step of gradient descent and the limit of the learning rate. */
export function AboutLearning({ state, answers }: ViewProps) {
  const choice = useChoiceOf()(state);
  const learned = learntIn(answers);
  if (!learned) return null;
  const { step_size: pace } = learned;
  const name = choice.learns;
  return (
    <>
      <PointedCell learned={learned} />
      <p>
        {choice.task?.sentence ??
          'The target is that of the loss: an image of the size of y, or a y chosen in the menu of dy. Without one it is 0.'}
        {choice.isNetwork && ' All layers learn together; the panels show the open one.'}
        {hasOwnRate(choice) && ' A task loads its own problem. Undo restores yours.'}
      </p>
      <p>
        The loss L = Σ (y − target)² / (2N) is one number for the error of y. d{name} is the change of L with each value
        of {name}. A step goes against d{name}, and the <em>learning rate</em> scales it:
      </p>
      <p class="view-formula">
        {name} ← {name} − {number(choice.rate)} · d{name}
      </p>
      {pace ? <LargestRate {...{ name, pace }} /> : <Vanishing />}
      <p>
        These values belong to the step, not to your problem. “Use {name === 'x' ? 'this x' : 'these weights'}” copies
        them into your problem.
      </p>
    </>
  );
}

/** In a network, what the scale of the initial weights does to the gradients. */
const Vanishing = () => (
  <>
    <h3 class="view-title">Why do gradients vanish or explode?</h3>
    <p>
      The gradient of a layer passes backward through all layers after it, and each multiplies it by its weights. Small
      weights shrink it: the first layers hardly learn. Large weights enlarge it, until learning diverges.
    </p>
    <p>
      Change the scale of the <em>initial weights</em>, and plot the norms of dw: the root of the sum of all squares,
      for each layer.
    </p>
  </>
);

/** The limit of the learning rate of one layer. */
function LargestRate({ name, pace }: { readonly name: 'w' | 'x'; readonly pace: StepSize }) {
  return (
    <>
      <h3 class="view-title">How large can the learning rate be?</h3>
      <p>
        L is a bowl over all values of {name}. Its steepest direction has the curvature λ = {number(pace.curvature)}.
        This is the largest eigenvalue of the second derivatives, found by power iteration. In that direction each step
        multiplies the error by
      </p>
      <p class="view-formula">1 − learning rate · λ = {number(pace.factor)}</p>
      <p>
        Between −1 and 1 the error shrinks. Below −1 each step lands higher on the other side of the bowl: the loss{' '}
        <em>diverges</em>. So the learning rate must stay below 2 / λ = {number(pace.largest_rate)}.
        {pace.factor < -1 && <strong> This learning rate is above it: the loss diverges.</strong>}
      </p>
    </>
  );
}
