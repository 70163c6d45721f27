import { Segmented, Select } from '../../ui/controls/Choice';
import { StepSlider } from '../../ui/controls/NumberField';
import { formatScientific } from '../../ui/quantities';
import type { ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { choiceOf, NOISES, ratesAround } from './choice';
import { learntIn } from './learned';
import { linkOf, TASKS } from './tasks';

const LEARNS = [
  { value: 'w', label: 'learn w', hint: 'the weights, and the bias if there is one' },
  { value: 'x', label: 'learn x', hint: 'the input for which these weights give the target' },
] as const;

const OWN = {
  value: 'own',
  label: 'your own',
  hint: 'your problem and the target of its loss',
} as const;

export const optionsOf = (values: readonly number[], label: (text: string) => string) =>
  [...new Set(values)]
    .sort((a, b) => a - b)
    .map((value) => ({ value: String(value), label: label(formatScientific(value, 3)) }));

/** The task, the learned tensor, the learning rate and the noise. */
export function LearnSettings({ wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { events } = useViewModel();
  const now = choiceOf(g, wanted);
  const largest = learntIn(answers)?.step_size.largest_rate;
  const rate = formatScientific(now.rate, 3);
  return (
    <>
      <div class="learn__choice">
        <Select
          label="task"
          quiet
          options={[...TASKS.map(({ id, title }) => ({ value: id, label: title })), OWN]}
          value={now.task?.id ?? OWN.value}
          onChange={(id) => {
            const task = TASKS.find((candidate) => candidate.id === id);
            if (task) events.onLink(`${linkOf(task)}&learn.t=0&learn.rate=${task.rate}`);
            else onState({ task: OWN.value, t: 0 });
          }}
        />
      </div>
      <Segmented
        label="learned tensor"
        quiet
        options={LEARNS}
        value={now.learns}
        onChange={(learns) => onState({ learns, t: 0, ...(now.task ? { rate: '' } : {}) })}
      />
      <div class="learn__rate">
        <StepSlider
          label="learning rate"
          steps={ratesAround(now.rate)}
          value={now.rate}
          text={largest ? `${rate} ${now.rate < largest ? '(limit' : '(above'} ${formatScientific(largest, 3)})` : rate}
          onChange={(to) => onState({ rate: to })}
        />
      </div>
      <div class="learn__choice">
        <Select
          label="noise in the target"
          quiet
          options={optionsOf([...NOISES, now.noise], (text) => `noise ${text}`)}
          value={String(now.noise)}
          onChange={(noise) => onState({ noise: Number(noise) })}
        />
      </div>
    </>
  );
}
