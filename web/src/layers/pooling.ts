import type { PlaneSizes, WindowSizes } from '../protocol/layers';
import { type ConvError, NO_PADDING, type Padding, SIDES } from '../protocol/problem';
import { pairText, parseCount, parsePair } from '../sources/exact-text';
import type { FieldRow } from './layer';

/** A pooling window, in cells. Padding is never the largest cell. */
export interface PoolFields {
  readonly kh: number;
  readonly kw: number;
  readonly stride_h: number;
  readonly stride_w: number;
  readonly padding: Padding;
}

/** Largest window and stride in the menus; a link can have larger ones. */
const MOST = 8;
const NEW_WINDOW = 2;

/** The size that all have; null: they differ. */
const same = (first: number, ...others: readonly number[]): number | null =>
  others.every((each) => each === first) ? first : null;

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
    range({ padding: { top, bottom, left, right } }, { h, w }) {
      return [1, Math.min(MOST, h + top + bottom, w + left + right)];
    },
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
    range: () => [1, MOST],
    value: ({ stride_h, stride_w }) => same(stride_h, stride_w),
    set: (size, fields) => ({ ...fields, stride_h: size, stride_w: size }),
  },
};

const padding: FieldRow<PoolFields> = {
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
    range: ({ kh, kw }) => [0, Math.min(kh, kw) - 1],
    value: ({ padding: { top, bottom, left, right } }) => same(top, bottom, left, right),
    set: (size, fields) => ({ ...fields, padding: sidesOf(() => size) }),
  },
};

const sidesOf = (size: (side: keyof Padding) => number): Padding => ({
  ...{ top: size('top'), bottom: size('bottom'), left: size('left'), right: size('right') },
});

/** The members that all kinds of pooling share. */
export const pooling = {
  window: ({ kh, kw, stride_h, stride_w, padding: sides }: PoolFields, { c }: PlaneSizes): WindowSizes => ({
    ...{ k: c, kh, kw, stride_h, stride_w, dilation_h: 1, dilation_w: 1, groups: c },
    ...{ padding_mode: 'explicit_sides', padding: sides },
  }),
  fault({ kh, kw, padding: { top, bottom, left, right } }: PoolFields, input: PlaneSizes): ConvError | null {
    if (Math.max(top, bottom) >= kh || Math.max(left, right) >= kw) {
      return { code: 'invalid_padding', field: 'padding', message: 'the padding must be smaller than the window' };
    }
    const axes = [
      ['kh', kh, input.h + top + bottom, 'rows'],
      ['kw', kw, input.w + left + right, 'columns'],
    ] as const;
    const [field, size, room, lines] = axes.find(([, window, cells]) => window > cells) ?? [];
    if (field === undefined) return null;
    return { code: 'kernel_too_large', field, message: `the window has ${size} ${lines}, but its input has ${room}` };
  },
  make: (): PoolFields => ({
    ...{ kh: NEW_WINDOW, kw: NEW_WINDOW, stride_h: NEW_WINDOW, stride_w: NEW_WINDOW },
    padding: NO_PADDING,
  }),
  rows: [kernel, stride, padding],
} as const;

export const poolTitle = (name: string, { kh, kw }: PoolFields): string => `${name} ${kh} × ${kw}`;
