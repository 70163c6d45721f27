import { useMemo } from 'preact/hooks';
import { runsOfRow, weightIndexOf } from '../../geometry/conv-matrix';
import { cellAt, gridOf, positionOf } from '../../geometry/grid';
import { type Region, regionIndices } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, Tensor, TensorName } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { type GridData, NO_RING, type Spot, spotKind, valueAt } from '../../ui/grid/grid-data';
import { type Mark, oneCell } from '../../ui/grid/marks';
import { NumberGrid } from '../../ui/grid/NumberGrid';
import type { Fit } from '../../ui/grid/TensorGrid';
import { formatCount } from '../../ui/quantities';
import { cellEvents } from '../kit/cell-events';
import { AROUND, LARGEST_TENSOR, type Room } from '../kit/fit';
import { type FitLimits, fitGrid } from '../kit/fit-grid';
import { accentOf, GridPanel } from '../kit/GridPanel';
import { MapNavigator } from '../kit/MapNavigator';
import { marksOf } from '../kit/marks';
import { useRoom } from '../kit/StagePanel';
import type { Box } from '../kit/stage/layout';
import { useDerived, useGeometry, useScale, useViewModel } from '../kit/view-model';
import { entryCount, entryInSight, marksOnC } from './matrix-highlights';
import './matrix.css';

interface ConvMatrixProps {
  readonly transposed: boolean;
  readonly box: Box;
}

/**
 * A row and a column for the vectors, with a gap. A part with values shows the pattern if it is large enough; else the map of
 * C shows that of the whole while an entry has a pixel.
 */
export const C_LIMITS: FitLimits = {
  ...{ most: LARGEST_TENSOR, lines: 1, beside: 20, above: 20 },
  whole: { least: 1, most: 22 },
  part: { least: 3, most: 3, share: 0.3 },
};

/** Least width of the panel of a map, for its title. */
const TITLE = 260;

/** Width and height of the panel of C or Cᵀ. */
export function sizeOfC(fit: Fit, lines: { readonly rows: number; readonly cols: number }): Room {
  const { frame, head, legend } = AROUND;
  if (fit.kind === 'map')
    return { width: Math.max(TITLE, fit.width) + frame, height: fit.height + head + frame + legend };
  const { beside = 0, above = 0 } = C_LIMITS;
  return {
    width: (lines.cols + 1) * fit.size + beside + frame,
    height: (lines.rows + 1) * fit.size + above + head + frame,
  };
}

