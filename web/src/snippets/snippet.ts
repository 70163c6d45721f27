import { cellAt, gridOf, type Position, positionOf } from '../geometry/grid';
import { outputOfRow, tapOfColumn } from '../geometry/matrix';
import { stepPosition } from '../geometry/steps';
import { flat, isPadded, type Texts } from '../layers/code';
import type { PlainView } from '../layers/view';
import type { LossKind } from '../losses/list';
import type { PlaneSizes } from '../protocol/layers';
import {
  type Cell,
  type Geometry,
  PASS_OF,
  type Pass,
  type ProcessName,
  RESULT_OF,
  RESULTS,
  type TensorName,
} from '../protocol/problem';

/**
 * Names of the indices in code, as in the page's formulas: n image, i j row and column of y, k filter, p q row and
 * column of w, c channel of x, r s row and column of x.
 */
export type IndexName = 'n' | 'i' | 'j' | 'k' | 'p' | 'q' | 'c' | 'r' | 's';
/** The indices that have a value at a point of the loops. */
type KnownIndices = Readonly<Partial<Record<IndexName, number>>>;

/** Values for the notes of lines: the indices, and the results of the library. */
export interface LineContext {
  readonly geometry: Geometry;
  readonly known: KnownIndices;
  /** As text; null if there is none to show. */
  readonly valueAt: (cell: Cell) => string | null;
}

export interface CodeLine {
  readonly text: string;
  /** Indices that the line needs. Its note shows their values, or the result of `says`. */
  readonly needs?: readonly IndexName[];
  /** Without `needs`: the line has a note if this returns one. */
  readonly noteOf?: (facts: LineContext) => string | null;
  readonly computesCell?: true;
}

interface MarkedLine {
  readonly text: string;
  readonly note: string | null;
  readonly marked: boolean;
}

/** Input of the code generators: sizes and whether there is a bias, but no values. */
export interface Subject {
  readonly geometry: Geometry;
  readonly bias: boolean;
  /** dy is its gradient, between y and target; otherwise dy is given. */
  readonly loss?: LossKind | undefined;
}

/** The loss that the passes need; null: none of them needs dy, or dy is given. */
export const lossOf = ({ loss }: Subject, wanted: readonly Pass[]): LossKind | null =>
  (wanted.some((pass) => pass !== 'forward') && loss) || null;

/** A layer of a network. Without weights, its geometry is a window with k = groups = c. */
export interface LayerSubject extends Subject {
  readonly title: string;
  /** Of layers/list.ts, with its fields. */
  readonly kind: string;
  readonly fields: unknown;
  /** Sizes of x. */
  readonly input: PlaneSizes;
  /** Of y. */
  readonly channels: number;
  readonly hasWeights: boolean;
  /** null: a convolution. */
  readonly plain: PlainView<unknown> | null;
}

export type LoopOrders = Readonly<Record<Pass, ProcessName>>;

export const DEFAULT_LOOP_ORDERS: LoopOrders = {
  forward: 'forward',
  backward_data: 'dx_scatter',
  backward_weights: 'dw_accumulate',
  backward_bias: 'db_accumulate',
};

/** The lines with their notes; the innermost line that has its indices is marked. */
export function markLines(lines: readonly CodeLine[], facts: LineContext): readonly MarkedLine[] {
  const isKnown = (name: IndexName) => facts.known[name] !== undefined;
  const told = lines.map(({ needs, noteOf }) => {
    if (needs && !needs.every(isKnown)) return { reached: false, note: null };
    const note = noteOf?.(facts) ?? (needs && !noteOf ? indicesOf(needs, facts) : null);
    return { reached: needs !== undefined || note !== null, note };
  });
  const last = (here: boolean) =>
    lines.findLastIndex((line, at) => told[at]?.reached && (line.computesCell === true || !here));
  const marked = last(true) >= 0 ? last(true) : last(false);
  return lines.map(({ text }, at) => ({ text, note: told[at]?.note ?? null, marked: at === marked }));
}

