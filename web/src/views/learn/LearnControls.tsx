import { signal } from '@preact/signals';
import { cellLabel } from '../../geometry/labels';
import { lossEntry } from '../../losses/entries';
import type { Learned, StepSize } from '../../protocol/learn';
import type { GridName, Tensor } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { FileButton, Segmented, Select } from '../../ui/controls/Choice';
import { StepSlider } from '../../ui/controls/NumberField';
import { Popover } from '../../ui/controls/Popover';
import { formatExact } from '../../ui/numbers';
import { formatCount, formatScientific } from '../../ui/quantities';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { useGeometry, useViewModel, type ViewProps } from '../shared/view-model';
import {
  canLearnX,
  hasOwnRate,
  isClassified,
  LENGTHS,
  type LearnChoice,
  learnSentence,
  learntIn,
  NOISES,
  OTHER_WEIGHTS,
  OWN,
  ownTasksOf,
  plotsOf,
  RATES,
  SCALES,
  stepsText,
  TASKS,
  taskLink,
  useChoiceOf,
  valuesWith,
  YOUR_X,
} from './choice';
import { DIGITS_TASK, isDigits } from './digits-choice';

/** The cell under the pointer; `title` is the name of its panel: y, or the target, which has the cells of dy. */
export const pointed = signal<{ readonly tensor: GridName; readonly title: string; readonly index: number } | null>(
  null,
);

/** The value of the pointed cell after the steps. */
function PointedCell({ learned }: { learned: Learned }) {
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
  const { content } = useViewModel();
  const learned = learntIn(answers);
  if (!learned) return null;
  const { step_size: pace } = learned;
  const isOwn = choice.task === null && isClassified(content.value);
  const name = choice.learns;
  return (
    <>
      <PointedCell learned={learned} />
      <p>
        {choice.task?.sentence ??
          (isOwn
            ? 'The target is that of the loss: a class, or a distribution over the channels of each position. Choose it in the menu of dy.'
            : 'The target is that of the loss: an image of the size of y, or a y chosen in the menu of dy. Without one it is 0.')}
        {learned.layers.length > 1 && ' All layers learn together; the panels show the open one.'}
        {hasOwnRate(choice) && ' A task loads its own problem. Undo restores yours.'}
      </p>
      <p>
        The loss {isOwn ? lossEntry('cross_entropy').formula('N') : 'L = Σ (y − target)² / (2N)'} is one number for the
        error of y{isOwn && ': softmax over the channels of each of N positions'}. d{name} is the change of L with each
        value of {name}. A step goes against d{name}, and the <em>learning rate</em> scales it:
      </p>
      <p class="view-formula">
        {name} ← {name} − {number(choice.rate)} · d{name}
      </p>
      {pace ? <LargestRate {...{ name, pace }} /> : learned.layers.length > 1 && name === 'w' && <Vanishing />}
      <p>
        These values belong to the step, not to your problem. “Use {name === 'x' ? 'this x' : 'these weights'}” copies
        them into your problem.
      </p>
    </>
  );
}

