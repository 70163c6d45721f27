import { feeds } from '../../geometry/feeds';
import { groupOfFilter } from '../../geometry/focus';
import { cellAt, gridOf, outputPositions, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import { columnOfTap } from '../../geometry/matrix';
import { reads } from '../../geometry/reads';
import type { Highlights } from '../../look/look-store';
import type { Cell } from '../../protocol/cell';
import type { Geometry, StageName } from '../../protocol/problem';
import { StagePanel } from '../kit/StagePanel';
import type { Scene } from '../kit/scene';
import type { ViewProps } from '../kit/view';
import { fitsMatrix } from './ways';

const LYING = { order: 'kh_kw_c', transposed: true } as const;
const LARGEST = 34;
const LEAST = 24;
/** Cells that would be smaller beside dw_col get the whole width. */
const SMALLEST = 12;
/** Room for dw_col beside x_colᵀ, and for the frames. */
const BESIDE = 220;
const FRAME = 8;
const TALLEST = 420;
/** dw_col may be as tall as this for the sake of its figures. */
const MOST_TALL = 700;

/** dw_col = x_colᵀ · dy_col, with dy_col lying down above x_colᵀ: what is multiplied stands in one column. */
export function MatrixProduct({ scene, answers, events, width }: ViewProps) {
  const { geometry: g, focus, transfer } = scene;
  const rows = gridOf(g, 'dw_col').size.row;
  const stops = outputPositions(g);
  if (!fitsMatrix(g)) {
    return (
      <p class="steps__idea">
        x_colᵀ has {rows} × {stops} cells per group here: too many for one picture. The kernel above ran on all of them.
        Make x smaller to see the matrices.
      </p>
    );
  }
  const stage = (name: StageName) => answers.details?.stages.find((entry) => entry.stage === name)?.tensor;
  const [x_col, dy_col, dw_col] = [stage('x_col'), stage('dy_col'), stage('dw_col')];
  if (!x_col || !dy_col || !dw_col) return null;

  const group = groupOfFilter(g, focus.k);
  const highlights = scene.highlights ?? exampleOf(g, focus);
  const beside = (width - BESIDE - 2 * FRAME) / stops;
  const stacked = beside < SMALLEST;
  const size = Math.min(LARGEST, stacked ? (width - FRAME) / stops : beside, TALLEST / rows);
  const cell = size >= LEAST ? Math.floor(size) : size;
  const own = Math.min(LARGEST, Math.max(cell, Math.min(LEAST, MOST_TALL / rows)));
  const common = { geometry: g, transfer, events, highlights, slice: group, channel: 0 };
  return (
    <>
      <p class="steps__idea">{sentenceOf(g, highlights.cell, stops)}</p>
      <div class={stacked ? 'dw-ways__product dw-ways__product--stacked' : 'dw-ways__product'}>
        <StagePanel
          {...common}
          name="dy_col"
          tensor={dy_col}
          form={LYING}
          size={cell}
          title="dy_colᵀ"
          subtitle={`a row per filter${inGroup(g, group)}`}
          label="dy_col transposed, dw ways"
          accent="var(--id-y)"
        />
        <StagePanel
          {...common}
          name="x_col"
          tensor={x_col}
          form={LYING}
          size={cell}
          title="x_colᵀ"
          subtitle="a row per weight, a column per stop"
          label="x_col transposed, dw ways"
          accent="var(--id-x)"
        />
        <StagePanel
          {...common}
          name="dw_col"
          tensor={dw_col}
          size={own}
          title="dw_col"
          subtitle="a row each"
          label="dw_col, dw ways"
          accent="var(--id-w)"
        />
      </div>
    </>
  );
}

const inGroup = (g: Geometry, group: number): string => (g.groups > 1 ? `, group ${group}` : '');

/** Until one points at a cell, the picture speaks of the weight in the middle of the kernel in focus. */
function exampleOf(g: Geometry, { c, k }: Scene['focus']): Highlights {
  const channel = c - groupOfFilter(g, k) * g.group_c;
  const position = { slice: k, row: Math.floor(g.kh / 2), col: Math.floor(g.kw / 2), channel };
  const cell = cellAt(g, 'dw', position) ?? { tensor: 'dw', index: 0 };
  return { cell, pinned: false, sources: reads(g, cell), targets: feeds(g, cell), term: [] };
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
