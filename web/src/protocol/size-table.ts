import { COUNTS, type CountName, type ErrorCode, SIDES, type SizeName } from './problem';

/**
 * The sizes of a problem. Types, errors, limits, bounds, controls, links and locks derive from this table.
 * A part has one control, which a link can lock or hide. Its sizes differ only in their axis. In the order of the controls.
 */

interface Part {
  /** Names in ConvDesc and in errors. */
  readonly sizes: Readonly<Partial<Record<SizeName, 'row' | 'col' | null>>>;
  readonly section: 'moves' | 'x' | 'w';
  /** In refused edits, if it is not "the" and the name of the part. */
  readonly noun?: string;
  /** Smallest value for the library. */
  readonly lowest: 0 | 1;
  /** Largest value on the page. The library has its own limits; shapes.ts limits the cost. */
  readonly most: number;
  /** End of the slider; the number box accepts larger values. */
  readonly slider: number;
  readonly error: ErrorCode;
  /** How other sizes bound it (geometry/sizes.ts). */
  readonly rule: 'free' | 'input' | 'kernel' | 'dilation' | 'padding' | 'multiple' | 'divisor';
  readonly link: LinkedSize;
}

/** How a link writes the sizes of a part. */
interface LinkedSize {
  readonly order: number;
  /** The value of a link without this size. Never change it: the meaning of links would change. */
  readonly initial: number;
  /** True if the initial value is not written. */
  readonly omit?: boolean;
  /** One key for all sizes; without it, each size has its own name as key. */
  readonly key?: string;
  /** One key for all sizes that is only read. */
  readonly read?: string;
  /** Short forms that people type. */
  readonly also?: readonly string[];
}

const image = { section: 'x', lowest: 0, error: 'invalid_size' } as const;
const weights = { section: 'w', lowest: 1, error: 'invalid_size' } as const;

export const PARTS = {
  padding: {
    sizes: { 'padding.top': 'row', 'padding.bottom': 'row', 'padding.left': 'col', 'padding.right': 'col' },
    ...{ section: 'moves', lowest: 0, most: 64, slider: 6, error: 'invalid_padding', rule: 'padding' },
    link: { order: 5, initial: 0, key: 'padding', also: ['p'] },
  },
  stride: {
    sizes: { stride_h: 'row', stride_w: 'col' },
    ...{ section: 'moves', lowest: 1, most: 32, slider: 5, error: 'invalid_stride', rule: 'free' },
    link: { order: 4, initial: 1, key: 'stride', also: ['s'] },
  },
  dilation: {
    sizes: { dilation_h: 'row', dilation_w: 'col' },
    ...{ section: 'moves', lowest: 1, most: 32, slider: 5, error: 'invalid_dilation', rule: 'dilation' },
    link: { order: 6, initial: 1, omit: true, key: 'dilation', also: ['d'] },
  },
  height: { sizes: { h: 'row' }, ...image, most: 4096, slider: 24, rule: 'input', link: { order: 1, initial: 7 } },
  width: { sizes: { w: 'col' }, ...image, most: 4096, slider: 24, rule: 'input', link: { order: 2, initial: 7 } },
  channels: {
    ...{ sizes: { c: null }, ...image, noun: 'the number of channels' },
    ...{ lowest: 1, most: 256, slider: 8, rule: 'multiple', link: { order: 8, initial: 1, omit: true } },
  },
  batch: {
    ...{ sizes: { n: null }, ...image },
    ...{ most: 64, slider: 4, rule: 'free', link: { order: 7, initial: 1, omit: true } },
  },
  kernel: {
    ...{ sizes: { kh: 'row', kw: 'col' }, ...weights, noun: 'the kernel size' },
    ...{ most: 31, slider: 7, rule: 'kernel', link: { order: 3, initial: 3, read: 'kernel' } },
  },
  filters: {
    ...{ sizes: { k: null }, ...weights, noun: 'the number of filters' },
    ...{ most: 256, slider: 8, rule: 'multiple', link: { order: 9, initial: 1, omit: true } },
  },
  groups: {
    ...{ sizes: { groups: null }, ...weights, noun: 'the number of groups', error: 'invalid_groups' },
    ...{ most: 256, slider: 8, rule: 'divisor', link: { order: 10, initial: 1, omit: true, also: ['g'] } },
  },
} as const satisfies Readonly<Record<string, Part>>;

export type SizePart = keyof typeof PARTS;
export type SizeRule = Part['rule'];

export const SIZE_PARTS = /* @__PURE__ */ Object.keys(PARTS) as readonly SizePart[];

export interface Size extends Omit<Part, 'sizes'> {
  readonly name: SizeName;
  readonly part: SizePart;
  readonly axis: 'row' | 'col' | null;
  /** Of its own control: "width", "stride width", "padding left". */
  readonly label: string;
}

export function sizesOfPart(part: SizePart): readonly Size[] {
  const { sizes, ...common }: Part = PARTS[part];
  const entries = Object.entries(sizes) as readonly (readonly [SizeName, Size['axis']])[];
  return entries.map(([name, axis]) => {
    const which = name.split('.')[1] ?? (axis === 'row' ? 'height' : 'width');
    return { ...common, name, part, axis, label: entries.length > 1 ? `${part} ${which}` : part };
  });
}

export const SIZES = /* @__PURE__ */ (() =>
  Object.fromEntries(SIZE_PARTS.flatMap(sizesOfPart).map((size) => [size.name, size])))() as Readonly<
  Record<SizeName, Size>
>;
export const SIZE_NAMES: readonly SizeName[] = /* @__PURE__ */ (() => [
  ...COUNTS,
  ...SIDES.map((side) => `padding.${side}` as const),
])();

export const perCount = <Value>(of: (size: Size) => Value): Record<CountName, Value> =>
  Object.fromEntries(COUNTS.map((name) => [name, of(SIZES[name])])) as Record<CountName, Value>;

/** Text after "at most 64: ". */
export const LIMIT_REASON = 'the page does not draw more';
