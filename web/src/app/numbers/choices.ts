import type { TensorHeader } from '../../formats/format';
import type { LayoutReading, Sizes } from '../../formats/layouts';
import type { ConvDesc, TensorName } from '../../protocol/problem';
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
