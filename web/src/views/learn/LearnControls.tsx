import { Button } from '../../ui/controls/Button';
import { FileButton, Segmented, Select } from '../../ui/controls/Choice';
import { StepSlider } from '../../ui/controls/NumberField';
import { formatScientific } from '../../ui/quantities';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import type { ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import {
  hasOwnRate,
  LENGTHS,
  learnSentence,
  learntIn,
  NOISES,
  OWN,
  RATES,
  SCALES,
  stepsText,
  useChoiceOf,
  valuesWith,
} from './choice';
import { TASKS, taskLink, YOUR_X } from './tasks';

const LEARNS = [
  { value: 'w', label: 'w', name: 'learn w', hint: 'the weights, and the bias if there is one' },
  { value: 'x', label: 'x', name: 'learn x', hint: 'the input for which these weights give the target' },
] as const;

/** These keep the problem; the tasks load their own. */
const OWN_PROBLEM = [
  { value: YOUR_X.id, label: YOUR_X.title, hint: 'your problem; the target is its blurred x' },
  { value: OWN, label: 'your target', hint: 'your problem and the target of its loss' },
] as const;

const optionsOf = (values: readonly number[], label: (text: string) => string) =>
  values.map((value) => ({ value: String(value), label: label(formatScientific(value, 3)) }));

/** The task, the learned tensor, the learning rate and the noise. */
export function LearnSettingFields({ wanted, answers, onState }: ViewProps) {
  const { events } = useViewModel();
  const now = useChoiceOf()(wanted);
  const largest = learntIn(answers)?.step_size?.largest_rate;
  const rate = formatScientific(now.rate, 3);
  return (
    <>
      <div class="learn__choice">
        <Select
          label="task"
          quiet
          options={[
            ...TASKS.map(({ id, title }) => ({ value: id, label: title })),
            // A network of zeros learns nothing.
            ...(now.isNetwork ? OWN_PROBLEM.slice(1) : OWN_PROBLEM),
          ]}
          value={now.task?.id ?? OWN}
          onChange={(id) => {
            const task = TASKS.find((candidate) => candidate.id === id);
            const scale = task?.scale === undefined ? '' : `&learn.scale=${task.scale}`;
            if (task) events.onLink(`${taskLink(task)}&learn.t=0&learn.rate=${task.rate}${scale}`);
            else onState({ task: id, t: 0, rate: '' });
          }}
        />
      </div>
      {now.isNetwork ? (
        <div class="learn__rate">
          <StepSlider
            label="initial weights"
            steps={valuesWith(SCALES, now.scale)}
            value={now.scale}
            text={`× ${formatScientific(now.scale, 3)}`}
            onChange={(scale) => onState({ scale })}
          />
        </div>
      ) : (
        <Segmented
          label="learned tensor"
          quiet
          options={LEARNS}
          value={now.learns}
          onChange={(learns) => onState({ learns, t: 0, ...(now.task ? { rate: '' } : {}) })}
        />
      )}
      <div class="learn__rate">
        <StepSlider
          label="learning rate"
          steps={valuesWith(RATES, now.rate)}
          value={now.rate}
          text={largest && Number.isFinite(largest) ? `${rate} (diverges above ${formatScientific(largest, 3)})` : rate}
          onChange={(to) => onState({ rate: to })}
        />
      </div>
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

/** The number of steps, the noise and batch of the task, and actions on the result. */
export function LearnActions({ wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, events } = useViewModel();
  const now = useChoiceOf()(wanted);
  const learned = learntIn(answers);
  const sizes = BATCHES.filter((size) => size < g.n);
  return (
    learned && (
      <>
        <Select
          label="number of steps"
          quiet
          options={LENGTHS.map((length) => ({ value: String(length), label: stepsText(length) }))}
          value={String(now.until)}
          onChange={(until) => onState({ until: Number(until), t: Math.min(now.steps, Number(until)) })}
        />
        {!now.isNetwork && (
          <Select
            label="noise in the target"
            quiet
            options={optionsOf(valuesWith(NOISES, now.noise), (text) => `noise ${text}`)}
            value={String(now.noise)}
            onChange={(noise) => onState({ noise: Number(noise) })}
          />
        )}
        <Button
          onClick={() => {
            const { x, w, b } = learned.tensors;
            if (learned.layers) events.onNetwork({ kind: 'weights', layers: learned.layers });
            else events.onUseValues({ x: x?.data, w: w?.data, b: b?.data }, content.peek().geometry);
            onState({ t: 0, ...(now.isNetwork && { scale: 1 }) });
          }}
        >
          {now.learns === 'x' ? 'Use this x' : 'Use these weights'}
        </Button>
        {!now.isNetwork && !hasOwnRate(now) && (
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
        {g.n > 1 && now.learns === 'w' && !now.isNetwork && (
          <Select
            label="batch size"
            quiet
            options={optionsOf(valuesWith(sizes, now.batch, g.n), (text) => `batch ${text}`)}
            value={String(now.batch)}
            onChange={(batch) => onState({ batch: Number(batch) })}
          />
        )}
      </>
    )
  );
}
