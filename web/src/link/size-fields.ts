import type { ConvDesc, PaddingMode } from '../protocol/problem';
import { parseCount } from '../sources/exact-text';
import type { Field, PartialLink } from './field';

/** Sizes of a problem. Common sizes are always written, so that a link can be read and edited by hand. */

const WHOLE = 'a whole number';
const PAIR = 'a whole number, or two joined by x';
const PADDING = 'valid, same, full, a number, or four numbers (top,bottom,left,right)';

type Count = 'n' | 'h' | 'w' | 'c' | 'k' | 'kh' | 'kw' | 'groups';

/** `otherwise`: the default, which is not written. */
const count = (key: Count, otherwise?: number, also?: readonly string[]): Field => ({
  key,
  ...(also ? { also } : {}),
  write: ({ problem }) => (problem.desc[key] === otherwise ? null : String(problem.desc[key])),
  read(text, { sizes }) {
    const value = parseCount(text);
    if (value === null) return WHOLE;
    sizes[key] = value;
    return null;
  },
});

const axes = (
  key: string,
  rows: 'kh' | 'stride_h' | 'dilation_h',
  cols: 'kw' | 'stride_w' | 'dilation_w',
  write: (text: string) => string | null,
  also: readonly string[] = [],
): Field => ({
  key,
  also,
  write: ({ problem: { desc } }) => write(pair(desc[rows], desc[cols])),
  read(text, { sizes }) {
    const [first, second] = text.split('x', 2).map(parseCount);
    if (first == null || second === null || text.split('x').length > 2) return PAIR;
    sizes[rows] = first;
    sizes[cols] = second ?? first;
    return null;
  },
});

const pair = (rows: number, cols: number): string => (rows === cols ? String(rows) : `${rows}x${cols}`);

const PADDING_MODES: readonly PaddingMode[] = ['valid', 'same', 'full'];

const padding: Field = {
  key: 'padding',
  also: ['p'],
  write({ problem: { desc } }) {
    if (desc.padding_mode !== 'explicit_sides') return desc.padding_mode;
    const { top, bottom, left, right } = desc.padding;
    return top === bottom && top === left && top === right ? String(top) : [top, bottom, left, right].join(',');
  },
  read(text, { sizes }) {
    const mode = PADDING_MODES.find((candidate) => candidate === text);
    const sides = text.split(',').map(parseCount);
    const [top = null, bottom = top, left = top, right = top] = sides;
    if (!mode && (top === null || bottom === null || left === null || right === null)) return PADDING;
    if (!mode && sides.length !== 1 && sides.length !== 4) return PADDING;
    sizes.padding_mode = mode ?? 'explicit_sides';
    if (!mode) sizes.padding = { top: top ?? 0, bottom: bottom ?? 0, left: left ?? 0, right: right ?? 0 };
    return null;
  },
};

const layout: Field = {
  key: 'layout',
  write: ({ problem: { desc } }) => (desc.layout === 'nhwc' ? null : desc.layout),
  read(text, { sizes }) {
    if (text !== 'nhwc' && text !== 'nchw') return 'nhwc or nchw';
    sizes.layout = text;
    return null;
  },
};

/** In the order of writing. "kernel" is only read; kh and kw win over it. */
export const SIZE_FIELDS: readonly Field[] = [
  axes('kernel', 'kh', 'kw', () => null),
  ...[count('h'), count('w'), count('kh'), count('kw')],
  axes('stride', 'stride_h', 'stride_w', (text) => text, ['s']),
  padding,
  axes('dilation', 'dilation_h', 'dilation_w', (text) => (text === '1' ? null : text), ['d']),
  ...[count('n', 1), count('c', 1), count('k', 1), count('groups', 1, ['g'])],
  layout,
];

/** Defaults of missing sizes. One size is enough for a square. Never change them: the meaning of links would change. */
export function withDefaults({ sizes }: Pick<PartialLink, 'sizes'>): ConvDesc {
  const h = sizes.h ?? 7;
  const kh = sizes.kh ?? 3;
  const none = { top: 0, bottom: 0, left: 0, right: 0 };
  return {
    ...{ layout: 'nhwc', n: 1, h, w: h, c: 1, k: 1, kh, kw: kh, groups: 1 },
    ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1 },
    ...{ padding_mode: 'explicit_sides', padding: none },
    ...sizes,
  };
}
