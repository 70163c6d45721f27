import { useMemo } from 'preact/hooks';
import { axisOf, coverageOf, readersOf } from '../../geometry/axis';
import {
  entriesOfWeight,
  inputOfC,
  lineOfC,
  oneImage,
  outputOfC,
  runsOfRow,
  weightBetween,
  weightIndexOf,
} from '../../geometry/conv-matrix';
import {
  boxes,
  cellAt,
  type Focus,
  gridOf,
  isInside,
  matrixColumn,
  matrixRow,
  PLAIN_FORM,
  type Position,
  positionOf,
  type Region,
  sameCell,
  validFocus,
} from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { sourcesOf, targetsOf } from '../../geometry/links';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, TensorName } from '../../protocol/problem';
import type { Spot } from '../../ui/grid/grid-data';
import { formatCount } from '../../ui/quantities';
import { AROUND, type Fit, LARGEST_TENSOR, type Room } from '../shared/fit';
import { type FitLimits, OVERVIEW } from '../shared/fit-grid';
import { accentOf } from '../shared/GridPanel';
import { MapNavigator } from '../shared/MapNavigator';
import { stepHighlights } from '../shared/plane';
import { StagePanel } from '../shared/StagePanel';
import type { Box } from '../shared/stage/layout';
import { useDerived, useGeometry, useViewModel } from '../shared/view-model';
import { Names, Strip, Vector } from './vectors';
import './matrix.css';

/** The row and the column of C of a cell: a cell of y has a row, a cell of x a column, an entry of C both. */
interface Lines {
  readonly row: number | null;
  readonly col: number | null;
}

const NO_LINES: Lines = { row: null, col: null };

