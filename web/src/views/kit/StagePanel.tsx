import { cellAt, type MatrixForm, PLAIN_FORM, type SpreadName, spreadOf } from '../../geometry/grid';
import { fromShown, shownGrid } from '../../geometry/matrix';
import { cellKind } from '../../geometry/window';
import type { Highlights } from '../../look/look-store';
import type { GridName } from '../../protocol/cell';
import type { Geometry, Tensor } from '../../protocol/problem';
import { ColourLegend } from '../../ui/ColourLegend';
import type { Transfer } from '../../ui/colour-scale';
import { GridFigure } from '../../ui/grid/GridFigure';
import { type GridData, NO_RING, type Ring, type Spot } from '../../ui/grid/grid-data';
import type { Mark } from '../../ui/grid/marks';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import type { SceneEvents } from './scene';
import { stageEvents } from './stage-events';
import { marksOnStage } from './stage-marks';

interface StagePanelProps {
  readonly geometry: Geometry;
  /** Which cells these are: pointing at one explains it. */
  readonly name: GridName;
  readonly tensor: Tensor;
  readonly slice: number;
  readonly channel: number;
  readonly title: string;
  readonly subtitle: string;
  /** The accessible name. */
  readonly label: string;
  readonly accent: string;
  readonly size: number;
  readonly transfer: Transfer;
  /** How a matrix lies; `tensor` was asked for in this form. */
  readonly form?: MatrixForm;
  readonly highlights: Highlights | null;
  /** Further marks, below those of the highlights. */
  readonly under?: readonly Mark[];
  readonly events: SceneEvents;
}

/** One plane of a stage: padding is dotted, inserted zeros are hatched. */
export function StagePanel(props: StagePanelProps) {
  const { geometry: g, name, tensor, slice, channel, title, subtitle, label, accent, size, transfer } = props;
  const { form = PLAIN_FORM, highlights, under = [], events } = props;
  const grid = shownGrid(g, name, form);
  const ring = ringOf(g, name);
  const rows = grid.size.row - ring.top - ring.bottom;
  const cols = grid.size.col - ring.left - ring.right;
  const first = { slice, row: ring.top, col: ring.left, channel };
  const cellOf = ({ row, col }: Spot) =>
    cellAt(g, name, fromShown(g, name, { ...first, row: row + ring.top, col: col + ring.left }, form));
  const data: GridData = {
    rows,
    cols,
    values: tensor.data,
    offset:
      slice * grid.stride.slice +
      channel * grid.stride.channel +
      ring.top * grid.stride.row +
      ring.left * grid.stride.col,
    rowStep: grid.stride.row,
    colStep: grid.stride.col,
    ring,
    inserted: (spot) => {
      const cell = cellOf(spot);
      return cell !== null && cellKind(g, cell) === 'inserted';
    },
  };
  const lit = marksOnStage(g, { name, slice, channel, form }, highlights).map(
    ({ tone, area }): Mark => ({ tone, area: { ...area, row: area.row - ring.top, col: area.col - ring.left } }),
  );
  const scale = { maxAbs: tensor.stats.max_abs, ramp: 'signed', transfer } as const;
  return (
    <div class="panel">
      <GridFigure
        title={title}
        subtitle={subtitle}
        size={`${grid.size.row} × ${grid.size.col}`}
        accent={accent}
        twin={name.startsWith('d')}
      >
        <div class="panel__frame">
          <TensorGrid
            label={label}
            data={data}
            scale={scale}
            size={size}
            marks={[...under, ...lit]}
            {...stageEvents(data, cellOf, events)}
          />
        </div>
      </GridFigure>
      <ColourLegend scale={scale} marker={null} />
    </div>
  );
}

const SPREAD: readonly GridName[] = ['dy_spread', 'dy_extended', 'dy_inserted'];
const isSpread = (name: GridName): name is SpreadName => SPREAD.includes(name);

/** Only dy_inserted has cells around it. */
function ringOf(g: Geometry, name: GridName): Ring {
  if (!isSpread(name)) return NO_RING;
  const { rows, cols } = spreadOf(g, name);
  return { top: rows.ring, bottom: rows.ring, left: cols.ring, right: cols.ring };
}
