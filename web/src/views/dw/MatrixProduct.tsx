import { feeds } from '../../geometry/feeds';
import { type Focus, groupOfFilter } from '../../geometry/focus';
import { cellAt, gridOf, outputPositions, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import { columnOfTap } from '../../geometry/matrix';
import { reads } from '../../geometry/reads';
import type { Highlights } from '../../look/look-store';
import type { Cell } from '../../protocol/cell';
import type { Geometry, StageName } from '../../protocol/problem';
import { stageIn } from '../kit/answers';
import { AROUND, READABLE, whole } from '../kit/fit';
import { PictureProvider, useDerived, useFramed, useGeometry, usePicture } from '../kit/picture';
import { StagePanel } from '../kit/StagePanel';
import { type Box, type StageLayout, wholeStage } from '../kit/stage/layout';
import type { ViewProps } from '../kit/view';
import { fitsMatrix } from './ways';

const LYING = { order: 'kh_kw_c', transposed: true } as const;
const LARGEST = 36;
const GAP = 12;
/** Least width of dw_col. */
const NARROW = 160;

/** dw_col = x_colᵀ · dy_col, with dy_col lying down above x_colᵀ: what is multiplied stands in one column. */
export function MatrixProduct({ answers }: ViewProps) {
  const g = useGeometry();
  const { focus: looked, layout } = usePicture();
  const focus = looked.value;
  const framed = useFramed({ highlights: exampleOf(g, focus) });
  if (!fitsMatrix(g)) {
    return (
      <p>
        x_colᵀ has {gridOf(g, 'dw_col').size.row} × {outputPositions(g)} cells per group here: too many for one picture.
        The algorithm ran on all of them. Make x smaller to see the matrices.
      </p>
    );
  }
  const stage = (name: StageName) => stageIn(answers, name);
  const [x_col, dy_col, dw_col] = [stage('x_col'), stage('dy_col'), stage('dw_col')];
  if (!x_col || !dy_col || !dw_col) return null;

  const group = groupOfFilter(g, focus.k);
  const { cell, above, left, right, own } = placesOf(g, layout.value);
  const common = { slice: group, channel: 0 };
  return (
    <PictureProvider value={framed}>
      <StagePanel
        {...common}
        name="dy_col"
        tensor={dy_col}
        form={LYING}
        cell={cell}
        title="dy_colᵀ"
        subtitle={`a row per filter${g.groups > 1 ? `, group ${group}` : ''}`}
        label="dy_col transposed"
        box={above}
      />
      <StagePanel
        {...common}
        name="x_col"
        tensor={x_col}
        form={LYING}
        cell={cell}
        title="x_colᵀ"
        subtitle="a row per weight, a column per stop"
        label="x_col transposed"
        box={left}
      />
      <StagePanel
        {...common}
        name="dw_col"
        tensor={dw_col}
        title="dw_col"
        subtitle=""
        cell={own}
        box={right}
        most={LARGEST}
      />
    </PictureProvider>
  );
}

interface Places {
  readonly cell: number;
  readonly above: Box;
  readonly left: Box;
  readonly right: Box;
  /** Cells of dw_col, where they are those of x_colᵀ. */
  readonly own: number | undefined;
}

/** dy_colᵀ over x_colᵀ, column on column and with one size of cells, and dw_col beside both. */
function placesOf(g: Geometry, layout: StageLayout): Places {
  const stops = outputPositions(g);
  const rows = { above: g.group_k, left: gridOf(g, 'dw_col').size.row };
  const around = AROUND.head + AROUND.frame + AROUND.legend;
  const { left, top, width, height } = wholeStage(layout);
  const side = layout.arrangement === 'stack' ? width : width - NARROW - GAP;
  const high = (height - 2 * around - GAP) / (rows.above + rows.left);
  const cell = whole(Math.max(0.1, Math.min(LARGEST, (side - AROUND.frame) / stops, high)));
  const across = Math.max(stops * cell + AROUND.frame, Math.min(side, 320));
  const aligned = cell >= READABLE;
  const beside = { left: left + across + GAP, width: width - across - GAP };
  const split = around + rows.above * cell;
  return {
    cell,
    above: { left, top, width: across, height: split },
    left: { left, top: top + split + GAP, width: across, height: around + rows.left * cell },
    // Row beside row where figures fit; else dw_col takes the whole height for the sake of its own.
    right: aligned
      ? { ...beside, top: top + split + GAP, height: around + rows.left * cell }
      : { ...beside, top, height },
    own: aligned ? cell : undefined,
  };
}

/** Until one points at a cell, the picture speaks of the weight in the middle of the kernel in focus. */
function exampleOf(g: Geometry, { c, k }: Focus): Highlights {
  const channel = c - groupOfFilter(g, k) * g.group_c;
  const position = { slice: k, row: Math.floor(g.kh / 2), col: Math.floor(g.kw / 2), channel };
  const cell = cellAt(g, 'dw', position) ?? { tensor: 'dw', index: 0 };
  return { cell, pinned: false, sources: reads(g, cell), targets: feeds(g, cell), term: [] };
}

/** What the cell that is spoken of is in the matrices. */
export function MatrixWords() {
  const g = useGeometry();
  const { spoken, focus } = usePicture();
  const words = useDerived(() => {
    const { cell } = spoken.value ?? exampleOf(g, focus.value);
    return sentenceOf(g, cell, outputPositions(g));
  }, [g, spoken, focus]);
  return <p class="player-words">{words}</p>;
}

function sentenceOf(g: Geometry, cell: Cell, stops: number): string {
  const position = positionOf(g, cell);
  if (cell.tensor === 'dw') {
    const row = columnOfTap(g, position);
    return `${cellLabel(g, cell)}: row ${row} of x_colᵀ times row ${position.slice % g.group_k} of dy_colᵀ, column by column, ${stops} products added up.`;
  }
  if (cell.tensor === 'dw_col') {
    return `${cellLabel(g, cell)}: row ${position.row} of x_colᵀ times row ${position.col} of dy_colᵀ, column by column, ${stops} products added up.`;
  }
  return `${cellLabel(g, cell)} is pointed at: outlined is what it is made of, dashed what it goes into.`;
}
