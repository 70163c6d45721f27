import { useRef } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { Segmented, Select } from '../../ui/controls/Choice';
import { StepSlider } from '../../ui/controls/StepSlider';
import { formatScientific } from '../../ui/quantities';
import { useGeometry, usePicture } from '../kit/picture';
import type { ViewProps } from '../kit/view';
import { choiceOf, NOISES, ratesAround } from './choice';
import { learntIn } from './learnt';
import { linkOf, TASKS } from './tasks';

const LEARNS = [
  { value: 'w', label: 'learn w', hint: 'the weights, and the bias where there is one' },
  { value: 'x', label: 'learn x', hint: 'the input from which these weights make the target' },
] as const;

const OWN = {
  value: 'own',
  label: 'my own',
  hint: 'the problem on the page, and the target of its loss',
} as const;
const BATCHES = [1, 2, 4, 8, 16, 32, 64];

const optionsOf = (values: readonly number[], label: (text: string) => string) =>
  [...new Set(values)]
    .sort((a, b) => a - b)
    .map((value) => ({ value: String(value), label: label(formatScientific(value, 3)) }));

/** What is learnt, and how large the steps are. */
export function LearnSettings({ wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { events } = usePicture();
  const now = choiceOf(g, wanted);
  const largest = learntIn(answers)?.pace.largest_rate;
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
        label="what is learnt"
        quiet
        options={LEARNS}
        value={now.learns}
        onChange={(learns) => onState({ learns, t: 0 })}
      />
      <div class="learn__rate">
        <StepSlider
          label="rate"
          steps={ratesAround(now.rate)}
          value={now.rate}
          text={largest ? `${rate} ${now.rate < largest ? '<' : '≥'} ${formatScientific(largest, 3)}` : rate}
          onChange={(to) => onState({ rate: to })}
        />
      </div>
      {g.n > 1 && now.learns === 'w' && (
        <div class="learn__choice">
          <Select
            label="images that a step looks at"
            quiet
            options={optionsOf([...BATCHES.filter((size) => size < g.n), now.batch, g.n], (text) => `batch ${text}`)}
            value={String(now.batch)}
            onChange={(batch) => onState({ batch: Number(batch) })}
          />
        </div>
      )}
      <div class="learn__choice">
        <Select
          label="noise in the target"
          quiet
          options={optionsOf([...NOISES, now.noise], (text) => `noise ${text}`)}
          value={String(now.noise)}
          onChange={(noise) => onState({ noise: Number(noise) })}
        />
      </div>
      {!now.task && <TargetPicture />}
    </>
  );
}

/** With x opened from a file, too, these are a pair of pictures of one's own. */
function TargetPicture() {
  const { events } = usePicture();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div>
      <Button onClick={() => input.current?.click()}>Target picture</Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept="image/*"
        aria-label="target picture file"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Choosing the same file again must count as a choice.
          event.currentTarget.value = '';
          if (file) events.onTarget(file);
        }}
      />
    </div>
  );
}
