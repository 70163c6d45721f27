import { groupOfFilter } from '../../geometry/focus';
import { cellAt, isMatrix, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import { sourcesOf, targetsOf } from '../../geometry/links';
import { columnOfTap, rowOfOutput } from '../../geometry/matrix';
import type { ViewState } from '../../look/look';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { formatCount } from '../../ui/quantities';
import { stageIn } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { fitGrid, sideOf } from '../kit/fit-grid';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { type Box, type StageLayout, wholeStage } from '../kit/stage/layout';
import type { ViewProps } from '../kit/view';
import { useDerived, useGeometry, useViewModel } from '../kit/view-model';
import { choiceOf } from './choice';
import { MATRIX_LIMITS, MatrixPanel, widthOf } from './MatrixPanel';
import { formulaOf, type MatrixName, type MatrixProduct, type Operand, sizeOf, symbolOf } from './matrix-products';
import { ProductCards } from './ProductCards';

/** Height of the cards of products, with the gap below; see lanes.css. */
const CARDS = 84;
/** Room for a sign between two matrices. */
const SIGN = 32;
/** Least width of a panel for its title; of a map, for its legend and zoom buttons. */
const TITLE = 124;
const MAP_TITLE = 166;

/** The cell of a matrix that the outlines and the sentence are about. */
function useSelectedEntry(state: ViewState) {
  const g = useGeometry();
  const { highlights, focus } = useViewModel();
  const { product } = choiceOf(g, state);
  return useDerived(() => {
    const cell = highlights.value && matrixCellOf(g, highlights.value.cell);
    return cell ?? exampleOf(g, product, focus.value.k);
  }, [g, highlights, focus, product]);
}

/** One of the three products, with the row and the column of the selected cell. */
export function Products({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const layout = useViewModel().layout.value;
  const { product } = choiceOf(g, state);
  const entry = useSelectedEntry(state);
  const group = useDerived(() => positionOf(g, entry.value).slice, [g, entry]).value;
  const lit = useDerived(() => {
    const cell = entry.value;
    const targets = targetsOf(g, cell).filter(({ tensor }) => isMatrix(tensor));
    return { cell, pinned: true, sources: sourcesOf(g, cell), targets, term: [] };
  }, [g, entry]);
  const operands = [product.a, product.b, product.c];
  const tensorOf = ({ name, transposed }: Operand) => stageIn(answers, name, transposed);
  const { boxes, most } = boxesFor(
    operands.map((operand) => sizeOf(g, operand)),
    layout,
  );
  return (
    <>
      <LayoutBox box={{ left: 0, top: 0, width: layout.width, height: CARDS - 8 }}>
        <ProductCards geometry={g} value={choiceOf(g, wanted).product.id} onChange={(id) => onState({ lane: id })} />
      </LayoutBox>
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
              most={most}
            />
          </div>
        );
      })}
    </>
  );
}

export function ProductsWords({ state, answers }: ViewProps) {
  const g = useGeometry();
  const { product } = choiceOf(g, state);
  const entry = useSelectedEntry(state);
  const words = useDerived(() => {
    const group = positionOf(g, entry.value).slice;
    return `${g.groups > 1 ? `Group ${group}: ` : ''}${sentenceOf(g, product, entry.value)}`;
  }, [g, product, entry]);
  return (
    <>
      <p class="player-words">{words}</p>
      <Badge comparison={answers.of('compare')[0]?.answer} algorithm={product.algorithm} />
    </>
  );
}

interface Boxes {
  readonly boxes: readonly Box[];
  /** Cell size of all three, so that the rows of factor and product are aligned. */
  readonly most: number | undefined;
}

type Size = ReturnType<typeof sizeOf>;

function boxesFor(sizes: readonly Size[], layout: StageLayout): Boxes {
  const placed = (title: number): Boxes & { readonly maps: boolean } => {
    const boxes = boxesOf(
      sizes.map(({ cols }) => cols),
      layout,
      title,
    );
    const fits = sizes.map(({ rows, cols }, i) => {
      const fit = fitGrid(boxes[i] ?? { width: 0, height: 0 }, rows, cols, MATRIX_LIMITS);
      return { kind: fit.kind, side: sideOf(fit, cols) };
    });
    return { boxes, most: Math.min(...fits.map(({ side }) => side)), maps: fits.some(({ kind }) => kind === 'map') };
  };
  const { boxes, most, maps } = placed(TITLE);
  if (layout.arrangement === 'stack') return { boxes, most: undefined };
  return maps ? placed(MAP_TITLE) : { boxes, most };
}

/** Boxes of three matrices side by side: the width that the values need, plus or minus a share of the difference. */
function boxesOf(cols: readonly number[], layout: StageLayout, title: number): readonly Box[] {
  const { width, height } = wholeStage(layout);
  const wanted = cols.map((count) => Math.max(title, widthOf(count)));
  const spare = width - 2 * SIGN - wanted.reduce((sum, each) => sum + each, 0);
  const wide = wanted.map((each) => each - title);
  const over = wide.reduce((sum, each) => sum + each, 0);
  let left = 0;
  return wanted.map((each, i) => {
    const share = spare >= 0 ? spare / cols.length : (spare * (wide[i] ?? 0)) / Math.max(1, over);
    const box = { left, top: CARDS, width: each + share, height: height - CARDS };
    left += box.width + SIGN;
    return box;
  });
}

/** The matrix entry of a cell of y, dy, w or dw. */
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

/** The example without a selected cell: the middle of the product. */
function exampleOf(g: Geometry, { c }: MatrixProduct, filter: number): Cell {
  const { rows, cols } = sizeOf(g, c);
  const slice = groupOfFilter(g, filter);
  return cellAt(g, c.name, { slice, row: rows >> 1, col: cols >> 1, channel: 0 }) ?? { tensor: c.name, index: 0 };
}

function sentenceOf(g: Geometry, product: MatrixProduct, cell: Cell): string {
  const p = positionOf(g, cell);
  const name = positionLabel(g, cell.tensor, p);
  if (cell.tensor !== product.c.name)
    return `${name}: dashed outlines are the cells that use it. ${formulaOf(product)}.`;
  const terms = sizeOf(g, product.a).cols;
  const products = terms === 1 ? '1 product' : `the sum of ${formatCount(terms)} products`;
  return `${name} = row ${p.row} of ${symbolOf(product.a)} times column ${p.col} of ${symbolOf(product.b)}: ${products}.`;
}
