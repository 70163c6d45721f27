import { COUNTS, type ConvDesc, type CountName, type PaddingMode } from '../protocol/problem';
import { PARTS, perCount, SIZE_PARTS, SIZES, type Size, type SizePart } from '../protocol/size-table';
import { parseCount } from '../sources/exact-text';
import type { Field, PartialLink } from './field';

/** Sizes of a problem (size-table.ts). Common sizes are always written, so that a link can be read and edited by hand. */

const WHOLE = 'a whole number';
const PAIR = 'a whole number, or two joined by x';
const PADDING = 'valid, same, full, a number, or four numbers (top,bottom,left,right)';

const count = (key: CountName, { omit, initial, also }: Size['link']): Field => ({
  key,
  ...(also ? { also } : {}),
  write: ({ problem }) => (omit && problem.desc[key] === initial ? null : String(problem.desc[key])),
  read(text, { sizes }) {
    const value = parseCount(text);
    if (value === null) return WHOLE;
    sizes[key] = value;
    return null;
  },
});

const axes = (
  key: string,
  rows: CountName,
  cols: CountName,
  { also = [], omit, initial, read }: Size['link'],
): Field => ({
  key,
  also,
  write({ problem: { desc } }) {
    const text = pair(desc[rows], desc[cols]);
    return key === read || (omit && text === String(initial)) ? null : text;
  },
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
  key: PARTS.padding.link.key,
  also: PARTS.padding.link.also,
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

function fieldsOf(part: SizePart): readonly Field[] {
  if (part === 'padding') return [padding];
  const names = COUNTS.filter((name) => SIZES[name].part === part);
  const [rows, cols] = names;
  const { link }: { link: Size['link'] } = PARTS[part];
  const paired = link.key ?? link.read;
  const own = link.key ? [] : names.map((name) => count(name, link));
  return paired && rows && cols ? [axes(paired, rows, cols, link), ...own] : own;
}

/** In the order of writing. "kernel" is only read; kh and kw win over it. */
export const SIZE_FIELDS: readonly Field[] = [
  ...[...SIZE_PARTS].sort((a, b) => PARTS[a].link.order - PARTS[b].link.order).flatMap(fieldsOf),
  layout,
];

/** Defaults of missing sizes. One size is enough for a square. */
export function withDefaults({ sizes }: Pick<PartialLink, 'sizes'>): ConvDesc {
  const initial = perCount(({ link }) => link.initial);
  const { h = initial.h, kh = initial.kh } = sizes;
  const side = PARTS.padding.link.initial;
  return {
    ...{ layout: 'nhwc', ...initial, h, w: h, kh, kw: kh },
    ...{ padding_mode: 'explicit_sides', padding: { top: side, bottom: side, left: side, right: side } },
    ...sizes,
  };
}
