import type { FileContents, TensorHeader } from '../../formats/format';
import { openable } from '../../formats/judged-layer';
import { isAlike, type LayoutReading, readingsOf, type Sizes } from '../../formats/layouts';
import { type ConvDesc, INPUTS, type InputName } from '../../protocol/problem';
import { yShape } from '../../protocol/shapes';
import type { LayerVerdict } from '../../protocol/verdict';
import { KINDS } from './verdict-text';

/** The import of inputs without results: how arrays become x, w, b and dy. */

/** An array of the file, and the name of a reading; null: as its sizes suggest. */
export interface InputChoice {
  readonly tensor: number;
  readonly reading: string | null;
}

/** Null: no array, so that the input is unchanged. */
export type InputChoices = Readonly<Partial<Record<InputName, InputChoice | null>>>;

type ListedArray = Pick<TensorHeader, 'name' | 'shape'>;

/** An array as an input, with all its readings. */
export interface Offer<Listed = TensorHeader> {
  /** Index of the array. */
  readonly tensor: number;
  readonly listed: Listed;
  readonly readings: readonly LayoutReading[];
  /** The chosen one; null if none fits. */
  readonly reading: LayoutReading | null;
}

export type Offers<Listed = TensorHeader> = Readonly<Partial<Record<InputName, Offer<Listed>>>>;

interface InputsImport<Listed> {
  readonly desc: ConvDesc;
  readonly offers: Offers<Listed>;
}

export function layoutSizes(desc: ConvDesc): Sizes {
  const [, a, b, c] = yShape(desc);
  const [oh, ow] = desc.layout === 'nhwc' ? [a, b] : [b, c];
  return { ...desc, oh, ow };
}

/** A single array without a name is the first input that has its sizes, else the first that can have them. */
export function guessed({ tensors: [only, ...others] }: FileContents, desc: ConvDesc): InputChoices {
  if (!only || others.length > 0) return {};
  const readings = (input: InputName) => readingsOf(only.shape, input, layoutSizes(desc));
  const input =
    INPUTS.find((name) => readings(name).some(({ fits }) => fits)) ?? INPUTS.find((name) => readings(name).length > 0);
  return input ? { [input]: { tensor: 0, reading: null } } : {};
}

/** What the library read: arrays by their names, and the order of their axes. */
export function inputChoices(inputs: LayerVerdict | undefined): InputChoices {
  const found = INPUTS.flatMap((name): readonly [InputName, InputChoice][] => {
    const tensor = inputs?.arrays[name];
    return tensor === undefined ? [] : [[name, { tensor, reading: null }]];
  });
  return Object.fromEntries(found);
}

/** `before`: the convolution of the page, or that of the file. `inputs`: what the library read. */
export function inputsImport<Listed extends ListedArray>(
  opened: Pick<FileContents, 'given'> & { readonly tensors: readonly Listed[] },
  choices: InputChoices,
  before: ConvDesc,
  inputs: LayerVerdict | undefined,
): InputsImport<Listed> {
  const solved = inputs && isAsRead(choices, inputs) ? openable(inputs, opened, before) : null;
  const layer = solved === null || 'why' in solved ? null : solved;
  // The file has dy or arguments: then its sizes decide, else the geometry of the page stays.
  const base = layer && (choices.dy || opened.given.length > 0) ? layer.desc : before;
  const layout = layer?.desc.layout ?? base.layout;
  const offerOf = (name: InputName, desc: ConvDesc): Offer<Listed> | undefined => {
    const choice = choices[name];
    const listed = choice && opened.tensors[choice.tensor];
    if (!choice || !listed) return undefined;
    const readings = readingsOf(listed.shape, name, layoutSizes(desc));
    const own = readings.filter(({ isReshaped }) => !isReshaped || listed.shape.length < 3);
    const order = layer?.orders[name === 'dy' ? 'y' : name];
    const reading =
      readings.find((one) => one.name === choice.reading) ??
      own.find((one) => order && isAlike(one, order)) ??
      own.find((one) => isNamedOrder(name, listed, one)) ??
      own.find(({ fits }) => fits) ??
      (name === 'x' || name === 'w' || (name === 'b' && !choices.w) ? own[0] : undefined);
    return { tensor: choice.tensor, listed, readings, reading: reading ?? null };
  };
  const x = offerOf('x', { ...base, layout });
  const withX = { ...base, layout, ...x?.reading?.changes };
  const sized = { ...withX, groups: withX.c % withX.groups === 0 ? withX.groups : 1 };
  const w = offerOf('w', sized);
  const withW = w?.reading?.changes ? withWeights(sized, w.reading.changes, x !== undefined) : sized;
  const k = w ? undefined : offerOf('b', withW)?.reading?.changes?.k;
  const desc = k === undefined ? withW : { ...withW, k };
  const all = { x, w, b: offerOf('b', desc), dy: offerOf('dy', desc) };
  const offers = Object.fromEntries(Object.entries(all).filter(([, offer]) => offer !== undefined));
  return { desc, offers };
}

/** PyTorch weights are OIHW and are named "weight"; those of Keras are HWIO and are named "kernel". */
const ORDERS_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[._])weights?$/i, 'OIHW'],
  [/(?:^|[._/])kernel(?::0)?$/i, 'HWIO'],
];

/** Whether the name of weights with four axes suggests this order. */
const isNamedOrder = (input: InputName, { name, shape }: ListedArray, { axes }: LayoutReading): boolean =>
  input === 'w' &&
  shape.length === 4 &&
  ORDERS_BY_NAME.some(([pattern, order]) => order === axes && pattern.test(name));

/** Whether nothing was chosen in place of what the library read. */
const isAsRead = (choices: InputChoices, { arrays }: LayerVerdict): boolean =>
  INPUTS.every((name) => choices[name]?.tensor === arrays[name]);

/** The number of groups: channels of x divided by channels per group, which the weights have. */
function withWeights(desc: ConvDesc, changes: NonNullable<LayoutReading['changes']>, hasX: boolean): ConvDesc {
  const { kh = desc.kh, kw = desc.kw, k = desc.k, c: channels = desc.c } = changes;
  const each = channels / desc.groups;
  const groups = desc.c / each;
  if (Number.isInteger(groups) && k % groups === 0) return { ...desc, kh, kw, k, groups };
  if (hasX) return desc;
  const kept = k % desc.groups === 0 ? desc.groups : 1;
  return { ...desc, kh, kw, k, c: each * kept, groups: kept };
}

/** Why an array does not fit. */
export function inputMisfit(name: InputName, { listed: { shape } }: Offer, desc: ConvDesc): string {
  const is = `${name} is [${shape.join(', ')}]`;
  const { n, oh, ow, k } = layoutSizes(desc);
  const counts = { b: `w has ${k} filters`, dy: `y has ${n} × ${oh} × ${ow} × ${k} values` };
  if (name === 'b' || name === 'dy') return `${is}, but ${counts[name]}.`;
  return `${is}: its sizes fit no ${KINDS.conv} with the other arrays.`;
}
