import { useEffect, useState } from 'preact/hooks';
import { type FileTensor, type Opened, type Refused, sentenceOf, shapeText } from '../../formats/format';
import { readingsOf, type Sizes } from '../../formats/layouts';
import type { TensorName } from '../../protocol/problem';
import { Select } from '../../ui/controls/Choice';
import { formatExact } from '../../ui/numbers';
import { type Choice, type Choices, type Offer, readingText } from './offers';

/** Numbers of a file that were chosen, or why they cannot be had. */
export type Read = FileTensor | Refused;

/** The numbers of what is chosen: of a large file nothing else is read. */
export function useRead(opened: Opened, choices: Choices): ReadonlyMap<number, Read> {
  const [read, setRead] = useState<ReadonlyMap<number, Read>>(new Map());
  useEffect(() => {
    let current = true;
    for (const choice of Object.values(choices)) {
      if (read.has(choice.tensor)) continue;
      opened.tensors[choice.tensor]?.read().then((tensor) => {
        if (current) setRead((others) => new Map([...others, [choice.tensor, tensor]]));
      });
    }
    return () => {
      current = false;
    };
  }, [opened, choices, read]);
  return read;
}

interface QuestionProps {
  readonly target: TensorName;
  /** What becomes of it without any. */
  readonly without: string;
  readonly opened: Opened;
  /** Of the problem as it will be. */
  readonly sizes: Sizes;
  readonly choice: Choice | undefined;
  readonly offer: Offer | undefined;
  readonly read: Read | undefined;
  readonly onChoose: (choice: Choice | null) => void;
}

export function Question({ target, without, opened, sizes, choice, offer, read, onChoose }: QuestionProps) {
  const possible = opened.tensors.flatMap(({ name, shape, stored }, index) =>
    index === choice?.tensor || readingsOf(shape, target, sizes).length > 0
      ? [{ value: String(index), label: `${name || 'these numbers'} ${shapeText(shape)}, ${stored}` }]
      : [],
  );
  if (possible.length === 0) return null;
  return (
    <section class="numbers__question">
      <Select
        label={target}
        options={[{ value: '-', label: without }, ...possible]}
        value={choice ? String(choice.tensor) : '-'}
        onChange={(value) => onChoose(value === '-' ? null : { tensor: Number(value), reading: null })}
      />
      {choice && offer && offer.readings.length > 0 && (
        <Select
          label="read as"
          options={offer.readings.map((reading, index) => ({ value: String(index), label: readingText(reading) }))}
          value={String(offer.reading ? offer.readings.indexOf(offer.reading) : 0)}
          onChange={(value) => onChoose({ ...choice, reading: Number(value) })}
        />
      )}
      {offer && !offer.reading && <p class="field-message">It cannot be {target}: the sizes do not fit.</p>}
      {choice && read && (
        <p class="value-source__note">{'refusal' in read ? sentenceOf(read.refusal) : firstNumbers(read)}</p>
      )}
    </section>
  );
}

const FIRST = 6;

function firstNumbers({ values, loss }: FileTensor): string {
  const first = Array.from(values.subarray(0, FIRST), (value) => formatExact(value)).join(', ');
  const rounded = loss.rounded === 0 ? '' : ` ${loss.rounded} of ${values.length} are rounded to float32.`;
  const infinite = loss.overflowed === 0 ? '' : ` ${loss.overflowed} are too large for it and become infinite.`;
  return `It begins ${first}${values.length > FIRST ? ' …' : '.'}${rounded}${infinite}`;
}
