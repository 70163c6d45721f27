import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { useGeometry, usePicture } from '../kit/picture';
import type { ViewProps } from '../kit/view';
import { choiceOf, LENGTHS } from './choice';
import { learntIn } from './learnt';
import { sentenceOf } from './words';

/** Steps per second. */
const SPEEDS = [1, 4, 16, 64, 256, 1024];

/** The steps, and what comes of them. */
export function LearnPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, events } = usePicture();
  const now = choiceOf(g, wanted);
  const learnt = learntIn(answers);
  if (!learnt) return null;
  return (
    <>
      <Scrubber
        label="steps of gradient descent"
        value={now.steps}
        total={now.until}
        row={10}
        speeds={SPEEDS}
        sentence={sentenceOf(choiceOf(g, state), learnt)}
        onChange={(t) => onState({ t })}
      />
      <div class="learn__beside">
        <Select
          label="steps of the player"
          quiet
          options={LENGTHS.map((length) => ({ value: String(length), label: `${length.toLocaleString('en')} steps` }))}
          value={String(now.until)}
          onChange={(until) => onState({ until: Number(until), t: Math.min(now.steps, Number(until)) })}
        />
        <Button
          onClick={() => {
            const { x, w, b } = learnt.tensors;
            events.onTake({ x: x?.data, w: w?.data, b: b?.data }, content.peek().geometry);
            onState({ t: 0 });
          }}
        >
          {now.learns === 'x' ? 'Use this x' : 'Use these weights'}
        </Button>
      </div>
    </>
  );
}
