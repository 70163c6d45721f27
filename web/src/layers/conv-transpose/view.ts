import { type Geometry, NO_PADDING } from '../../protocol/problem';
import { pairText, parseCount, parsePair } from '../../sources/exact-text';
import { counted } from '../../ui/quantities';
import { paddingRow, upTo } from '../pooling-rows';
import type { FieldRow, LayerTable, NamedTerm, PlainView } from '../view';
import { numpyBackward, numpyTransposed, pytorchTransposed, roundingOf, tensorflowTransposed } from './code';
import type { TransposedFields } from './core';

type Row = FieldRow<TransposedFields>;
type Counts = {
  [Name in keyof TransposedFields]: TransposedFields[Name] extends number ? Name : never;
}[keyof TransposedFields];

const MOST = 8;

/** A field of a pair of sizes. `initial`: where it is missing in a link; `least`: the smallest. */
const pair = (
  key: string,
  label: string,
  [rows, cols]: readonly [Counts, Counts],
  {
    initial,
    least = 1,
    choices,
  }: { initial?: number; least?: number; choices: (f: TransposedFields) => readonly number[] },
): Row => ({
  key,
  write(fields) {
    const text = pairText(fields[rows], fields[cols]);
    return text === String(initial) ? null : text;
  },
  read(text) {
    const read = text === undefined && initial !== undefined ? [initial, initial] : parsePair(text ?? '');
    return read?.every((size) => size >= least) ? { [rows]: read[0], [cols]: read[1] } : null;
  },
  control: {
    label,
    choices,
    value: (fields) => (fields[rows] === fields[cols] ? fields[rows] : null),
    set: (size, fields) => ({ ...fields, [rows]: size, [cols]: size }),
  },
});

const whole = (
  key: 'k' | 'groups',
  label: string,
  choices: (f: TransposedFields, c: number) => readonly number[],
): Row => ({
  key,
  write: (fields) => (fields[key] === 1 ? null : String(fields[key])),
  read(text = '1') {
    const value = parseCount(text);
    return value ? { [key]: value } : null;
  },
  control: {
    label,
    choices: (fields, { c }) => choices(fields, c),
    value: (fields) => fields[key],
    set: (value, fields) => ({ ...fields, [key]: value }),
  },
});

const rows: readonly Row[] = [
  whole('k', 'channels of y', ({ groups }) => upTo(MOST).map((each) => each * groups)),
  pair('kernel', 'kernel', ['kh', 'kw'], { choices: () => upTo(MOST) }),
  pair('stride', 'stride', ['stride_h', 'stride_w'], { initial: 1, choices: () => upTo(MOST) }),
  pair('dilation', 'dilation', ['dilation_h', 'dilation_w'], { initial: 1, choices: () => upTo(4) }),
  {
    ...(paddingRow as Row),
    read(text, before) {
      const read = paddingRow.read(text, before);
      return read && { ...read, padding_mode: 'explicit_sides' };
    },
  },
  pair('output_padding', 'output padding', ['output_padding_h', 'output_padding_w'], {
    ...{ initial: 0, least: 0 },
    choices: ({ stride_h, stride_w }) => [0, ...upTo(Math.min(stride_h, stride_w) - 1)],
  }),
  whole('groups', 'groups', ({ k }, c) => upTo(c).filter((groups) => c % groups === 0 && k % groups === 0)),
];

/** As many channels as x, twice as high and wide. */
const NEW = { kernel: 3, stride: 2 } as const;

interface AxisSizes {
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  readonly before: number;
  /** Sizes of x and y. */
  readonly x: number;
  readonly y: number;
}

/** How many rows or columns of x add into each of y. */
const countsAlong = ({ kernel, stride, dilation, before, x, y }: AxisSizes): readonly number[] =>
  Array.from({ length: y }, (_, line) => {
    const taps = Array.from({ length: kernel }, (_, tap) => (line + before - tap * dilation) / stride);
    return taps.filter((from) => Number.isInteger(from) && from >= 0 && from < x).length;
  });

