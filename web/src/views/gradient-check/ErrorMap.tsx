import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { gridOf, positionOf } from '../../geometry/grid';
import type { Cell, Geometry } from '../../protocol/problem';
import { type ColorScale, scaleEnd } from '../../ui/color-scale';
import { oneCell } from '../../ui/grid/marks';
import type { Fit } from '../../ui/grid/TensorGrid';
import { cellEvents } from '../kit/cell-events';
import { AROUND, LARGEST_TENSOR, type Room } from '../kit/fit';
import { fitGrid } from '../kit/fit-grid';
import { GridPanel } from '../kit/GridPanel';
import { marked } from '../kit/marks';
import { cellOfSpot, gridData, spotOf } from '../kit/plane';
import { rowsOf } from '../kit/stage/layout';
import { useDerived, useGeometry, usePlane, useViewModel } from '../kit/view-model';
import { type CheckChoice, gradientOf } from './choice';
import { type CheckedCells, worstOf } from './readings';

interface ErrorMapProps {
  readonly choice: CheckChoice;
  /** The cells of the parameter at the chosen step. */
  readonly cells: CheckedCells;
  readonly fit: Fit;
  readonly onIndex: (index: number) => void;
  /** Settings above the map. */
  readonly settings: ComponentChildren;
}

/** The relative error of every cell of a gradient. */
export function ErrorMap({ choice, cells, fit, onIndex, settings }: ErrorMapProps) {
  const g = useGeometry();
  const { events } = useViewModel();
  const tensor = gradientOf(choice.parameter);
  const { index } = choice;
  const plane = usePlane(tensor);
  const data = useMemo(() => gridData(plane, Float32Array.from(cells.relative)), [plane, cells]);
  const marks = useDerived(() => {
    const spot = spotOf(plane, positionOf(g, { tensor, index }));
    return marked('focus', spot ? [oneCell(spot.row, spot.col)] : []);
  }, [g, plane, tensor, index]);
  const handlers = useMemo(() => {
    const { onHover } = events;
    const acts = { onHover, onMove: onHover, onPick: (cell: Cell) => onIndex(cell.index) };
    return cellEvents(g, (spot) => cellOfSpot(g, plane, spot), acts);
  }, [g, plane, events, onIndex]);
  const scale = useMemo(() => scaleOf(cells), [cells]);
  const { slice, channel } = gridOf(g, tensor).size;
  return (
    <>
      <div class="gradient-check__head ends loose">
        <h3 class="view-title">All cells of {tensor}</h3>
        {settings}
      </div>
      <GridPanel
        tensor={tensor}
        title={tensor}
        subtitle={slice * channel > 1 && tensor !== 'db' ? 'relative errors, slice in focus' : 'relative errors'}
        size=""
        scale={scale}
        label={`relative errors of ${tensor}`}
        data={data}
        fit={fit}
        marks={marks}
        events={handlers}
      />
    </>
  );
}

/** Height of the settings above the map, and least width for them. */
const SETTINGS = 36;
const LEAST_WIDE = 264;

/** The largest map in a room, and the size of all with its settings. */
export function fitMap(g: Geometry, tensor: 'dx' | 'dw' | 'db', room: Room) {
  const [rows, cols] = tensor === 'db' ? [1, g.k] : [rowsOf(g, tensor), gridOf(g, tensor).size.col];
  const fit = fitGrid({ ...room, height: room.height - SETTINGS }, rows, cols, { most: LARGEST_TENSOR });
  const { frame, head, legend } = AROUND;
  const [wide, tall] = fit.kind === 'map' ? [fit.width, fit.height + legend] : [cols * fit.size, rows * fit.size];
  return { fit, width: Math.max(LEAST_WIDE, wide + frame), height: SETTINGS + head + frame + tall };
}

/** Small errors use more of the ramp. */
function scaleOf({ relative }: CheckedCells): ColorScale {
  const most = relative[worstOf(relative.map((error) => (Number.isNaN(error) ? 0 : error)))] ?? 0;
  const min = relative.every((error) => error === most) ? most : 0;
  return { maxAbs: scaleEnd({ min, max: most, max_abs: most }), ramp: 'amount', transfer: 'root' };
}
