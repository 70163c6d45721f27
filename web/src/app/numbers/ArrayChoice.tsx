import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type FileContents,
  type FileTensor,
  type Refused,
  refusalText,
  shapeText,
  type TensorHeader,
} from '../../formats/format';
import { type LayoutReading, readingsOf, type Sizes } from '../../formats/layouts';
import type { InputName } from '../../protocol/problem';
import { Select } from '../../ui/controls/Choice';
import { formatExact } from '../../ui/numbers';
import { counted } from '../../ui/quantities';
import type { InputChoice, Offer, Offers } from './import-inputs';

const NOUNS: Readonly<Record<string, string>> = {
  ...{ N: 'image', H: 'row', W: 'column', C: 'channel', I: 'input channel', O: 'filter' },
};

/** "NHWC: 1 image, 5 rows, …" */
const readingText = ({ name, axes, shape, fits }: LayoutReading): string =>
  `${name}: ${[...axes].map((letter, axis) => counted(shape[axis] ?? 1, NOUNS[letter] ?? '')).join(', ')}${fits ? ' (fits)' : ''}`;

/** The values of a chosen array, or why they cannot be read. */
type Read = FileTensor | Refused;

/** Reads the chosen arrays only: a file may be large. */
export function useArrays(offers: Offers): ReadonlyMap<number, Read> {
  const [read, setRead] = useState<ReadonlyMap<TensorHeader, Read>>(new Map());
  /** Each array is read once. */
  const asked = useRef(new Set<TensorHeader>());
  useEffect(() => {
    for (const { listed } of Object.values(offers)) {
      if (asked.current.has(listed)) continue;
      asked.current.add(listed);
      listed.read().then((tensor) => setRead((others) => new Map([...others, [listed, tensor]])));
    }
  }, [offers]);
  return useMemo(() => {
    const found = Object.values(offers).map(({ tensor, listed }) => [tensor, read.get(listed)] as const);
    return new Map(found.filter((entry): entry is [number, Read] => entry[1] !== undefined));
  }, [offers, read]);
}

interface ArrayChoiceProps {
  readonly target: InputName;
  /** The option for no array. */
  readonly without: string;
  readonly opened: FileContents;
  /** Sizes of the problem after the import. */
  readonly sizes: Sizes;
  readonly offer: Offer | undefined;
  readonly read: Read | undefined;
  readonly onChoose: (choice: InputChoice | null) => void;
}

export function ArrayChoice({ target, without, opened, sizes, offer, read, onChoose }: ArrayChoiceProps) {
  const possible = opened.tensors.flatMap(({ name, shape, stored }, index) =>
    index === offer?.tensor || readingsOf(shape, target, sizes).length > 0
      ? [{ value: String(index), label: `${name || 'these values'} ${shapeText(shape)}, ${stored}` }]
      : [],
  );
  if (possible.length === 0) return null;
  return (
    <section class="numbers__question grid">
      <Select
        label={target}
        options={[{ value: '-', label: without }, ...possible]}
        value={offer ? String(offer.tensor) : '-'}
        onChange={(value) => onChoose(value === '-' ? null : { tensor: Number(value), reading: null })}
      />
      {offer && offer.readings.length > 0 && (
        <Select
          label="read as"
          options={offer.readings.map((reading) => ({ value: reading.name, label: readingText(reading) }))}
          value={offer.reading?.name ?? ''}
          placeholder="choose an axis order"
          onChange={(reading) => onChoose({ tensor: offer.tensor, reading })}
        />
      )}
      {offer && read && (
        <p class="value-source__note note">{'refusal' in read ? refusalText(read.refusal) : firstValues(read)}</p>
      )}
    </section>
  );
}

const FIRST = 6;

export function firstValues(tensor: FileTensor): string {
  const { values } = tensor;
  const first = Array.from(values.subarray(0, FIRST), (value) => formatExact(value)).join(', ');
  if (values.length === 0) return 'No values.';
  return `First values: ${first}${values.length > FIRST ? ' …' : '.'} ${lossText(tensor)}`.trimEnd();
}

/** "12 of 54 were rounded to float32."; '' if nothing was lost. */
function lossText({ values, loss: { rounded, overflowed } }: FileTensor): string {
  const infinite =
    overflowed === 1
      ? ' 1 is too large for float32 and becomes infinite.'
      : ` ${overflowed} are too large for float32 and become infinite.`;
  return rounded === 0
    ? ''
    : `${rounded} of ${values.length} were rounded to float32.${overflowed === 0 ? '' : infinite}`;
}