const axesOf = (g: Geometry): readonly [AxisSizes, AxisSizes] => [
  { kernel: g.kh, stride: g.stride_h, dilation: g.dilation_h, before: g.padding.top, x: g.oh, y: g.h },
  { kernel: g.kw, stride: g.stride_w, dilation: g.dilation_w, before: g.padding.left, x: g.ow, y: g.w },
];

/** Away from the edges, the sums have the same number of terms: each remainder by the stride has as many taps. */
function isEven({ kernel, stride, dilation }: AxisSizes): boolean {
  const taps = Array.from({ length: stride }, () => 0);
  for (let tap = 0; tap < kernel; tap += 1)
    taps[(tap * dilation) % stride] = (taps[(tap * dilation) % stride] ?? 0) + 1;
  return new Set(taps).size === 1;
}

const MOST_LINES = 9;

/** The checkerboard as numbers. */
function table({ geometry: g }: { readonly geometry: Geometry }): LayerTable {
  const [rows, cols] = axesOf(g);
  const uneven = [rows, cols].find((axis) => !isEven(axis));
  const [down, across] = [rows, cols].map((axis) => countsAlong(axis).slice(0, MOST_LINES));
  const next = uneven && Math.ceil(uneven.kernel / uneven.stride) * uneven.stride;
  const isDilated = uneven && uneven.dilation > 1;
  return {
    caption: 'Products in each cell of y, for each channel of x',
    cells: (down ?? []).map((row) => (across ?? []).map((col) => row * col)),
    isCut: g.h > MOST_LINES || g.w > MOST_LINES,
    note: !uneven
      ? 'Away from the edges all cells of y sum as many products: there is no checkerboard.'
      : `A checkerboard: ${isDilated ? `dilation ${uneven.dilation} leaves the windows uneven` : `the kernel, ${uneven.kernel}, is not divisible by the stride, ${uneven.stride}`}. ${isDilated ? 'Use dilation 1' : `Use kernel ${next}`}, or resize x first, then convolve with stride 1.`,
  };
}

const products = (terms: readonly NamedTerm[]): string =>
  `= ${terms.map(({ cell, weight }) => `${cell}·${weight}`).join(' + ')}`;

export const convTransposeView: PlainView<TransposedFields> = {
  formula: ({ hasBias }) => (hasBias ? 'y = wᵀ ∗ x + b' : 'y = wᵀ ∗ x'),
  rows,
  make: ({ c }) => ({
    ...{ k: c, kh: NEW.kernel, kw: NEW.kernel, stride_h: NEW.stride, stride_w: NEW.stride },
    ...{ dilation_h: 1, dilation_w: 1, groups: 1, padding_mode: 'explicit_sides', padding: NO_PADDING },
    ...{ output_padding_h: 0, output_padding_w: 0 },
  }),
  explain: {
    y({ x, weights, hasBias, reads }, index) {
      const users = reads(index);
      const bias = hasBias ? ', plus b' : '';
      return users.length === 0
        ? [`No window reaches this cell: it is ${hasBias ? 'b' : '0'}.`]
        : [
            `The sum of ${counted(users.length, 'cell')} of ${x.name}, each times its weight of ${weights} here${bias}.`,
          ];
    },
    dx: ({ dy, weights, usedBy }, index) => [
      `The sum of ${counted(usedBy(index).length, 'product')} of ${dy.name} and ${weights}: its window, as in a convolution.`,
    ],
  },
  table,
  legend:
    'A transposed convolution computes its y as a convolution computes dx: each cell of x adds the kernel, times its value, to a window of y. Its dx is computed as a convolution computes y.',
  exercise: { y: products, dx: products },
  code: { numpy: numpyTransposed, pytorch: pytorchTransposed, tensorflow: tensorflowTransposed },
  backward: numpyBackward,
  rounding: roundingOf,
};