const indicesOf = (names: readonly IndexName[], { known }: LineContext): string =>
  names.map((name) => `${name} = ${known[name]}`).join(', ');

/** Marks of lines, by their first characters. */
export type LineMarks = Readonly<Record<string, Omit<CodeLine, 'text'>>>;

/** "for (int i = 0; ..." and "for i in range(...)": loops over an index. */
const LOOP = /^\s*for \(?(?:int )?([nijkpqcrs]) /;

/** Lines with their marks; a loop shows its index. */
export const linesOf = (texts: Texts, marks: LineMarks = {}): readonly CodeLine[] =>
  flat(texts).map((line): CodeLine => {
    const begun = Object.keys(marks).find((start) => line.trimStart().startsWith(start));
    const looped = LOOP.exec(line)?.[1] as IndexName | undefined;
    return { text: line, ...(looped ? { needs: [looped] } : {}), ...(begun ? marks[begun] : {}) };
  });

export const textsOf = (lines: readonly CodeLine[]): readonly string[] => lines.map(({ text }) => text);

/** Empty lines stay empty. */
export const indented = (lines: readonly string[], indent = '  '): readonly string[] =>
  lines.map((line) => (line === '' ? '' : indent + line));

/** A gradient has the indices of its tensor. */
const withoutD = (tensor: string): string => tensor.replace(/^d/, '');

function positionHere(g: Geometry, tensor: TensorName, { n, i, j, k, p, q, c, r, s }: KnownIndices): Position | null {
  const positions: Readonly<Record<string, readonly (number | undefined)[]>> = {
    x: [n, r, s, c],
    y: [n, i, j, k],
    w: [k, p, q, c === undefined ? c : c % g.group_c],
  };
  const [slice, row, col, channel] = positions[withoutD(tensor)] ?? [0, 0, 0, k];
  if (slice === undefined || row === undefined || col === undefined || channel === undefined) return null;
  return { slice, row, col, channel };
}

/** "y[0, 1, 2, 0] = 41", with the value if there is one; null if the indices do not determine a cell. */
export function elementText(
  { geometry: g, known, valueAt }: LineContext,
  tensor: TensorName,
  indexed: (indices: readonly number[]) => string,
): string | null {
  const position = positionHere(g, tensor, known);
  const cell = position && cellAt(g, tensor, position);
  if (!cell) return null;
  const value = valueAt(cell);
  const label = `${tensor}${indexed(indicesInMemory(codeShape(g, tensor), cell.index))}`;
  return value === null ? label : `${label} = ${value}`;
}

/** The indices of a cell, as written in code: row-major. */
const indicesInMemory = (sizes: readonly number[], index: number): readonly number[] =>
  sizes.map((size, axis) => Math.floor(index / sizes.slice(axis + 1).reduce((all, each) => all * each, 1)) % size);

/** The shape of a tensor in other programs: b and db have one axis of k values. */
export const codeShape = (g: Geometry, tensor: TensorName): readonly number[] =>
  tensor === 'b' || tensor === 'db' ? [g.k] : gridOf(g, tensor).shape;

/** Of "dx_padded" and "dx_scatter": that of dx. */
function passOf(name: string): Pass | null {
  const result = RESULTS.find((one) => name === one || name.startsWith(`${one}_`));
  return result ? PASS_OF[result] : null;
}

export const passOfProcess = (process: ProcessName): Pass => passOf(process) ?? 'forward';
export const passOfCell = ({ tensor }: Cell): Pass | null => passOf(tensor);

/** The loop order that computes a cell directly: dx by cells of x, or by cells of dy. */
export function loopOrderOfCell(pass: Pass, { tensor }: Cell): ProcessName {
  if (pass === 'backward_data' && /^d?x(_padded)?$/.test(tensor)) return 'dx_gather';
  if (pass === 'backward_weights' && /^d?w(_|$)/.test(tensor)) return 'dw_dilated_dy';
  return DEFAULT_LOOP_ORDERS[pass];
}

/** Indices after `steps` steps of a process, in the selected filter and channel; none before the first step. */
export function indicesOfStep(
  g: Geometry,
  process: ProcessName,
  steps: number,
  focus: { readonly c: number; readonly k: number },
): KnownIndices {
  if (steps < 1) return {};
  const { over, n, row, col } = stepPosition(g, process, steps - 1);
  switch (over) {
    case 'x':
      return { n, r: row, s: col, c: focus.c };
    case 'y':
      return { n, i: row, j: col, k: focus.k };
    case 'dw_uncropped':
      return { p: row, q: col, c: focus.c, k: focus.k };
  }
}

/** Indices of a cell of a tensor or of an im2col matrix; none for other grids. */
export function indicesOfCell(g: Geometry, cell: Cell): KnownIndices {
  const { slice, row, col, channel } = positionOf(g, cell);
  const ofRow = (at: number): KnownIndices => {
    const { n, row: i, col: j } = outputOfRow(g, at);
    return { n, i, j };
  };
  const ofTap = (at: number): KnownIndices => {
    const tap = tapOfColumn(g, at);
    return { p: tap.row, q: tap.col, c: slice * g.group_c + tap.channel };
  };
  switch (withoutD(cell.tensor)) {
    case 'x':
      return { n: slice, r: row, s: col, c: channel };
    case 'x_padded':
      return { n: slice, r: row - g.padding.top, s: col - g.padding.left, c: channel };
    case 'y':
      return { n: slice, i: row, j: col, k: channel };
    case 'w':
      return { k: slice, p: row, q: col, c: Math.floor(slice / g.group_k) * g.group_c + channel };
    case 'b':
      return { k: channel };
    case 'x_col':
      return { ...ofRow(row), ...ofTap(col) };
    case 'w_col':
      return { ...ofTap(row), k: slice * g.group_k + col };
    case 'y_col':
      return { ...ofRow(row), k: slice * g.group_k + col };
    default:
      return {};
  }
}

/** Code as text. Each line has its conditions before "|": words that are all true, or one of several with commas between. */

export type Flags = Readonly<Record<string, boolean>>;
export type Values = Readonly<Record<string, string | number>>;

/** The text with each {name} replaced by its value. Further lines of a value are indented like the first. */
export const fill = (text: string, values: Values): string =>
  text.replace(/^( *)(.*)$/gm, (_, indent: string, line: string) => {
    const valueAt = (whole: string, name: string) => String(values[name] ?? whole).replaceAll('\n', `\n${indent}`);
    return indent + line.replace(/\{(\w+)\}/g, valueAt);
  });

/** The lines that are there, filled. */
export function listing(template: string, flags: Flags, values: Values = {}): readonly string[] {
  const lines = template
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [conditions = ''] = line.split('|', 1);
      const isThere = (words: string) => words.split(',').some((word) => flags[word]);
      return (conditions.match(/\S+/g) ?? []).every(isThere) ? [line.slice(conditions.length + 2)] : [];
    });
  return fill(lines.join('\n'), values).split('\n');
}

/** What a problem has: words for the conditions of listings, and its sizes. `wanted`: the results to compute. */
export function termsOf({ geometry: g, bias }: Subject, wanted: readonly Pass[] = []) {
  const { padding, ...sizes } = g;
  const even = padding.top === padding.bottom && padding.left === padding.right;
  const flags: Flags = {
    ...Object.fromEntries(wanted.map((pass) => [RESULT_OF[pass], true])),
    ...{ bias, nhwc: g.layout === 'nhwc', nchw: g.layout === 'nchw' },
    ...{ one: g.groups === 1, groups: g.groups > 1, padded: isPadded(g) },
    ...{ strided: g.stride_h * g.stride_w > 1, dilated: g.dilation_h * g.dilation_w > 1 },
    ...{ even, uneven: !even },
  };
  return { flags, values: { ...sizes, ...padding } };
}
