import { axisOf, coverageOf, readersOf } from '../../geometry/axis';
import {
  entriesOfWeight,
  inputOfC,
  lineOfC,
  oneImage,
  outputOfC,
  runsOfRow,
  weightBetween,
} from '../../geometry/conv-matrix';
import { type Focus, validFocus } from '../../geometry/focus';
import { transposedArea } from '../../geometry/forms';
import { cellAt, gridOf, isInside, type Position, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { sourcesOf, targetsOf } from '../../geometry/links';
import { type Region, sameCell } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, TensorName } from '../../protocol/problem';
import type { Spot } from '../../ui/grid/grid-data';
import { type Mark, oneCell } from '../../ui/grid/marks';
import { formatCount } from '../../ui/quantities';
import { block } from '../kit/marks';

/** The row and the column of C of a cell: a cell of y has a row, a cell of x a column, an entry of C both. */
interface Lines {
  readonly row: number | null;
  readonly col: number | null;
}

const NO_LINES: Lines = { row: null, col: null };

function highlightedLinesOf(g: Geometry, cell: Cell | null): Lines {
  if (!cell) return NO_LINES;
  const p = positionOf(g, cell);
  switch (cell.tensor) {
    case 'C':
      return { row: p.row, col: p.col };
    case 'y':
    case 'dy':
      return { row: lineOfC(g, 'y', p), col: null };
    case 'x':
    case 'dx':
      return { row: null, col: lineOfC(g, 'x', p) };
    case 'x_padded': {
      const inside = { ...p, row: p.row - g.padding.top, col: p.col - g.padding.left };
      return isInside(gridOf(g, 'x'), inside) ? { row: null, col: lineOfC(g, 'x', inside) } : NO_LINES;
    }
    default:
      return NO_LINES;
  }
}

/** The highlights of an entry of C on the other tensors: the window of its row, the cells that use its column, and its two cells. */
export function entryHighlights(g: Geometry, lit: Highlights | null, { n }: Focus, transposed: boolean) {
  if (lit?.cell.tensor !== 'C') return null;
  const { row, col } = positionOf(g, lit.cell);
  const [y, x] = [
    { ...outputOfC(g, row), slice: n },
    { ...inputOfC(g, col), slice: n },
  ];
  const [resultName, inputName] = transposed ? (['dx', 'dy'] as const) : (['y', 'x'] as const);
  const cellOf = (name: TensorName, p: Position) => cellAt(g, name, p) ?? { tensor: name, index: 0 };
  const [result, factor] = transposed ? [x, y] : [y, x];
  const weight = weightBetween(g, y, x);
  const of = (regions: readonly Region[], names: readonly string[]) =>
    regions.filter(({ tensor }) => names.includes(tensor));
  const highlights: Highlights = {
    cell: lit.cell,
    pinned: lit.pinned,
    sources: [
      ...of(sourcesOf(g, cellOf(resultName, result)), transposed ? ['dy'] : ['x', 'x_padded']),
      ...(weight ? sameCell(g, 'w', weight) : []),
    ],
    targets: of(targetsOf(g, cellOf(inputName, factor)), [resultName]),
    term: [...sameCell(g, resultName, result), ...sameCell(g, inputName, factor)],
  };
  return { highlights, focus: validFocus(g, { n, k: y.channel, c: x.channel }) };
}

/** A weight with more entries gets no outlines: they would hide the values. */
const MOST_ENTRIES = 400;

/** The outlines on C or Cᵀ: a row is the source of its cell, a column the target. */
export function marksOnC(g: Geometry, lit: Highlights | null, transposed: boolean): readonly Mark[] {
  if (!lit) return [];
  const { row: rows, col: cols } = gridOf(g, 'C').size;
  const { cell, term } = lit;
  const { row, col } = highlightedLinesOf(g, cell);
  const marks: Mark[] = [];
  if (row !== null) marks.push({ tone: transposed ? 'target' : 'source', area: block(row, 0, 1, cols) });
  if (col !== null) marks.push({ tone: transposed ? 'source' : 'target', area: block(0, col, rows, 1) });
  if (cell.tensor === 'C' && row !== null && col !== null) marks.push({ tone: 'focus', area: oneCell(row, col) });
  if (cell.tensor === 'w' || cell.tensor === 'dw') {
    const entries = entriesOfWeight(g, positionOf(g, cell), MOST_ENTRIES + 1);
    if (entries.length <= MOST_ENTRIES) {
      for (const entry of entries) marks.push({ tone: 'target', area: oneCell(entry.row, entry.col) });
    }
  }
  const entry = cell.tensor === 'C' ? null : termEntry(g, { row, col }, term);
  if (entry) marks.push({ tone: 'term', area: oneCell(entry.row, entry.col) });
  return transposed ? marks.map(({ tone, area }) => ({ tone, area: transposedArea(area) })) : marks;
}

/** The entry of a term that Explain highlights: in a sum of y, the column of that x; in a sum of dx, the row of that dy. */
function termEntry(g: Geometry, { row, col }: Lines, term: Highlights['term']): Spot | null {
  const only = (names: readonly string[]) => {
    const region = term.find(({ tensor }) => names.includes(tensor));
    if (region?.count !== 1) return null;
    const p = { slice: 0, row: region.row.first, col: region.col.first, channel: region.channel.first };
    return lineOfC(g, names.includes('x') ? 'x' : 'y', p);
  };
  const at = { row: row ?? only(['dy', 'y']), col: col ?? only(['x']) };
  return at.row === null || at.col === null ? null : { row: at.row, col: at.col };
}

/** The entry to scroll to: the first of the highlighted row or column; null while the pointer is on C. */
export function entryInSight(g: Geometry, lit: Highlights | null, transposed: boolean): Spot | null {
  if (!lit || lit.cell.tensor === 'C') return null;
  const { row, col } = highlightedLinesOf(g, lit.cell);
  const spot =
    row !== null ? { row, col: runsOfRow(g, row)[0]?.[0] ?? 0 } : col !== null ? firstOfColumn(g, col) : null;
  return spot && transposed ? { row: spot.col, col: spot.row } : spot;
}

function firstOfColumn(g: Geometry, col: number): Spot {
  const x = inputOfC(g, col);
  const least = (axis: 'row' | 'col', at: number) => {
    const { first, step, count } = readersOf(axisOf(g, axis), at).outputs;
    return first + step * Math.max(0, count - 1);
  };
  const channel = Math.floor(x.channel / g.group_c) * g.group_k;
  const [i, j] = [least('row', x.row + g.padding.top), least('col', x.col + g.padding.left)];
  return { row: lineOfC(g, 'y', { slice: 0, row: i, col: j, channel }), col };
}

const sum = (counts: ArrayLike<number>): number => Array.from(counts).reduce((all, each) => all + each, 0);

/** Entries of C that are weights: each read of a cell of x, times the filters of its group. */
export function entryCount(g: Geometry): number {
  const { rows, cols } = coverageOf(g);
  return sum(rows) * sum(cols) * g.k * g.group_c;
}

const entries = (count: number): string => `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`;

/** The player's text for a cell. */
export function matrixEntryText(g: Geometry, cell: Cell | null, transposed: boolean): string {
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
