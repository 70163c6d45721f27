import { cellAt, gridOf, type Position } from '../geometry/grid';
import type { Cell } from '../protocol/cell';
import type { Geometry, Pass, ProcessName, TensorName } from '../protocol/problem';

/**
 * Names of the indices in code, as in the page's formulas: n image, i j row and column of y, k filter, p q row and
 * column of w, c channel of x, r s row and column of x.
 */
export type IndexName = 'n' | 'i' | 'j' | 'k' | 'p' | 'q' | 'c' | 'r' | 's';
/** The indices that have a value at a point of the loops. */
export type KnownIndices = Readonly<Partial<Record<IndexName, number>>>;

/** Values for the notes of lines: the indices, and the results of the library. */
export interface LineContext {
  readonly geometry: Geometry;
  readonly known: KnownIndices;
  /** As text; null if there is none to show. */
  readonly valueAt: (cell: Cell) => string | null;
}

export interface Line {
  readonly text: string;
  /** Indices that the line needs. Its note shows their values, or the result of `says`. */
  readonly needs?: readonly IndexName[];
  /** Without `needs`: the line has a note if this returns one. */
  readonly noteOf?: (facts: LineContext) => string | null;
  /** The line that computes the cell. */
  readonly computesCell?: true;
}

export interface MarkedLine {
  readonly text: string;
  readonly note: string | null;
  readonly marked: boolean;
}

/** Input of the code generators: sizes and whether there is a bias, but no values. */
export interface Subject {
  readonly geometry: Geometry;
  readonly bias: boolean;
}

/** The loop order of each pass. */
export type LoopOrders = Readonly<Record<Pass, ProcessName>>;

export const DEFAULT_LOOP_ORDERS: LoopOrders = {
  forward: 'forward',
  backward_data: 'dx_scatter',
  backward_weights: 'dw_accumulate',
  backward_bias: 'db_accumulate',
};

/** The lines with their notes; the innermost line that has its indices is marked. */
export function markLines(lines: readonly Line[], facts: LineContext): readonly MarkedLine[] {
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
export type LineMarks = Readonly<Record<string, Omit<Line, 'text'>>>;

/** "for (int i = 0; ..." and "for i in range(...)": loops over an index. */
const LOOP = /^\s*for \(?(?:int )?([nijkpqcrs]) /;

/** A text as lines with their marks; a loop shows its index. */
export const linesOf = (text: string, marks: LineMarks = {}): readonly Line[] =>
  text.split('\n').map((line): Line => {
    const begun = Object.keys(marks).find((start) => line.trimStart().startsWith(start));
    const looped = LOOP.exec(line)?.[1] as IndexName | undefined;
    return { text: line, ...(looped ? { needs: [looped] } : {}), ...(begun ? marks[begun] : {}) };
  });

function positionHere(g: Geometry, tensor: TensorName, { n, i, j, k, p, q, c, r, s }: KnownIndices): Position | null {
  const whole = (slice?: number, row?: number, col?: number, channel?: number): Position | null =>
    slice === undefined || row === undefined || col === undefined || channel === undefined
      ? null
      : { slice, row, col, channel };
  switch (tensor) {
    case 'x':
    case 'dx':
      return whole(n, r, s, c);
    case 'y':
    case 'dy':
      return whole(n, i, j, k);
    case 'w':
    case 'dw':
      return whole(k, p, q, c === undefined ? c : c % g.group_c);
    case 'b':
    case 'db':
      return whole(0, 0, 0, k);
  }
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
  const label = `${tensor}${indexed(indicesInMemory(g, tensor, position))}`;
  return value === null ? label : `${label} = ${value}`;
}

/** The indices of a position in memory order, as written in code. */
function indicesInMemory(g: Geometry, tensor: TensorName, at: Position): readonly number[] {
  if (tensor === 'b' || tensor === 'db') return [at.channel];
  const { slice, row, col, channel } = at;
  if (g.layout === 'nchw') return [slice, channel, row, col];
  return tensor === 'w' || tensor === 'dw' ? [row, col, channel, slice] : [slice, row, col, channel];
}

/** The shape of a tensor in other programs: b and db have one axis of k values. */
export const sizesOf = (g: Geometry, tensor: TensorName): readonly number[] =>
  tensor === 'b' || tensor === 'db' ? [g.k] : gridOf(g, tensor).shape;
