import { useEffect, useState } from 'preact/hooks';
import {
  type FileContents,
  type FileTensor,
  type Refused,
  sentenceOf,
  shapeText,
  type TensorHeader,
} from '../../formats/format';
import { type LayoutReading, orderOf, readingsOf, type Sizes, targetOf } from '../../formats/layouts';
import type { ConvDesc, TensorName } from '../../protocol/problem';
import { yShape } from '../../protocol/shapes';
import { INPUTS, RESULTS } from '../../protocol/tensors';
import { Select } from '../../ui/controls/Choice';
import { formatExact } from '../../ui/numbers';
import { counted } from '../../ui/quantities';

/** Index of an array, and of one of its axis orders; null: as its name and sizes suggest. */
export interface TensorChoice {
  readonly tensor: number;
  readonly reading: number | null;
}

/** Without an entry, an input is unchanged and a result is not compared. */
export type TensorChoices = Readonly<Partial<Record<TensorName, TensorChoice>>>;

interface Offer {
  readonly listed: TensorHeader;
  readonly readings: readonly LayoutReading[];
  /** The chosen one; null if none fits. */
  readonly reading: LayoutReading | null;
  /** The axis order of the target tensor. */
  readonly order: string;
}

interface Offers {
  /** With the sizes of the chosen inputs. */
  readonly desc: ConvDesc;
  readonly tensors: Readonly<Partial<Record<TensorName, Offer>>>;
}

export function sizesOf(desc: ConvDesc): Sizes {
  const [, a, b, c] = yShape(desc);
  const [oh, ow] = desc.layout === 'nhwc' ? [a, b] : [b, c];
  return { ...desc, oh, ow };
}

/** Whether an array can be an input, or a result to compare. */
export const isUseful = ({ tensors }: FileContents, sizes: Sizes): boolean =>
  tensors.some(({ shape }) => [...INPUTS, ...RESULTS].some((target) => readingsOf(shape, target, sizes).length > 0));

/** Guesses the target of each array from names and sizes. */
export function guess(opened: FileContents, before: ConvDesc): TensorChoices {
  const choices: Partial<Record<TensorName, TensorChoice>> = {};
  for (const [tensor, { name }] of opened.tensors.entries()) {
    const target = targetOf(name);
    if (target) choices[target] ??= { tensor, reading: null };
  }
  const [only] = opened.tensors;
  if (Object.keys(choices).length > 0 || !only) return choices;
  const sizes = sizesOf(before);
  const readingsAs = (input: TensorName) => readingsOf(only.shape, input, sizes);
  const input =
    INPUTS.find((name) => readingsAs(name).some(({ fits }) => fits)) ?? INPUTS.find((name) => readingsAs(name)[0]);
  return input ? { [input]: { tensor: 0, reading: null } } : {};
}

/** PyTorch weights are OIHW and are named "weight"; those of Keras are HWIO and are named "kernel". */
const ORDERS_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[._])weights?$/i, 'OIHW'],
  [/(?:^|[._/])kernel(?::0)?$/i, 'HWIO'],
];

/** The reading that the name suggests, among those that fit or, if none does, among all. */
function suggested(name: string, readings: readonly LayoutReading[]): LayoutReading | null {
  const [first] = readings;
  const axes = ORDERS_BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  return readings.find((one) => one.axes === axes && one.fits === first?.fits) ?? first ?? null;
}

/** Derives the sizes from x, w and b, and the readings of dy and the results from these sizes. */
export function offersOf(
  { tensors: all, desc: ofFile }: FileContents,
  choices: TensorChoices,
  before: ConvDesc,
): Offers {
  const tensors: Partial<Record<TensorName, Offer>> = {};
  const offer = (target: TensorName, desc: ConvDesc): LayoutReading | null => {
    const choice = choices[target];
    const listed = choice && all[choice.tensor];
    if (!listed) return null;
    const readings = readingsOf(listed.shape, target, sizesOf(desc));
    const reading = readings[choice.reading ?? -1] ?? suggested(listed.name, readings);
    tensors[target] = { listed, readings, reading, order: orderOf(target, desc.layout) };
    return reading;
  };
  // A case file contains its descriptor, and its tensors have these sizes.
  let desc: ConvDesc = ofFile ?? before;
  const x = offer('x', desc)?.changes;
  desc = { ...desc, ...x };
  const w = offer('w', desc)?.changes;
  if (w) desc = { ...desc, ...channelsOf(desc, w, before.groups, x !== undefined && x !== null) };
  desc = { ...desc, ...offer('b', desc)?.changes };
  for (const target of ['dy', ...RESULTS] as const) offer(target, desc);
  return { desc, tensors };
}

/** The number of groups: channels of x divided by channels per group, which the weights have. */
function channelsOf(
  desc: ConvDesc,
  w: NonNullable<LayoutReading['changes']>,
  groups: number,
  isGiven: boolean,
): Partial<ConvDesc> {
  const { kh = desc.kh, kw = desc.kw, k = desc.k, c: channels = desc.c } = w;
  const each = channels / desc.groups;
  const apart = desc.c / each;
  if (Number.isInteger(apart) && k % apart === 0) return { kh, kw, k, groups: apart };
  if (isGiven) return { kh, kw, k };
  const possible = k % groups === 0 ? groups : 1;
  return { kh, kw, k, c: each * possible, groups: possible };
}

const NOUNS: Readonly<Record<string, string>> = {
  ...{ N: 'image', H: 'row', W: 'column', C: 'channel', I: 'input channel', O: 'filter' },
};

/** "NHWC: 1 image, 5 rows, …" */
export const readingText = ({ axes, shape, fits }: LayoutReading): string =>
  `${axes}: ${[...axes].map((letter, axis) => counted(shape[axis] ?? 1, NOUNS[letter] ?? '')).join(', ')}${fits ? ' (fits)' : ''}`;

/** The values of a chosen array, or why they cannot be read. */
type Read = FileTensor | Refused;

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