function highlightedLinesOf(g: Geometry, cell: Cell | null) {
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

/** The highlights on C: a row is the source of its cell, a column the target; for Cᵀ the reverse. */
function highlightsOnC(g: Geometry, { cell, term }: Highlights, transposed: boolean): Highlights {
  const lines = highlightedLinesOf(g, cell);
  const { row, col } = lines;
  const rows = row === null ? [] : boxes(g, { C: matrixRow(0, row) });
  const cols = col === null ? [] : boxes(g, { C: matrixColumn(0, col) });
  const entry = (spot: Spot) => sameCell(g, 'C', { ...spot, slice: 0, channel: 0 });
  const isWeight = cell.tensor === 'w' || cell.tensor === 'dw';
  const shared = isWeight ? entriesOfWeight(g, positionOf(g, cell), MOST_ENTRIES + 1) : [];
  const ofWeight = shared.length <= MOST_ENTRIES ? shared.flatMap(entry) : [];
  const ofTerm = cell.tensor === 'C' ? null : termEntry(g, lines, term);
  const [sources, targets] = transposed ? [cols, rows] : [rows, cols];
  return { ...stepHighlights(cell, sources, [...targets, ...ofWeight]), term: ofTerm ? entry(ofTerm) : [] };
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
function entryInSight(g: Geometry, lit: Highlights | null, transposed: boolean): Spot | null {
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

const sum = (counts: ArrayLike<number>) => Array.from(counts).reduce((all, each) => all + each, 0);

/** Entries of C that are weights: each read of a cell of x, times the filters of its group. */
function entryCount(g: Geometry) {
  const { rows, cols } = coverageOf(g);
  return sum(rows) * sum(cols) * g.k * g.group_c;
}

const entries = (count: number) => `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`;

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
  return `C has a row for each of the ${formatCount(rows)} cells of y and a column for each of the ${formatCount(cols)} of x. Point at an entry.`;
}

/**
 * A row and a column for the vectors, and the sign. A part with values shows the pattern if it is large enough; else the map of
 * C shows that of the whole while an entry has a pixel.
 */
export const C_LIMITS = {
  ...{ most: LARGEST_TENSOR, lines: 1, beside: 32, above: 20, besideMap: 56, aboveMap: 32 },
  whole: { least: 1, most: 22 },
  part: { least: 3, most: 3, share: 0.3 },
} as const satisfies FitLimits;

/** Least width of the panel, for its title. */
const TITLE = 260;

/** Width and height of the panel of C or Cᵀ. */
export function sizeOfC(fit: Fit, { rows, cols }: { readonly rows: number; readonly cols: number }): Room {
  const { frame, head, legend } = AROUND;
  const { beside, above, besideMap, aboveMap } = C_LIMITS;
  const isPart = fit.kind === 'map' && (cols * fit.least > fit.width + 1 || rows * fit.least > fit.height + 1);
  const map = isPart ? (rows >= cols ? [OVERVIEW.beside, 0] : [0, OVERVIEW.above]) : [0, 0];
  const [width, height] =
    fit.kind === 'map'
      ? [fit.width + besideMap + (map[0] ?? 0), fit.height + aboveMap + legend + (map[1] ?? 0)]
      : [(cols + 1) * fit.size + beside, (rows + 1) * fit.size + above];
  return { width: Math.max(TITLE, width + frame), height: height + head + frame };
}

/** y = C x, or dx = Cᵀ dy: the factor as a row above the matrix, in which each row gives a cell of the column before it. */
export function ConvMatrix({ transposed, box, fit }: { transposed: boolean; box: Box; fit: Fit }) {
  const { content, highlights } = useViewModel();
  const g = useGeometry();
  const w = useDerived(() => content.value.tensors.w, [content]).value;
  const lit = useDerived(
    () => highlights.value && highlightsOnC(g, highlights.value, transposed),
    [g, highlights, transposed],
  );
  const scrollTo = useDerived(() => entryInSight(g, highlights.value, transposed), [g, highlights, transposed]);
  const marker = useDerived(() => {
    const cell = highlights.value?.cell;
    if (cell?.tensor !== 'C') return null;
    const { row, col } = positionOf(g, cell);
    return w?.data[weightIndexOf(g)(row, col)] ?? null;
  }, [g, highlights, w]);
  const paint = useMemo(() => pattern(g, transposed), [g, transposed]);
  if (!w) return null;
  const [result, factor] = transposed ? (['dx', 'dy'] as const) : (['y', 'x'] as const);
  return (
    <StagePanel
      name="C"
      tensor={w}
      slice={0}
      channel={0}
      form={{ ...PLAIN_FORM, transposed }}
      title={transposed ? 'Cᵀ' : 'C'}
      subtitle={`${formatCount(entryCount(g))} of ${formatCount(gridOf(g, 'C').cells)} are weights`}
      accent={accentOf('w')}
      {...{ marker, lit, box, fit, scrollTo }}
      overview={(map) => (
        <>
          <MapNavigator {...map} paint={paint} />
          <Names result={result} factor={factor} />
          <Strip name={result} lying={false} map={map} />
          <Strip name={factor} lying={true} map={map} />
        </>
      )}
      around={(grid, size) => (
        <div class="conv-product">
          <div style={{ gridArea: '2 / 3' }}>{grid}</div>
          <Names result={result} factor={factor} />
          <Vector name={result} size={size} lying={false} />
          <Vector name={factor} size={size} lying={true} />
        </div>
      )}
    />
  );
}

/** Maximum number of lines in the overview: more are closer than its pixels. */
const MOST_LINES = 400;

/** The nonzero pattern of C: one line for each sequence of adjacent entries. */
const pattern =
  (g: Geometry, transposed: boolean) => (context: CanvasRenderingContext2D, width: number, height: number) => {
    const { row: rows, col: cols } = gridOf(g, 'C').size;
    const [across, down] = transposed ? [height / cols, width / rows] : [width / cols, height / rows];
    const step = Math.max(1, Math.floor(rows / MOST_LINES));
    context.fillStyle = getComputedStyle(context.canvas).color;
    for (let row = 0; row < rows; row += step) {
      const thick = Math.max(1, step * down);
      for (const [first, last] of runsOfRow(g, row)) {
        const long = Math.max(1, (last + 1 - first) * across);
        if (transposed) context.fillRect(row * down, first * across, thick, long);
        else context.fillRect(first * across, row * down, long, thick);
      }
    }
  };
