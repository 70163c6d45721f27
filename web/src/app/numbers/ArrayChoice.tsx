import { useEffect, useState } from 'preact/hooks';
import { type FileContents, type FileTensor, type Refused, sentenceOf, shapeText } from '../../formats/format';
import { readingsOf, type Sizes } from '../../formats/layouts';
import type { TensorName } from '../../protocol/problem';
import { Select } from '../../ui/controls/Choice';
import { formatExact } from '../../ui/numbers';
import { type Offer, readingText, type TensorChoice, type TensorChoices } from './offers';

/** The values of a chosen array, or why they cannot be read. */
export type Read = FileTensor | Refused;

/** Reads the chosen arrays only: a file may be large. */
export function useArrays(opened: FileContents, choices: TensorChoices): ReadonlyMap<number, Read> {
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

interface ArrayChoiceProps {
  readonly target: TensorName;
  /** The option for no array. */
  readonly without: string;
  readonly opened: FileContents;
  /** Sizes of the problem after the import. */
  readonly sizes: Sizes;
  readonly choice: TensorChoice | undefined;
  readonly offer: Offer | undefined;
  readonly read: Read | undefined;
  readonly onChoose: (choice: TensorChoice | null) => void;
}

export function ArrayChoice({ target, without, opened, sizes, choice, offer, read, onChoose }: ArrayChoiceProps) {
  const possible = opened.tensors.flatMap(({ name, shape, stored }, index) =>
    index === choice?.tensor || readingsOf(shape, target, sizes).length > 0
      ? [{ value: String(index), label: `${name || 'these values'} ${shapeText(shape)}, ${stored}` }]
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
      {offer && !offer.reading && <p class="field-message">The sizes do not fit {target}.</p>}
      {choice && read && (
        <p class="value-source__note">{'refusal' in read ? sentenceOf(read.refusal) : firstValues(read)}</p>
      )}
    </section>
  );
}

const FIRST = 6;

export function firstValues({ values, loss }: FileTensor): string {
  const first = Array.from(values.subarray(0, FIRST), (value) => formatExact(value)).join(', ');
  const rounded = loss.rounded === 0 ? '' : ` ${loss.rounded} of ${values.length} were rounded to float32.`;
  const infinite =
    loss.overflowed === 0
      ? ''
      : ` ${loss.overflowed} ${loss.overflowed === 1 ? 'is too large for float32 and becomes' : 'are too large for float32 and become'} infinite.`;
  if (values.length === 0) return 'No values.';
  return `First values: ${first}${values.length > FIRST ? ' …' : '.'}${rounded}${infinite}`;
}
