import { Button } from '../../ui/controls/Button';
import { FileButton, Select } from '../../ui/controls/Choice';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import type { ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { choiceOf, LENGTHS } from './choice';
import { optionsOf } from './LearnSettings';
import { learntIn } from './learned';
import { sentenceOf } from './sentence';

const BATCHES = [1, 2, 4, 8, 16, 32, 64];

/** Steps per second. */
const SPEEDS = [1, 4, 16, 64, 256, 1024];

/** The player, and actions on its result. */
export function LearnPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, events } = useViewModel();
  const now = choiceOf(g, wanted);
  const learned = learntIn(answers);
  if (!learned) return null;
  return (
    <>
      <Scrubber
        label="steps of gradient descent"
        value={now.steps}
        total={now.until}
        row={10}
        speeds={SPEEDS}
        sentence={sentenceOf(choiceOf(g, state), learned)}
        onChange={(t) => onState({ t })}
      />
      <div class="learn__beside">
        <Select
          label="number of steps"
          quiet
          options={LENGTHS.map((length) => ({ value: String(length), label: `${length.toLocaleString('en')} steps` }))}
          value={String(now.until)}
          onChange={(until) => onState({ until: Number(until), t: Math.min(now.steps, Number(until)) })}
        />
        <Button
          onClick={() => {
            const { x, w, b } = learned.tensors;
            events.onUseValues({ x: x?.data, w: w?.data, b: b?.data }, content.peek().geometry);
            onState({ t: 0 });
          }}
        >
          {now.learns === 'x' ? 'Use this x' : 'Use these weights'}
        </Button>
        {!now.task && <TargetPicture />}
        {g.n > 1 && now.learns === 'w' && (
          <Select
            label="batch size"
            quiet
            options={optionsOf([...BATCHES.filter((size) => size < g.n), now.batch, g.n], (text) => `batch ${text}`)}
            value={String(now.batch)}
            onChange={(batch) => onState({ batch: Number(batch) })}
          />
        )}
      </div>
    </>
  );
}

/** A target from an image file. */
function TargetPicture() {
  const { events } = useViewModel();
  return (
    <div>
      <FileButton label="target image file" accept="image/*" onFile={events.onTarget}>
        Target image
      </FileButton>
    </div>
  );
}
