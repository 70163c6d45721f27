import { feeds } from '../../geometry/feeds';
import { groupOfFilter } from '../../geometry/focus';
import { cellAt, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { columnOfTap, rowOfOutput } from '../../geometry/matrix';
import { reads } from '../../geometry/reads';
import type { Highlights } from '../../look/look-store';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { Badge } from '../kit/Badge';

import type { ViewProps } from '../kit/view';
import { choiceOf } from './choice';
import { LaneCards } from './LaneCards';
import { formulaOf, type Lane, type MatrixName, type Operand, sizeOf, symbolOf } from './lanes';
import { MatrixPanel } from './MatrixPanel';
import { firstMarked, marksOnMatrix } from './matrix-marks';
import { widthOf } from './sizing';

const TALLEST = 460;
const LOW = 300;
const NARROW = 620;
/** Room for a sign between two matrices. */
const SIGN = 40;
/** Room for a title. */
const TITLE = 120;
/** A map with less room shows too little. */
const SMALLEST = 240;

/** One of the three products, with the row and the column that make the cell that is pointed at. */
export function Products({ scene, state, wanted, answers, events, onState, width }: ViewProps) {
  const g = scene.geometry;
  const { lane } = choiceOf(g, state);
  const pointed = scene.highlights && matrixCellOf(g, scene.highlights.cell);
  const cell = pointed ?? exampleOf(g, lane, scene.focus.k);
  const group = positionOf(g, cell).slice;
  const highlights: Highlights = { cell, pinned: true, sources: reads(g, cell), targets: feeds(g, cell), term: [] };
  const operands = [lane.a, lane.b, lane.c];
  const tensorOf = ({ name, transposed }: Operand) =>
    answers.details?.stages.find((entry) => entry.stage === name && entry.transposed === transposed)?.tensor;
  const widths = widthsOf(
    operands.map((operand) => sizeOf(g, operand).cols),
    width,
  );
  return (
    <>
      <LaneCards geometry={g} value={choiceOf(g, wanted).lane.id} onChange={(id) => onState({ lane: id })} />
      <p class="lowering__idea">{lane.idea}</p>
      <Badge comparison={answers.compare} algorithm={lane.algorithm} />
      <p class="lowering__sentence">
        {g.groups > 1 && `Group ${group}: `}
        {sentenceOf(g, lane, cell)}
      </p>
      <div class="lowering__row lowering__row--product">
        {operands.map((operand, i) => {
          const tensor = tensorOf(operand);
          const form = { order: 'kh_kw_c', transposed: operand.transposed } as const;
          const marks = marksOnMatrix(g, operand.name, group, form, highlights);
          return (
            <>
              {i > 0 && (
                <span class="row__sign" aria-hidden="true">
                  {i === 1 ? '·' : '='}
                </span>
              )}
              {tensor && (
                <MatrixPanel
                  key={`${operand.name}${operand.transposed}`}
                  geometry={g}
                  name={operand.name}
                  form={form}
                  tensor={tensor}
                  group={group}
                  title={symbolOf(operand)}
                  subtitle=""
                  transfer={scene.transfer}
                  marks={marks}
                  look={firstMarked(marks, operand.name, scene.highlights)}
                  events={events}
                  width={widths[i] ?? width}
                  height={width >= NARROW ? TALLEST : LOW}
                />
              )}
            </>
          );
        })}
      </div>
    </>
  );
}

/** Rooms of three matrices side by side, the widest of them with what the others leave; all of it where that is too little. */
function widthsOf(cols: readonly number[], width: number): readonly number[] {
  const wanted = cols.map((count) => Math.max(TITLE, widthOf(count)));
  const spare = width - 2 * SIGN - wanted.reduce((sum, each) => sum + each, 0);
  if (spare >= 0) return wanted.map((each) => each + spare / 3);
  const widest = Math.max(...wanted);
  return widest + spare >= SMALLEST
    ? wanted.map((each) => (each === widest ? each + spare : each))
    : cols.map(() => width);
}

/** The cell of a matrix that a cell of the board is. */
function matrixCellOf(g: Geometry, cell: Cell): Cell | null {
  const p = positionOf(g, cell);
  const at = (name: MatrixName, filter: number, row: number) =>
    cellAt(g, name, { slice: groupOfFilter(g, filter), row, col: filter % g.group_k, channel: 0 });
  const window = () => rowOfOutput(g, { n: p.slice, row: p.row, col: p.col });
  switch (cell.tensor) {
    case 'y':
      return at('y_col', p.channel, window());
    case 'dy':
      return at('dy_col', p.channel, window());
    case 'w':
      return at('w_col', p.slice, columnOfTap(g, p));
    case 'dw':
      return at('dw_col', p.slice, columnOfTap(g, p));
    default:
      return cell.tensor.endsWith('_col') ? cell : null;
  }
}

/** Until one points: a cell in the middle of the product. */
function exampleOf(g: Geometry, { c }: Lane, filter: number): Cell {
  const { rows, cols } = sizeOf(g, c);
  const slice = groupOfFilter(g, filter);
  return cellAt(g, c.name, { slice, row: rows >> 1, col: cols >> 1, channel: 0 }) ?? { tensor: c.name, index: 0 };
}

function sentenceOf(g: Geometry, lane: Lane, cell: Cell): string {
  const p = positionOf(g, cell);
  const name = positionLabel(g, cell.tensor, p);
  if (cell.tensor !== lane.c.name) return `${name}: dashed is what it goes into. ${formulaOf(lane)}.`;
  const terms = sizeOf(g, lane.a).cols;
  const products = terms === 1 ? '1 product' : `${terms.toLocaleString('en')} products, added up`;
  return `${name} = row ${p.row} of ${symbolOf(lane.a)} times column ${p.col} of ${symbolOf(lane.b)}: ${products}.`;
}
