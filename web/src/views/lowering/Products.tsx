import { feeds } from '../../geometry/feeds';
import { groupOfFilter } from '../../geometry/focus';
import { cellAt, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { columnOfTap, rowOfOutput } from '../../geometry/matrix';
import { reads } from '../../geometry/reads';
import type { ViewState } from '../../look/look';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { formatCount } from '../../ui/quantities';
import { stageIn } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { useDerived, useGeometry, usePicture } from '../kit/picture';
import { type Box, type StageLayout, wholeStage } from '../kit/stage/layout';
import { Place } from '../kit/stage/Place';
import type { ViewProps } from '../kit/view';
import { choiceOf } from './choice';
import { LaneCards } from './LaneCards';
import { formulaOf, type Lane, type MatrixName, type Operand, sizeOf, symbolOf } from './lanes';
import { MatrixPanel } from './MatrixPanel';
import { widthOf } from './sizing';

/** Height of the cards to choose from, with the gap below; see lanes.css. */
const CARDS = 84;
/** Room for a sign between two matrices. */
const SIGN = 32;
/** Room for a title. */
const TITLE = 124;

/** The cell of a matrix that is spoken of. */
function useSpoken(state: ViewState) {
  const g = useGeometry();
  const { highlights, focus } = usePicture();
  const { lane } = choiceOf(g, state);
  return useDerived(() => {
    const cell = highlights.value && matrixCellOf(g, highlights.value.cell);
    return cell ?? exampleOf(g, lane, focus.value.k);
  }, [g, highlights, focus, lane]);
}

/** One of the three products, with the row and the column that make the cell that is pointed at. */
export function Products({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const layout = usePicture().layout.value;
  const { lane } = choiceOf(g, state);
  const spoken = useSpoken(state);
  const group = useDerived(() => positionOf(g, spoken.value).slice, [g, spoken]).value;
  const lit = useDerived(() => {
    const cell = spoken.value;
    return { cell, pinned: true, sources: reads(g, cell), targets: feeds(g, cell), term: [] };
  }, [g, spoken]);
  const operands = [lane.a, lane.b, lane.c];
  const tensorOf = ({ name, transposed }: Operand) => stageIn(answers, name, transposed);
  const boxes = boxesOf(
    operands.map((operand) => sizeOf(g, operand).cols),
    layout,
  );
  return (
    <>
      <Place box={{ left: 0, top: 0, width: layout.width, height: CARDS - 8 }}>
        <LaneCards geometry={g} value={choiceOf(g, wanted).lane.id} onChange={(id) => onState({ lane: id })} />
      </Place>
      {operands.map((operand, i) => {
        const tensor = tensorOf(operand);
        const box = boxes[i];
        if (!tensor || !box) return null;
        return (
          <div key={`${operand.name}${operand.transposed}`} class="lowering__operand">
            {i > 0 && (
              <span
                class="sign"
                style={{ left: `${box.left - SIGN}px`, width: `${SIGN}px`, top: `${box.top + 88}px` }}
                aria-hidden="true"
              >
                {i === 1 ? '·' : '='}
              </span>
            )}
            <MatrixPanel
              name={operand.name}
              form={{ order: 'kh_kw_c', transposed: operand.transposed }}
              tensor={tensor}
              group={group}
              title={symbolOf(operand)}
              subtitle=""
              lit={lit}
              box={box}
            />
          </div>
        );
      })}
    </>
  );
}

export function ProductsWords({ state, answers }: ViewProps) {
  const g = useGeometry();
  const { lane } = choiceOf(g, state);
  const spoken = useSpoken(state);
  const words = useDerived(() => {
    const group = positionOf(g, spoken.value).slice;
    return `${g.groups > 1 ? `Group ${group}: ` : ''}${sentenceOf(g, lane, spoken.value)}`;
  }, [g, lane, spoken]);
  return (
    <>
      <p class="player-words">{words}</p>
      <Badge comparison={answers.of('compare')[0]?.answer} algorithm={lane.algorithm} />
    </>
  );
}

/** Rooms of three matrices side by side: each what its figures need, and of what is missing or left over its share. */
function boxesOf(cols: readonly number[], layout: StageLayout): readonly Box[] {
  const { width, height } = wholeStage(layout);
  const wanted = cols.map((count) => Math.max(TITLE, widthOf(count)));
  const spare = width - 2 * SIGN - wanted.reduce((sum, each) => sum + each, 0);
  const wide = wanted.map((each) => each - TITLE);
  const over = wide.reduce((sum, each) => sum + each, 0);
  let left = 0;
  return wanted.map((each, i) => {
    const share = spare >= 0 ? spare / cols.length : (spare * (wide[i] ?? 0)) / Math.max(1, over);
    const box = { left, top: CARDS, width: each + share, height: height - CARDS };
    left += box.width + SIGN;
    return box;
  });
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
  const products = terms === 1 ? '1 product' : `${formatCount(terms)} products, added up`;
  return `${name} = row ${p.row} of ${symbolOf(lane.a)} times column ${p.col} of ${symbolOf(lane.b)}: ${products}.`;
}
