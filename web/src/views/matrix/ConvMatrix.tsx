import { useMemo } from 'preact/hooks';
import { runsOfRow, weightIndexOf } from '../../geometry/conv-matrix';
import { cellAt, gridOf } from '../../geometry/grid';
import type { Geometry, Tensor } from '../../protocol/problem';
import type { ColorScale } from '../../ui/color-scale';
import { type GridData, kindOf, NO_RING, type Spot, valueAt } from '../../ui/grid/grid-data';
import { HeatGrid } from '../../ui/grid/HeatGrid';
import { NumberGrid } from '../../ui/grid/NumberGrid';
import { formatCount } from '../../ui/quantities';
import { theme } from '../../ui/theme';
import { AROUND } from '../kit/fit';
import { MapNavigator } from '../kit/MapNavigator';
import { accentOf, Panel } from '../kit/Panel';
import { LayoutBox } from '../kit/stage/LayoutBox';
import type { Box } from '../kit/stage/layout';
import { stageEvents } from '../kit/stage-events';
import { useDerived, useGeometry, useViewModel } from '../kit/view-model';
import { entryInSight, marksOnC } from './matrix-highlights';
import { sizingOf } from './sizing';
import { entryCount } from './texts';
import { Vector } from './Vector';
import './matrix.css';

interface ConvMatrixProps {
  readonly transposed: boolean;
  readonly box: Box;
}

/** Largest height in a stack, in CSS pixels. */
const STACKED = 420;

/** C or its transpose; with x and y (dx and dy) beside it where there is room for values. */
export function ConvMatrix({ transposed, box }: ConvMatrixProps) {
  const { content, layout, highlights, transfer, events } = useViewModel();
  const g = useGeometry();
  const w = useDerived(() => content.value.tensors.w, [content]).value;
  const spread = transfer.value;
  const maxAbs = w?.stats.max_abs ?? 0;
  const scale = useMemo((): ColorScale => ({ maxAbs, ramp: 'signed', transfer: spread }), [maxAbs, spread]);
  const data = useMemo(() => dataOf(g, w, transposed), [g, w, transposed]);
  const marks = useDerived(() => marksOnC(g, highlights.value, transposed), [g, highlights, transposed]);
  const look = useDerived(() => entryInSight(g, highlights.value, transposed), [g, highlights, transposed]);
  const handlers = useMemo(() => {
    const cellOf = ({ row, col }: Spot) =>
      cellAt(g, 'C', { slice: 0, channel: 0, ...(transposed ? { row: col, col: row } : { row, col }) });
    return stageEvents(g, data, cellOf, { content, events });
  }, [g, data, transposed, content, events]);
  const marker = useDerived(() => {
    const cell = highlights.value?.cell;
    if (cell?.tensor !== 'C') return null;
    const [row, col] = [Math.floor(cell.index / gridOf(g, 'C').size.col), cell.index % gridOf(g, 'C').size.col];
    const spot = transposed ? { row: col, col: row } : { row, col };
    return kindOf(data, spot) === 'data' ? valueAt(data, spot) : null;
  }, [g, highlights, data, transposed]);
  const paint = useMemo(() => pattern(g, transposed), [g, transposed]);
  const { rows, cols } = data;
  const stacked = layout.value.arrangement === 'stack';
  const sizing = sizingOf(
    rows,
    cols,
    (stacked ? layout.value.width : box.width) - AROUND.frame,
    stacked ? STACKED : box.height - AROUND.head - AROUND.frame - AROUND.legend,
  );
  const symbol = transposed ? 'Cᵀ' : 'C';
  const common = { label: transposed ? 'C transposed' : 'C', data, scale, theme: theme.value, marks, ...handlers };
  const part = sizing.kind === 'map' && sizing.least > 0;
  return (
    <LayoutBox box={box}>
      <div class="matrix">
        <Panel
          tensor="C"
          title={symbol}
          subtitle={`${formatCount(entryCount(g))} of ${formatCount(rows * cols)} are weights`}
          size={`${formatCount(rows)} × ${formatCount(cols)}`}
          accent={accentOf('w')}
          scale={scale}
          marker={marker}
          frameClass={
            sizing.kind === 'numbers' ? null : part ? `conv-map conv-map--${rows >= cols ? 'tall' : 'wide'}` : ''
          }
        >
          {sizing.kind === 'numbers' ? (
            <div class="conv-product">
              <div class="panel__frame conv-product__matrix">
                <NumberGrid {...common} size={sizing.size} />
              </div>
              <span class="conv-product__corner" aria-hidden="true">
                {transposed ? 'dy' : 'x'} →
                <br />
                {transposed ? 'dx' : 'y'} ↓
              </span>
              <Vector name={transposed ? 'dx' : 'y'} size={sizing.size} horizontal={false} />
              <Vector name={transposed ? 'dy' : 'x'} size={sizing.size} horizontal={true} />
            </div>
          ) : (
            <HeatGrid
              {...common}
              width={sizing.width}
              height={sizing.height}
              least={sizing.least}
              scrollTo={look}
              overview={(map) => <MapNavigator {...map} paint={paint} />}
            />
          )}
        </Panel>
      </div>
    </LayoutBox>
  );
}

function dataOf(g: Geometry, w: Tensor | undefined, transposed: boolean): GridData {
  const { row, col } = gridOf(g, 'C').size;
  const indexOf = weightIndexOf(g);
  return {
    rows: transposed ? col : row,
    cols: transposed ? row : col,
    values: w?.data ?? new Float32Array(0),
    offset: 0,
    rowStep: 0,
    colStep: 0,
    ring: NO_RING,
    indexOf: transposed ? (at, of) => indexOf(of, at) : indexOf,
  };
}

/** Maximum number of lines in the overview: more are closer than its pixels. */
const MOST_LINES = 400;

/** The nonzero pattern of C: one line for each sequence of adjacent entries. */
const pattern =
  (g: Geometry, transposed: boolean) =>
  (context: CanvasRenderingContext2D, width: number, height: number): void => {
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
