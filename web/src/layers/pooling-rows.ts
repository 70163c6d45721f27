import { NO_PADDING, type Padding, SIDES } from '../protocol/problem';
import { pairText, parseCount, parsePair } from '../sources/exact-text';
import type { PoolFields } from './pooling';
import type { FieldRow } from './view';

/** Largest window and stride in the menus; a link can have larger ones. */
const MOST = 8;

/** The size that all have; null: they differ. */
const same = (first: number, ...others: readonly number[]): number | null =>
  others.every((each) => each === first) ? first : null;

/** 1, 2, 3, ... */
export const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1);

const sizesOf = (text: string | undefined): readonly [number, number] | null => {
  const read = parsePair(text ?? '');
  return read?.every((size) => size > 0) ? read : null;
};

const kernel: FieldRow<PoolFields> = {
  key: 'kernel',
  write: ({ kh, kw }) => pairText(kh, kw),
  read(text) {
    const read = sizesOf(text);
    return read && { kh: read[0], kw: read[1] };
  },
  control: {
    label: 'window',
    choices: ({ padding: { top, bottom, left, right } }, { h, w }) =>
      upTo(Math.min(MOST, h + top + bottom, w + left + right)),
    value: ({ kh, kw }) => same(kh, kw),
    // Each side of the padding is smaller than the window.
    set: (size, fields) => ({
      ...fields,
      ...{ kh: size, kw: size },
      padding: sidesOf((side) => Math.min(fields.padding[side], size - 1)),
    }),
  },
};

const stride: FieldRow<PoolFields> = {
  key: 'stride',
  write: ({ stride_h, stride_w }) => pairText(stride_h, stride_w),
  read(text, { kh = 0, kw = 0 }) {
    const read = text === undefined ? [kh, kw] : sizesOf(text);
    const [stride_h, stride_w] = read ?? [];
    return stride_h === undefined || stride_w === undefined ? null : { stride_h, stride_w };
  },
  control: {
    label: 'stride',
    choices: () => upTo(MOST),
    value: ({ stride_h, stride_w }) => same(stride_h, stride_w),
    set: (size, fields) => ({ ...fields, stride_h: size, stride_w: size }),
  },
};

export const paddingRow: FieldRow<PoolFields> = {
  key: 'padding',
  write({ padding: sides }) {
    const sizes = SIDES.map((side) => sides[side]);
    return sizes.some((size) => size > 0) ? sizes.join(',') : null;
  },
  read(text = '0,0,0,0') {
    const sides = text.split(',').map(parseCount);
    if (sides.length !== SIDES.length || sides.includes(null)) return null;
    return { padding: sidesOf((side) => sides[SIDES.indexOf(side)] ?? 0) };
  },
  control: {
    label: 'padding',
    choices: ({ kh, kw }) => [0, ...upTo(Math.min(kh, kw) - 1)],
    value: ({ padding: { top, bottom, left, right } }) => same(top, bottom, left, right),
    set: (size, fields) => ({ ...fields, padding: sidesOf(() => size) }),
  },
};

const sidesOf = (size: (side: keyof Padding) => number): Padding => ({
  ...{ top: size('top'), bottom: size('bottom'), left: size('left'), right: size('right') },
});

const NEW_WINDOW = 2;

/** The members that the views of all kinds of pooling share. */
export const poolingView = {
  rows: [kernel, stride, paddingRow],
  make: (): PoolFields => ({
    ...{ kh: NEW_WINDOW, kw: NEW_WINDOW, stride_h: NEW_WINDOW, stride_w: NEW_WINDOW },
    padding: NO_PADDING,
  }),
} as const;