/** What the scale of the initial weights of several layers does to the gradients. */
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
function LargestRate({ name, pace }: { name: 'w' | 'x'; pace: StepSize }) {
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

const LEARNS = [
  { value: 'w', label: 'w', name: 'learn w', hint: 'the weights, and the bias if there is one' },
  { value: 'x', label: 'x', name: 'learn x', hint: 'the input for which these weights give the target' },
] as const;

/** These keep the problem; the tasks load their own. */
const OWN_PROBLEM = [
  { value: YOUR_X.id, label: YOUR_X.title, hint: 'your problem; the target is its blurred x' },
  { value: OTHER_WEIGHTS.id, label: OTHER_WEIGHTS.title, hint: 'your problem; the target is its y with other weights' },
  { value: OWN, label: 'your target', hint: 'your problem and the target of its loss' },
] as const;

const PLOT_LABELS: Readonly<Record<LearnChoice['plot'], string>> = {
  log: 'loss, logarithmic',
  linear: 'loss',
  weights: 'weights',
  norms: 'norms of dw',
};
const BELOW = [
  { value: 'target', label: 'target' },
  { value: 'dy', label: 'dy' },
] as const;

const optionsOf = (values: readonly number[]) => values.map((value) => ({ value, label: formatScientific(value, 3) }));

const DIGITS = { value: DIGITS_TASK, label: 'digits', hint: 'a network that learns to read images of digits' } as const;

export function TaskField({ wanted, onState }: ViewProps) {
  const { content, events } = useViewModel();
  const now = useChoiceOf()(wanted);
  const own = ownTasksOf(content.value.layers);
  return (
    <div class="learn__choice">
      <Select
        label="task"
        quiet
        options={[
          ...TASKS.map(({ id, title }) => ({ value: id, label: title })),
          DIGITS,
          ...OWN_PROBLEM.filter(({ value }) => value === OWN || own.some(({ id }) => id === value)),
        ]}
        value={isDigits(wanted) ? DIGITS_TASK : (now.task?.id ?? OWN)}
        onChange={(id) => {
          const task = TASKS.find((candidate) => candidate.id === id);
          const scale = task?.scale === undefined ? '' : `&learn.scale=${task.scale}`;
          if (task) events.onLink(`${taskLink(task)}&learn.t=0&learn.rate=${task.rate}${scale}`);
          else onState({ task: id, t: 0, rate: '', scale: '', plot: '' });
        }}
      />
    </div>
  );
}

/** The learning rate; the rest behind a button. */
export function LearnSettingFields({ wanted, answers, onState }: ViewProps) {
  const now = useChoiceOf()(wanted);
  const largest = learntIn(answers)?.step_size?.largest_rate;
  const rate = formatScientific(now.rate, 3);
  return (
    <>
      <div class="learn__rate">
        <StepSlider
          label="learning rate"
          steps={valuesWith(RATES, now.rate)}
          value={now.rate}
          text={largest && Number.isFinite(largest) ? `${rate} (diverges above ${formatScientific(largest, 3)})` : rate}
          onChange={(to) => onState({ rate: to })}
        />
      </div>
      <Popover button="Setup" buttonClass="button" label="Setup" role="group" align="right" first="select">
        {() => (
          <div class="learn__setup grid">
            <Setup {...{ wanted, answers, onState }} />
          </div>
        )}
      </Popover>
    </>
  );
}

const BATCHES = [1, 2, 4, 8, 16, 32, 64];

/** Steps per second. */
const SPEEDS = [1, 4, 16, 64, 256, 1024];

export function LearnPlayer({ state, wanted, answers, onState }: ViewProps) {
  const choiceOf = useChoiceOf();
  const now = choiceOf(wanted);
  const learned = learntIn(answers);
  return (
    learned && (
      <Scrubber
        label="steps of gradient descent"
        value={now.steps}
        total={now.until}
        row={10}
        speeds={SPEEDS}
        sentence={learnSentence(choiceOf(state), learned)}
        onChange={(t) => onState({ t })}
      />
    )
  );
}

/** What is plotted and learned, the number of steps, the noise and batch of the task, and actions on the result. */
function Setup({ wanted, answers, onState }: Omit<ViewProps, 'state'>) {
  const g = useGeometry();
  const { content, events } = useViewModel();
  const now = useChoiceOf()(wanted);
  const learned = learntIn(answers);
  const sizes = BATCHES.filter((size) => size < g.n);
  return (
    learned && (
      <>
        <Select
          label="plot"
          options={plotsOf(now.learns).map((value) => ({ value, label: PLOT_LABELS[value] }))}
          value={now.plot}
          onChange={(plot) => onState({ plot })}
        />
        {learned.target && (
          <Select label="panel below y" options={BELOW} value={now.below} onChange={(to) => onState({ below: to })} />
        )}
        {canLearnX(content.value.fixed, now.task) && (
          <Segmented
            label="learned tensor"
            options={LEARNS}
            value={now.learns}
            onChange={(learns) => onState({ learns, t: 0, ...(now.task ? { rate: '' } : {}) })}
          />
        )}
        {now.task !== YOUR_X && now.learns === 'w' && (
          <StepSlider
            label="initial weights"
            steps={valuesWith(SCALES, now.scale)}
            value={now.scale}
            text={`× ${formatScientific(now.scale, 3)}`}
            onChange={(scale) => onState({ scale })}
          />
        )}
        <Select
          label="number of steps"
          options={LENGTHS.map((value) => ({ value, label: formatCount(value) }))}
          value={now.until}
          onChange={(until) => onState({ until, t: Math.min(now.steps, until) })}
        />
        {(now.task || !isClassified(content.value)) && (
          <Select
            label="noise in the target"
            options={optionsOf(valuesWith(NOISES, now.noise))}
            value={now.noise}
            onChange={(noise) => onState({ noise })}
          />
        )}
        {g.n > 1 && now.learns === 'w' && (
          <Select
            label="batch size"
            options={optionsOf(valuesWith(sizes, now.batch, g.n))}
            value={now.batch}
            onChange={(batch) => onState({ batch })}
          />
        )}
        {!hasOwnRate(now) && (
          <FileButton
            label="target image file"
            accept="image/*"
            onFile={(file) => {
              events.onTarget(file);
              onState({ task: OWN, rate: '' });
            }}
          >
            Target image
          </FileButton>
        )}
        <Button
          onClick={() => {
            if (now.learns === 'w') events.onNetwork({ kind: 'weights', layers: learned.layers });
            else events.onUseValues({ x: learned.tensors.x?.data }, content.peek().geometry);
            onState({ t: 0, ...(now.scale !== 1 && { scale: 1 }) });
          }}
        >
          {now.learns === 'x' ? 'Use this x' : 'Use these weights'}
        </Button>
      </>
    )
  );
}
