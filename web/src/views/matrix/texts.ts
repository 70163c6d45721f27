import { coverageOf } from '../../geometry/axis';
import { inputOfC, oneImage, outputOfC, weightBetween } from '../../geometry/conv-matrix';
import { cellAt, gridOf, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { sourcesOf, targetsOf } from '../../geometry/links';
import type { Cell, Geometry, TensorName } from '../../protocol/problem';
import { formatCount } from '../../ui/quantities';
import { highlightedLinesOf } from './matrix-highlights';

const sum = (counts: ArrayLike<number>): number => Array.from(counts).reduce((all, each) => all + each, 0);

/** Entries of C that are weights: each read of a cell of x, times the filters of its group. */
export function entryCount(g: Geometry): number {
  const { rows, cols } = coverageOf(g);
  return sum(rows) * sum(cols) * g.k * g.group_c;
}

const entries = (count: number): string => `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`;

/** The player's text for a cell. */
export function textOf(g: Geometry, cell: Cell | null, transposed: boolean): string {
  const image = oneImage(g);
  const { row, col } = highlightedLinesOf(g, cell);
  const label = (tensor: TensorName, index: number) =>
    positionLabel(image, tensor, positionOf(image, { tensor, index }));
  const count = (tensor: 'y' | 'dx', index: number, of: 'x' | 'dy') =>
    sourcesOf(image, { tensor, index }).find((region) => region.tensor === of)?.count ?? 0;
  if (row !== null && col !== null) {
    const [to, from] = transposed ? [label('dx', col), label('dy', row)] : [label('y', row), label('x', col)];
    const at = transposed
      ? `Row ${col} gives ${to}, column ${row} is ${from}`
      : `Row ${row} gives ${to}, column ${col} is ${from}`;
    const weight = weightBetween(image, outputOfC(g, row), inputOfC(g, col));
    if (weight) return `${at}. Their entry is ${positionLabel(image, 'w', weight)}.`;
    return `${at}. Their entry is 0: ${label('x', col)} is not in the window of ${label('y', row)}.`;
  }
  if (row !== null) {
    const entriesText = entries(count('y', row, 'x'));
    if (transposed)
      return `Column ${row} (${entriesText}) lists the cells of dx that use ${label('dy', row)}: its window.`;
    return `Row ${row} holds the weights of ${label('y', row)} (${entriesText}): row ${row} · x = ${label('y', row)}.`;
  }
  if (col !== null) {
    const entriesText = entries(count('dx', col, 'dy'));
    if (transposed)
      return `Row ${col} holds the weights of ${label('dx', col)} (${entriesText}): row ${col} · dy = ${label('dx', col)}.`;
    return `Column ${col} (${entriesText}) lists the cells of y that use ${label('x', col)}.`;
  }
  if (cell?.tensor === 'w' || cell?.tensor === 'dw') {
    const weight = cellAt(image, 'w', positionOf(g, cell));
    const shared = weight && targetsOf(image, weight).find(({ tensor }) => tensor === 'y')?.count;
    const name = positionLabel(image, 'w', positionOf(g, cell));
    return `${name} is in C ${shared === 1 ? 'once' : `${formatCount(shared ?? 0)} times`}: all windows share it.`;
  }
  const { row: rows, col: cols } = gridOf(g, 'C').size;
  return `C has a row for each of the ${formatCount(rows)} cells of y and a column for each of the ${formatCount(cols)} of x. Hover an entry.`;
}
