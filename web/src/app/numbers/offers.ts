import type { FileContents, TensorHeader } from '../../formats/format';
import { type LayoutReading, orderOf, readingsOf, type Sizes, targetOf } from '../../formats/layouts';
import type { ConvDesc, TensorName } from '../../protocol/problem';
import { yShape } from '../../protocol/shapes';
import { INPUTS, RESULTS } from '../../protocol/tensors';
import { counted } from '../../ui/quantities';

/** Index of an array, and of one of its axis orders; null: as its name and sizes suggest. */
export interface TensorChoice {
  readonly tensor: number;
  readonly reading: number | null;
}

/** Without an entry, an input is unchanged and a result is not compared. */
export type TensorChoices = Readonly<Partial<Record<TensorName, TensorChoice>>>;

export interface Offer {
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