/** C or its transpose; with x and y (dx and dy) beside it where there is room for values. */
export function ConvMatrix({ transposed, box }: ConvMatrixProps) {
  const { content, highlights, events } = useViewModel();
  const g = useGeometry();
  const w = useDerived(() => content.value.tensors.w, [content]).value;
  const scale = useScale(scaleEnd(w?.stats));
  const data = useMemo(() => dataOf(g, w, transposed), [g, w, transposed]);
  const marks = useDerived(() => marksOnC(g, highlights.value, transposed), [g, highlights, transposed]);
  const look = useDerived(() => entryInSight(g, highlights.value, transposed), [g, highlights, transposed]);
  const handlers = useMemo(() => {
    const cellOf = ({ row, col }: Spot) =>
      cellAt(g, 'C', { slice: 0, channel: 0, ...(transposed ? { row: col, col: row } : { row, col }) });
    return cellEvents(g, cellOf, events, { content, data });
  }, [g, data, transposed, content, events]);
  const marker = useDerived(() => {
    const cell = highlights.value?.cell;
    if (cell?.tensor !== 'C') return null;
    const { row, col } = positionOf(g, cell);
    const spot = transposed ? { row: col, col: row } : { row, col };
    return spotKind(data, spot) === 'data' ? valueAt(data, spot) : null;
  }, [g, highlights, data, transposed]);
  const paint = useMemo(() => pattern(g, transposed), [g, transposed]);
  const room = useRoom(box, true);
  const { rows, cols } = data;
  const [result, factor] = transposed ? (['dx', 'dy'] as const) : (['y', 'x'] as const);
  return (
    <GridPanel
      tensor="C"
      label={transposed ? 'C transposed' : 'C'}
      title={transposed ? 'Cᵀ' : 'C'}
      subtitle={`${formatCount(entryCount(g))} of ${formatCount(rows * cols)} are weights`}
      size={`${formatCount(rows)} × ${formatCount(cols)}`}
      accent={accentOf('w')}
      scale={scale}
      marker={marker}
      data={data}
      fit={fitGrid(room, rows, cols, C_LIMITS)}
      marks={marks}
      events={handlers}
      box={box}
      scrollTo={look}
      overview={(map) => <MapNavigator {...map} paint={paint} />}
      around={(grid, size) => (
        <div class="conv-product">
          <div style={{ gridArea: '2 / 2' }}>{grid}</div>
          <span class="conv-product__corner caption" aria-hidden="true">
            {factor} →
            <br />
            {result} ↓
          </span>
          <Vector name={result} size={size} horizontal={false} />
          <Vector name={factor} size={size} horizontal={true} />
        </div>
      )}
    />
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

interface VectorProps {
  readonly name: TensorName;
  readonly size: number;
  /** Drawn as a row. */
  readonly horizontal: boolean;
}

/** All cells of one image of x, y, dx or dy in one row or column beside C. */
function Vector({ name, size, horizontal: lying }: VectorProps) {
  const { content, focus, highlights, events } = useViewModel();
  const g = useGeometry();
  const tensor = useDerived(() => content.value.tensors[name], [content, name]).value;
  const { n } = focus.value;
  const data = useMemo(() => tensor && vectorData(g, name, tensor, n, lying), [g, name, tensor, n, lying]);
  const scale = useScale(scaleEnd(tensor?.stats));
  const marks = useDerived(() => marksOnVector(g, name, n, lying, highlights.value), [g, name, n, lying, highlights]);
  const handlers = useMemo(() => {
    if (!data) return null;
    const first = n * cellsPerImage(g, name);
    const cellOf = ({ row, col }: Spot): Cell => ({ tensor: name, index: first + row + col });
    return cellEvents(g, cellOf, events, { content, data });
  }, [g, data, name, n, content, events]);
  if (!data || !handlers) return null;
  return (
    <div style={{ '--accent': accentOf(name), gridArea: lying ? '1 / 2' : '2 / 1' }}>
      <div class="panel__frame">
        <NumberGrid
          label={`${name} in one ${lying ? 'row' : 'column'}`}
          data={data}
          scale={scale}
          size={size}
          marks={marks}
          {...handlers}
        />
      </div>
    </div>
  );
}

/** One image of a tensor as a single column, or (`lying`) as a single row. */
function vectorData(g: Geometry, name: TensorName, tensor: Tensor, n: number, lying: boolean): GridData {
  const cells = cellsPerImage(g, name);
  return {
    ...(lying ? { rows: 1, cols: cells, rowStep: 0, colStep: 1 } : { rows: cells, cols: 1, rowStep: 1, colStep: 0 }),
    values: tensor.data,
    offset: n * cells,
    ring: NO_RING,
  };
}

const cellsPerImage = (g: Geometry, name: TensorName): number => gridOf(g, name).cells / g.n;

/** The marks of the highlights on the vector. */
function marksOnVector(
  g: Geometry,
  name: TensorName,
  n: number,
  lying: boolean,
  lit: Highlights | null,
): readonly Mark[] {
  if (!lit) return [];
  const cells = cellsPerImage(g, name);
  const areaOf = (index: number) => {
    const at = index - n * cells;
    if (at < 0 || at >= cells) return [];
    return [lying ? oneCell(0, at) : oneCell(at, 0)];
  };
  const areasOf = (region: Region) =>
    region.tensor === name ? Array.from(regionIndices(g, region)).flatMap(areaOf) : [];
  return marksOf(lit, areasOf, lit.cell.tensor === name ? areaOf(lit.cell.index) : []);
}
