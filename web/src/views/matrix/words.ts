import { inputOfC, oneImage, outputOfC, weightBetween } from '../../geometry/conv-matrix';
import { coverageOf } from '../../geometry/coverage';
import { feeds } from '../../geometry/feeds';
import { cellAt, gridOf, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { reads } from '../../geometry/reads';
import type { Cell } from '../../protocol/cell';
import type { Geometry, TensorName } from '../../protocol/problem';
import { formatCount } from '../../ui/quantities';
import { linesOf } from './brush';

const sum = (counts: ArrayLike<number>): number => Array.from(counts).reduce((all, each) => all + each, 0);

/** Entries of C that hold a weight: every reading of a cell of x, by every filter that sees its channel. */
export function entryCount(g: Geometry): number {
  const { rows, cols } = coverageOf(g);
  return sum(rows) * sum(cols) * g.k * g.group_c;
}

const entries = (count: number): string => `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`;

/** What one sees, in a sentence or two. */
export function wordsOf(g: Geometry, cell: Cell | null, transposed: boolean): string {
  const image = oneImage(g);
  const { row, col } = linesOf(g, cell);
  const label = (tensor: TensorName, index: number) =>
    positionLabel(image, tensor, positionOf(image, { tensor, index }));
  const count = (tensor: 'y' | 'dx', index: number, of: 'x' | 'dy') =>
    reads(image, { tensor, index }).find((region) => region.tensor === of)?.count ?? 0;
  if (row !== null && col !== null) {
    const [to, from] = transposed ? [label('dx', col), label('dy', row)] : [label('y', row), label('x', col)];
    const at = transposed
      ? `Row ${col} makes ${to}, column ${row} is ${from}`
      : `Row ${row} makes ${to}, column ${col} is ${from}`;
    const weight = weightBetween(image, outputOfC(g, row), inputOfC(g, col));
    if (weight) return `${at}. They meet through ${positionLabel(image, 'w', weight)}.`;
    return `${at}. ${label('x', col)} is not in the window of ${label('y', row)}: nothing is there.`;
  }
  if (row !== null) {
    const held = entries(count('y', row, 'x'));
    if (transposed) return `Column ${row}, with ${held}, is where ${label('dy', row)} goes: the cells of its window.`;
    return `Row ${row} is the window of ${label('y', row)}: ${held}. Times x, and added, they make it.`;
  }
  if (col !== null) {
    const held = entries(count('dx', col, 'dy'));
    if (transposed)
      return `Row ${col} makes ${label('dx', col)}: ${held}, which times dy, and added, are its gradient.`;
    return `Column ${col}, with ${held}, is where ${label('x', col)} goes: the cells of y that hear it.`;
  }
  if (cell?.tensor === 'w' || cell?.tensor === 'dw') {
    const weight = cellAt(image, 'w', positionOf(g, cell));
    const shared = weight && feeds(image, weight).find(({ tensor }) => tensor === 'y')?.count;
    const name = positionLabel(image, 'w', positionOf(g, cell));
    return `${name} stands in C ${shared === 1 ? 'once' : `${formatCount(shared ?? 0)} times`}: one weight, shared by all windows.`;
  }
  const { row: rows, col: cols } = gridOf(g, 'C').size;
  return `C has a row for each of the ${formatCount(rows)} cells of y and a column for each of the ${formatCount(cols)} of x. Point at an entry.`;
}
