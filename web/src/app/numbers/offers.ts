import type { TensorHeader } from '../../formats/format';
import { isAlike, type LayoutReading, type Sizes } from '../../formats/layouts';
import { type ConvDesc, KIND_OF, type Layout, type TensorKind, type TensorName } from '../../protocol/problem';
import { yShape } from '../../protocol/shapes';

/** An array of the file, and the name of a reading; null: as its sizes suggest. */
export interface TensorChoice {
  readonly tensor: number;
  readonly reading: string | null;
}

/** What the user chose for a tensor. Null: no array, so that an input is unchanged and a result is not compared. */
export type TensorChoices = Readonly<Partial<Record<TensorName, TensorChoice | null>>>;

/** An array as a tensor, with all its readings. */
export interface Offer {
  /** Index of the array. */
  readonly tensor: number;
  readonly listed: TensorHeader;
  readonly readings: readonly LayoutReading[];
  /** The chosen one; null if none fits. */
  readonly reading: LayoutReading | null;
}

export type Offers = Readonly<Partial<Record<TensorName, Offer>>>;

export function sizesOf(desc: ConvDesc): Sizes {
  const [, a, b, c] = yShape(desc);
  const [oh, ow] = desc.layout === 'nhwc' ? [a, b] : [b, c];
  return { ...desc, oh, ow };
}

/** The axis orders of a framework. */
export interface Framework {
  readonly name: string;
  readonly layout: Layout;
  /** By the number of axes. */
  readonly axes: Readonly<Record<TensorKind, Readonly<Record<number, string>>>>;
}

const HWC = { 4: 'NHWC', 3: 'HWC' };
export const FRAMEWORKS: readonly Framework[] = [
  { name: 'PyTorch', layout: 'nchw', axes: { pixels: { 4: 'NCHW', 3: 'CHW' }, weights: { 4: 'OIHW' }, bias: {} } },
  { name: 'TensorFlow', layout: 'nhwc', axes: { pixels: HWC, weights: { 4: 'HWIO' }, bias: {} } },
  { name: 'TensorFlow Lite', layout: 'nhwc', axes: { pixels: HWC, weights: { 4: 'OHWI' }, bias: {} } },
];

const named = (offers: Offers) => Object.entries(offers) as readonly (readonly [TensorName, Offer])[];

const orderIn = ({ axes }: Framework, target: TensorName, { listed }: Offer): string | undefined =>
  axes[KIND_OF[target]][listed.shape.length];

/** How many arrays have another axis order than in the framework. */
export const deviationsOf = (framework: Framework, offers: Offers): number =>
  named(offers).filter(([target, offer]) => {
    const axes = orderIn(framework, target, offer);
    if (!axes || !offer.reading) return false;
    if (offer.reading.name === 'HWCM') return axes !== 'HWIO';
    return !isAlike(offer.reading, { axes, shape: offer.listed.shape });
  }).length;

/** The framework of all arrays; null if they are mixed, or have too few axes. With several, that of the layout. */
export function frameworkOf(offers: Offers, layout: Layout): Framework | null {
  const possible = FRAMEWORKS.filter((one) => deviationsOf(one, offers) === 0);
  const isKnown = named(offers).some(([target, offer]) => FRAMEWORKS.some((one) => orderIn(one, target, offer)));
  return (isKnown && (possible.find((one) => one.layout === layout) ?? possible[0])) || null;
}

/** PyTorch weights are OIHW and are named "weight"; those of Keras are HWIO and are named "kernel". */
const ORDERS_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[._])weights?$/i, 'OIHW'],
  [/(?:^|[._/])kernel(?::0)?$/i, 'HWIO'],
];

/** True if the name of the weights suggests another axis order. */
export function isNamedAgainst({ listed, reading }: Offer): boolean {
  const axes = ORDERS_BY_NAME.find(([pattern]) => pattern.test(listed.name))?.[1];
  return axes !== undefined && listed.shape.length === 4 && reading !== null && reading.axes !== axes;
}
