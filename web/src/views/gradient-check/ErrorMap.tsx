import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { gridOf, positionOf } from '../../geometry/grid';
import type { Spot } from '../../ui/grid/grid-data';
import { type Mark, oneCell } from '../../ui/grid/marks';
import { cellEvents } from '../kit/cell-events';
import { fitGrid } from '../kit/fit-grid';
import { GridPanel } from '../kit/GridPanel';
import { cellOfSpot, gridData, planeOf, spotOf } from '../kit/plane';
import { useRoom } from '../kit/StagePanel';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { type Box, below } from '../kit/stage/layout';
import { useGeometry, useScale, useViewModel } from '../kit/view-model';
import { type CheckChoice, gradientOf } from './choice';
import type { CheckedCells } from './readings';

interface ErrorMapProps {
  readonly choice: CheckChoice;
  /** The cells of the parameter at the chosen step. */
  readonly cells: CheckedCells;
  readonly box: Box;
  readonly onIndex: (index: number) => void;
  /** Settings above the map. */
  readonly settings: ComponentChildren;
}

const SETTINGS = 36;

/** The relative error of every cell of a gradient. */
export function ErrorMap({ choice, cells, box, onIndex, settings }: ErrorMapProps) {
  const g = useGeometry();
  const { focus, events } = useViewModel();
  const tensor = gradientOf(choice.parameter);
  const { n, c, k } = focus.value;
  const { index } = choice;
  const plane = useMemo(() => planeOf(g, tensor, { n, c, k }), [g, tensor, n, c, k]);
  const data = useMemo(() => gridData(plane, Float32Array.from(cells.relative)), [plane, cells]);
  const marks = useMemo(() => {
    const spot = spotOf(plane, positionOf(g, { tensor, index }));
    return computed((): readonly Mark[] => (spot ? [{ tone: 'focus', area: oneCell(spot.row, spot.col) }] : []));
  }, [g, plane, tensor, index]);
  const handlers = useMemo(() => {
    const cellOf = (spot: Spot) => cellOfSpot(g, plane, spot);
    const { onHover } = events;
    return cellEvents(g, cellOf, { onHover, onMove: onHover, onPick: (cell) => onIndex(cell.index) });
  }, [g, plane, events, onIndex]);
  const scale = useScale(cells.maxRelative, 'root');
  const { slice, channel } = gridOf(g, tensor).size;
  const place = below(box, SETTINGS);
  const room = useRoom(place, false);
  return (
    <>
      <LayoutBox box={{ ...box, height: SETTINGS }}>
        <div class="gradient-check__head">
          <h3>All cells of {tensor}</h3>
          {settings}
        </div>
      </LayoutBox>
      <GridPanel
        tensor={tensor}
        title={tensor}
        subtitle={slice * channel > 1 && tensor !== 'db' ? 'relative errors, slice in focus' : 'relative errors'}
        size=""
        scale={scale}
        positive
        label={`relative errors of ${tensor}`}
        data={data}
        fit={fitGrid(room, plane.rows, plane.cols)}
        marks={marks}
        events={handlers}
        box={place}
      />
    </>
  );
}
