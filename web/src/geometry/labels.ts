import type { Cell, Geometry, GridName } from '../protocol/problem';
import { type AxisName, gridOf, isMatrix, type Position, positionOf, shownAxesOf } from './grid';
import { OUTSIDE, type Terms, termPositions } from './terms';

/** Names of cells and sums as text. */

/** The axes that a label names, in memory order. */
export function shownAxes(g: Geometry, tensor: GridName): readonly AxisName[] {
  if (tensor === 'b' || tensor === 'db') return ['channel'];
  return shownAxesOf(gridOf(g, tensor));
}

/** "dx[2,3]", with the text of each index. */
export const withIndices = (g: Geometry, tensor: GridName, indexOf: (axis: AxisName) => string): string =>
  `${tensor}[${shownAxes(g, tensor).map(indexOf).join(',')}]`;

/** What the indices of a label mean, in order: "row, column, channel". */
export function indexWords(g: Geometry, tensor: GridName): string {
  const weights = /^d?w(_|$)/.test(tensor) && !isMatrix(tensor);
  const words: Readonly<Record<AxisName, string>> = {
    slice: isMatrix(tensor) ? 'group' : weights ? 'filter' : 'n',
    row: 'row',
    col: 'column',
    channel: weights || /^d?x/.test(tensor) ? 'channel' : 'filter',
  };
  const named = shownAxes(g, tensor).map((axis) => words[axis]);
  return named.join(', ');
}

const MINUS = '\u2212';
export const withMinus = (value: number): string => (value < 0 ? MINUS + -value : String(value));

/** "dx[2,3]", "x[−1,0]" in the padding; the bias and db as "b[0]". Matrices in plain form. */
export const positionLabel = (g: Geometry, tensor: GridName, position: Position): string =>
  withIndices(g, tensor, (axis) => withMinus(position[axis]));

/** "dy[0,2,1,*]": a pixel with all its channels. */
export const pixelLabel = (g: Geometry, tensor: GridName, position: Omit<Position, 'channel'>): string =>
  withIndices(g, tensor, (axis) => (axis === 'channel' ? '*' : withMinus(position[axis])));

/** "dw[1,1,*,*]": a weight of all channels and filters. */
export function weightLabel(g: Geometry, tensor: GridName, row: number, col: number): string {
  const at = { row: String(row), col: String(col), channel: '*', slice: '*' };
  return withIndices(g, tensor, (axis) => at[axis]);
}

export const cellLabel = (g: Geometry, cell: Cell): string => positionLabel(g, cell.tensor, positionOf(g, cell));

/** The name shown to people: a cell of x_padded has the index that it would have in x, x[−1,0]. */
export function cellName(g: Geometry, cell: Cell): string {
  if (cell.tensor !== 'x_padded') return cellLabel(g, cell);
  const { row, col, ...rest } = positionOf(g, cell);
  return positionLabel(g, 'x', { ...rest, row: row - g.padding.top, col: col - g.padding.left });
}

export interface FactorForm {
  /** null: the factor is in the padding and is 0. */
  readonly cell: Cell | null;
  /** For highlighting; outside its tensor if cell is null. */
  readonly tensor: GridName;
  readonly position: Position;
  readonly label: string;
}

export interface TermForm {
  /** Number of the term in the whole sum, from 0. */
  readonly index: number;
  readonly a: FactorForm;
  readonly b: FactorForm | null;
  readonly inPadding: boolean;
}

function factor(g: Geometry, tensor: GridName, index: number, position: Position): FactorForm {
  const cell = index === OUTSIDE ? null : { tensor, index };
  return { cell, tensor, position, label: positionLabel(g, tensor, position) };
}

/** Term t of the terms of a cell. */
export function termForm(g: Geometry, page: Terms, t: number): TermForm | null {
  const positions = termPositions(g, page.cell, t);
  const a = page.index_a[t];
  if (!positions || a === undefined) return null;
  const b = page.b && positions.b ? factor(g, page.b, page.index_b[t] ?? OUTSIDE, positions.b) : null;
  return { index: t, a: factor(g, page.a, a, positions.a), b, inPadding: a === OUTSIDE };
}

/** The name that a tensor of a transposed convolution has in the convolution from y to x, and back. */
export const swappedName = <Name extends string>(name: Name): Name | 'x' | 'y' | 'dx' | 'dy' =>
  SWAPPED[name as keyof typeof SWAPPED] ?? name;

const SWAPPED = { x: 'dy', y: 'dx', dx: 'y', dy: 'x' } as const;
