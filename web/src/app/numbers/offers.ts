import type { Listed, Opened } from '../../formats/format';
import { orderOf, type Reading, readingsOf, type Sizes, targetOf } from '../../formats/layouts';
import type { ConvDesc, TensorName } from '../../protocol/problem';
import { yShape } from '../../protocol/shapes';
import type { InputName } from '../../state/problem';

/** How tensors from outside can become inputs, and what that would make of the sizes. */

export const INPUTS: readonly InputName[] = ['x', 'w', 'b', 'dy'];

/** What is computed here, and can be compared with. */
export const RESULTS = ['y', 'dx', 'dw', 'db'] as const;
export type ResultName = (typeof RESULTS)[number];

/** Which of the tensors, and in which of its readings; null: as its name and sizes suggest. */
export interface Choice {
  readonly tensor: number;
  readonly reading: number | null;
}

/** Missing: an input stays as it is, a result is not compared. */
export type Choices = Readonly<Partial<Record<TensorName, Choice>>>;

export interface Offer {
  readonly listed: Listed;
  readonly readings: readonly Reading[];
  /** The one that is chosen; null where there is none. */
  readonly reading: Reading | null;
  /** In which order its numbers are wanted. */
  readonly order: string;
}

export interface Offers {
  readonly desc: Partial<ConvDesc>;
  readonly tensors: Readonly<Partial<Record<TensorName, Offer>>>;
}

export function sizesOf(desc: ConvDesc): Sizes {
  const [, a, b, c] = yShape(desc);
  const [oh, ow] = desc.layout === 'nhwc' ? [a, b] : [b, c];
  return { ...desc, oh, ow };
}

/** What is meant, as far as names and sizes tell. */
export function guess(opened: Opened, before: ConvDesc): Choices {
  const choices: Partial<Record<TensorName, Choice>> = {};
  for (const [tensor, { name }] of opened.tensors.entries()) {
    const target = targetOf(name);
    if (target) choices[target] ??= { tensor, reading: null };
  }
  const [only] = opened.tensors;
  if (Object.keys(choices).length > 0 || !only) return choices;
  const sizes = sizesOf(before);
  const fitting = INPUTS.find((input) => readingsOf(only.shape, input, sizes).some(({ fits }) => fits));
  const possible = INPUTS.find((input) => readingsOf(only.shape, input, sizes).length > 0);
  const input = fitting ?? possible;
  return input ? { [input]: { tensor: 0, reading: null } } : {};
}

/** How PyTorch names weights, which are OIHW there; Keras calls its own, HWIO, a kernel. */
const ORDERS_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[._])weights?$/i, 'OIHW'],
  [/(?:^|[._/])kernel(?::0)?$/i, 'HWIO'],
];

/** Of those that fit, or of all where none does, the one that the name speaks for. */
function suggested(name: string, readings: readonly Reading[]): Reading | null {
  const [first] = readings;
  const axes = ORDERS_BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  return readings.find((one) => one.axes === axes && one.fits === first?.fits) ?? first ?? null;
}

/** The sizes follow from x, w and b; what dy and the results can be, from all of them. */
export function offersOf({ tensors: all, desc: said }: Opened, choices: Choices, before: ConvDesc): Offers {
  const tensors: Partial<Record<TensorName, Offer>> = {};
  const offer = (target: TensorName, desc: ConvDesc): Reading | null => {
    const choice = choices[target];
    const listed = choice && all[choice.tensor];
    if (!listed) return null;
    const readings = readingsOf(listed.shape, target, sizesOf(desc));
    const reading = readings[choice.reading ?? -1] ?? suggested(listed.name, readings);
    tensors[target] = { listed, readings, reading, order: orderOf(target, desc.layout) };
    return reading;
  };
  // A case file says its convolution: its tensors have those sizes.
  let desc: ConvDesc = said ?? before;
  const x = offer('x', desc)?.changes;
  if (x) desc = { ...desc, ...x };
  const w = offer('w', desc)?.changes;
  if (w) desc = { ...desc, ...channelsOf(desc, w, before.groups, x !== undefined && x !== null) };
  const b = offer('b', desc)?.changes;
  if (b) desc = { ...desc, ...b };
  for (const target of ['dy', ...RESULTS] as const) offer(target, desc);
  return { desc, tensors };
}

/** Weights say how many channels a group has: with those of x, how many groups there are. */
function channelsOf(
  desc: ConvDesc,
  w: NonNullable<Reading['changes']>,
  groups: number,
  isGiven: boolean,
): Partial<ConvDesc> {
  const { kh = desc.kh, kw = desc.kw, k = desc.k, c: channels = desc.c } = w;
  const each = channels / desc.groups;
  const apart = desc.c / each;
  if (Number.isInteger(apart) && k % apart === 0) return { kh, kw, k, groups: apart };
  if (isGiven) return { kh, kw, k };
  return { kh, kw, k, c: each * (k % groups === 0 ? groups : 1), groups: k % groups === 0 ? groups : 1 };
}

const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  N: ['image', 'images'],
  H: ['row', 'rows'],
  W: ['column', 'columns'],
  C: ['channel', 'channels'],
  I: ['input channel', 'input channels'],
  O: ['filter', 'filters'],
};

const counted = (count: number, [one, many]: readonly [string, string] = ['', '']): string =>
  `${count} ${count === 1 ? one : many}`;

/** "1 image, 5 rows, …": the sizes of a reading by what they are. */
export const readingText = ({ axes, shape, fits }: Reading): string =>
  `${axes}: ${[...axes].map((letter, axis) => counted(shape[axis] ?? 1, NOUNS[letter])).join(', ')}${fits ? ' (fits)' : ''}`;
