import { cellAt, gridOf, type Position } from '../geometry/grid';
import type { Cell } from '../protocol/cell';
import type { Geometry, Pass, ProcessName, TensorName } from '../protocol/problem';

/**
 * The names that indices have in code, as in the page's formulas: n image, i j row and column of y, k filter, p q row and column of
 * w, c channel of x, r s row and column of x.
 */
export type IndexName = 'n' | 'i' | 'j' | 'k' | 'p' | 'q' | 'c' | 'r' | 's';
/** Where one is in the loops: the indices that have a value there. */
export type Known = Readonly<Partial<Record<IndexName, number>>>;

/** What can be told of a line: the indices, and what the library has at a cell. */
export interface Facts {
  readonly geometry: Geometry;
  readonly known: Known;
  /** As text; null where there is none to tell. */
  readonly valueAt: (cell: Cell) => string | null;
}

export interface Line {
  readonly text: string;
  /** A place of the loops reaches the line where all of these are known; told are their values, or what `says` makes of them. */
  readonly needs?: readonly IndexName[];
  /** Without `needs`: where this has something to tell. */
  readonly says?: (facts: Facts) => string | null;
  /** What is done at a place is done here. */
  readonly here?: true;
}

export interface MarkedLine {
  readonly text: string;
  readonly note: string | null;
  readonly marked: boolean;
}

/** What code is made from: sizes and whether there is a bias, and no number of any tensor. */
export interface Subject {
  readonly geometry: Geometry;
  readonly bias: boolean;
}

/** In which order the loops of a pass go. */
export type Ways = Readonly<Record<Pass, ProcessName>>;

export const PLAIN_WAYS: Ways = {
  forward: 'forward',
  backward_data: 'dx_scatter',
  backward_weights: 'dw_accumulate',
  backward_bias: 'db_accumulate',
};

/** The lines with what is told of them; marked is the innermost line that the place reaches. */
export function markLines(lines: readonly Line[], facts: Facts): readonly MarkedLine[] {
  const isKnown = (name: IndexName) => facts.known[name] !== undefined;
  const told = lines.map(({ needs, says }) => {
    if (needs && !needs.every(isKnown)) return { reached: false, note: null };
    const note = says?.(facts) ?? (needs && !says ? indicesOf(needs, facts) : null);
    return { reached: needs !== undefined || note !== null, note };
  });
  const last = (here: boolean) => lines.findLastIndex((line, at) => told[at]?.reached && (line.here === true || !here));
  const marked = last(true) >= 0 ? last(true) : last(false);
  return lines.map(({ text }, at) => ({ text, note: told[at]?.note ?? null, marked: at === marked }));
}

const indicesOf = (names: readonly IndexName[], { known }: Facts): string =>
  names.map((name) => `${name} = ${known[name]}`).join(', ');

/** What is told of a line of code, found by how it begins. */
export type Marks = Readonly<Record<string, Omit<Line, 'text'>>>;

/** "for (int i = 0; ..." and "for i in range(...)" run through an index. */
const LOOP = /^\s*for \(?(?:int )?([nijkpqcrs]) /;

/** A text as lines, with what is told of them; a loop tells its index. */
export const linesOf = (text: string, marks: Marks = {}): readonly Line[] =>
  text.split('\n').map((line): Line => {
    const begun = Object.keys(marks).find((start) => line.trimStart().startsWith(start));
    const looped = LOOP.exec(line)?.[1] as IndexName | undefined;
    return { text: line, ...(looped ? { needs: [looped] } : {}), ...(begun ? marks[begun] : {}) };
  });

function positionHere(g: Geometry, tensor: TensorName, { n, i, j, k, p, q, c, r, s }: Known): Position | null {
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

/** "y[0, 1, 2, 0] = 41", the value where there is one to tell; null where the indices do not say which cell. */
export function elementText(
  { geometry: g, known, valueAt }: Facts,
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

/** The indices of a position in the order of memory, as code writes them. */
function indicesInMemory(g: Geometry, tensor: TensorName, at: Position): readonly number[] {
  if (tensor === 'b' || tensor === 'db') return [at.channel];
  const { slice, row, col, channel } = at;
  if (g.layout === 'nchw') return [slice, channel, row, col];
  return tensor === 'w' || tensor === 'dw' ? [row, col, channel, slice] : [slice, row, col, channel];
}

/** The sizes of a tensor as everybody else has them: b and db are k numbers. */
export const sizesOf = (g: Geometry, tensor: TensorName): readonly number[] =>
  tensor === 'b' || tensor === 'db' ? [g.k] : gridOf(g, tensor).shape;
