import { type Focus, groupOfFilter } from '../../geometry/focus';
import { cellAt, gridOf, outputPositions, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import { sourcesOf, targetsOf } from '../../geometry/links';
import { columnOfTap } from '../../geometry/matrix';
import type { Highlights } from '../../look/look-store';
import type { Cell } from '../../protocol/cell';
import type { Geometry, StageName } from '../../protocol/problem';
import { formatCount } from '../../ui/quantities';
import { stageIn } from '../kit/answers';
import { AROUND, LARGEST, READABLE, whole } from '../kit/fit';
import { StagePanel } from '../kit/StagePanel';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { type Box, region, type StageLayout, wholeStage } from '../kit/stage/layout';
import { Tensors } from '../kit/stage/Tensors';
import type { ViewProps } from '../kit/view';
import { useDerived, useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../kit/view-model';
import { fitsMatrix } from './algorithms';

const TRANSPOSED_FORM = { order: 'kh_kw_c', transposed: true } as const;
/** Drawn in place of matrices that are too large. */
const FACTORS = ['x', 'dw', 'db', 'dy'] as const;
const GAP = 12;
/** Least width of dw_col. */
const NARROW = 160;

/** dw_col = x_colᵀ · dy_col, with dy_colᵀ above x_colᵀ: the two factors of a product are in one column. */
export function MatrixProduct({ answers }: ViewProps) {
  const g = useGeometry();
  const { focus: focusSignal, layout } = useViewModel();
  const focus = focusSignal.value;
  const frameModel = useFrameOverlay({ highlights: exampleOf(g, focus) });
  if (!fitsMatrix(g)) {
    return (
      <>
        <Tensors names={FACTORS} />
        <LayoutBox box={region(layout.value, 'y', 'y', 'forward')} scrolls>
          <p>
            x_colᵀ has {gridOf(g, 'dw_col').size.row} × {formatCount(outputPositions(g))} cells per group: too many to
            draw. Make x smaller to see the matrices.
          </p>
        </LayoutBox>
      </>
    );
  }
  const stage = (name: StageName) => stageIn(answers, name);
  const [x_col, dy_col, dw_col] = [stage('x_col'), stage('dy_col'), stage('dw_col')];
  if (!x_col || !dy_col || !dw_col) return null;

  const group = groupOfFilter(g, focus.k);
  const { cell, above, left, right, own } = boxesOf(g, layout.value);
  const common = { slice: group, channel: 0 };
  return (
    <ViewModelProvider value={frameModel}>
      <StagePanel
        {...common}
        name="dy_col"
        tensor={dy_col}
        form={TRANSPOSED_FORM}
        cell={cell}
        title="dy_colᵀ"
        subtitle={`a row per filter${g.groups > 1 ? `, group ${group}` : ''}`}
        box={above}
      />
      <StagePanel
        {...common}
        name="x_col"
        tensor={x_col}
        form={TRANSPOSED_FORM}
        cell={cell}
        title="x_colᵀ"
        subtitle="a row per weight, a column per window"
        box={left}
      />
      <StagePanel {...common} name="dw_col" tensor={dw_col} title="dw_col" subtitle="" cell={own} box={right} />
    </ViewModelProvider>
  );
}

interface Boxes {
  readonly cell: number;
  readonly above: Box;
  readonly left: Box;
  readonly right: Box;
  /** Side of a cell of dw_col, where it is that of x_colᵀ. */
  readonly own: number | undefined;
}

/** dy_colᵀ above x_colᵀ with aligned columns and equal cells, and dw_col beside both. */
function boxesOf(g: Geometry, layout: StageLayout): Boxes {
  const stops = outputPositions(g);
  const rows = { above: g.group_k, left: gridOf(g, 'dw_col').size.row };
  const { left, top, width, height } = wholeStage(layout);
  const side = layout.arrangement === 'stack' ? width : width - NARROW - GAP;
  const cellWith = (around: number) => {
    const high = (height - 2 * around - GAP) / (rows.above + rows.left);
    return whole(Math.max(0.1, Math.min(LARGEST, (side - AROUND.frame) / stops, high)));
  };
  const bare = AROUND.head + AROUND.frame;
  const aligned = cellWith(bare) >= READABLE;
  // Only maps have a legend.
  const around = aligned ? bare : bare + AROUND.legend;
  const cell = cellWith(around);
  const across = Math.max(stops * cell + AROUND.frame, Math.min(side, 320));
  const beside = { left: left + across + GAP, width: width - across - GAP };
  const split = around + rows.above * cell;
  return {
    cell,
    above: { left, top, width: across, height: split },
    left: { left, top: top + split + GAP, width: across, height: around + rows.left * cell },
    // Rows are aligned where values fit into cells; else dw_col takes the whole height, so that its own values fit.
    right: aligned
      ? { ...beside, top: top + split + GAP, height: around + rows.left * cell }
      : { ...beside, top, height },
    own: aligned ? cell : undefined,
  };
}

/** The example without a selected cell: the middle weight of the kernel in focus. */
function exampleOf(g: Geometry, { c, k }: Focus): Highlights {
  const channel = c - groupOfFilter(g, k) * g.group_c;
  const position = { slice: k, row: Math.floor(g.kh / 2), col: Math.floor(g.kw / 2), channel };
  const cell = cellAt(g, 'dw', position) ?? { tensor: 'dw', index: 0 };
  return { cell, pinned: false, sources: sourcesOf(g, cell), targets: targetsOf(g, cell), term: [] };
}

/** Describes the selected cell as a product of two rows. */
export function MatrixWords() {
  const g = useGeometry();
  const { userHighlights, focus } = useViewModel();
  const words = useDerived(() => {
    const { cell } = userHighlights.value ?? exampleOf(g, focus.value);
    return sentenceOf(g, cell, outputPositions(g));
  }, [g, userHighlights, focus]);
  return <p class="player-words">{words}</p>;
}

function sentenceOf(g: Geometry, cell: Cell, stops: number): string {
  const position = positionOf(g, cell);
  if (cell.tensor === 'dw') {
    const row = columnOfTap(g, position);
    return `${cellLabel(g, cell)}: row ${row} of x_colᵀ times row ${position.slice % g.group_k} of dy_colᵀ, the sum of ${stops} products.`;
  }
  if (cell.tensor === 'dw_col') {
    return `${cellLabel(g, cell)}: row ${position.row} of x_colᵀ times row ${position.col} of dy_colᵀ, the sum of ${stops} products.`;
  }
  return `${cellLabel(g, cell)}: solid outlines are its inputs, dashed outlines the cells that use it.`;
}
