import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { gridOf, positionOf } from '../../geometry/grid';
import type { Spot } from '../../ui/grid/grid-data';
import { type Mark, oneCell } from '../../ui/grid/marks';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { cellIn } from '../kit/fit';
import { Panel } from '../kit/Panel';
import { cellOfSpot, gridData, planeOf, spotOf } from '../kit/plane';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { type Box, below } from '../kit/stage/layout';
import { useGeometry, useViewModel } from '../kit/view-model';
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

const LARGEST = 36;
const SETTINGS = 36;

/** The relative error of every cell of a gradient. */
export function ErrorMap({ choice, cells, box, onIndex, settings }: ErrorMapProps) {
  const g = useGeometry();
  const { focus, layout, events } = useViewModel();
  const tensor = gradientOf(choice.parameter);
  const { n, c, k } = focus.value;
  const { index } = choice;
  const plane = useMemo(() => planeOf(g, tensor, { n, c, k }), [g, tensor, n, c, k]);
  const data = useMemo(() => gridData(plane, Float32Array.from(cells.relative)), [plane, cells]);
  const marks = useMemo(() => {
    const spot = spotOf(plane, positionOf(g, { tensor, index }));
    return computed((): readonly Mark[] => (spot ? [{ tone: 'focus', area: oneCell(spot.row, spot.col) }] : []));
  }, [g, plane, tensor, index]);
  const report = (handle: (index: number) => void) => (at: Spot) => {
    const cell = cellOfSpot(g, plane, at);
    if (cell) handle(cell.index);
  };
  const maxAbs = cells.maxRelative;
  const scale = useMemo(() => ({ maxAbs, ramp: 'signed', transfer: 'root' }) as const, [maxAbs]);
  const { slice, channel } = gridOf(g, tensor).size;
  const place = below(box, SETTINGS);
  const { arrangement, width, height } = layout.value;
  const room = arrangement === 'stage' ? place : { width, height };
  return (
    <>
      <LayoutBox box={{ ...box, height: SETTINGS }}>
        <div class="gradient-check__head">
          <h3 class="gradient-check__title">All cells of {tensor}</h3>
          {settings}
        </div>
      </LayoutBox>
      <LayoutBox box={place}>
        <Panel
          tensor={tensor}
          title={tensor}
          subtitle={slice * channel > 1 && tensor !== 'db' ? 'relative errors, slice in focus' : 'relative errors'}
          size=""
          scale={scale}
          positive
        >
          <TensorGrid
            label={`relative errors of ${tensor}`}
            data={data}
            scale={scale}
            size={cellIn(room, plane.rows, plane.cols, LARGEST)}
            marks={marks}
            onHover={(at) => events.onHover(at && cellOfSpot(g, plane, at))}
            onMove={report((at) => events.onHover({ tensor, index: at }))}
            onPick={report(onIndex)}
          />
        </Panel>
      </LayoutBox>
    </>
  );
}
