import { useMemo } from 'preact/hooks';
import { cellAt, type MatrixForm, PLAIN_FORM, type UpsampledName, upsampledSizes } from '../../geometry/grid';
import { fromShown, shownGrid } from '../../geometry/matrix';
import { cellKind, isPaddingEntry } from '../../geometry/window';
import type { GridName } from '../../protocol/cell';
import type { Geometry, Tensor } from '../../protocol/problem';
import { type GridData, NO_RING, type Ring, type Spot } from '../../ui/grid/grid-data';
import type { Mark } from '../../ui/grid/marks';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { cellIn, LARGEST } from './fit';
import { Panel } from './Panel';
import { LayoutBox } from './stage/LayoutBox';
import type { Box } from './stage/layout';
import { stageEvents } from './stage-events';
import { marksOnStage } from './stage-marks';
import { useDerived, useGeometry, useViewModel } from './view-model';

interface StagePanelProps {
  /** The name of the cells, by which Explain looks them up. */
  readonly name: GridName;
  readonly tensor: Tensor;
  readonly slice: number;
  readonly channel: number;
  readonly title: string;
  readonly subtitle: string;
  /** The accessible name; default: `name`. */
  readonly label?: string;
  /** Position; the grid fills it. */
  readonly box: Box;
  /** Cell size, where it must equal that of another grid. */
  readonly cell?: number | undefined;
  /** The form of a matrix; that of `tensor`. */
  readonly form?: MatrixForm;
  readonly accent?: string | undefined;
  /** More marks, drawn below those of the highlights. */
  readonly under?: readonly Mark[];
  /** Largest cell size. */
  readonly most?: number;
}

const NONE: readonly Mark[] = [];

/** One plane of an intermediate tensor: padding is dotted, inserted zeros are hatched. */
export function StagePanel(props: StagePanelProps) {
  const { name, tensor, slice, channel, title, subtitle, label = name, box, accent, under = NONE } = props;
  const { form = PLAIN_FORM, most = LARGEST, cell } = props;
  const { content, layout, highlights, transfer, events } = useViewModel();
  const g = useGeometry();
  const spread = transfer.value;
  const { order, transposed } = form;
  const plane = useMemo(
    () => planeOf(g, name, tensor, { slice, channel }, { order, transposed }),
    [g, name, tensor, slice, channel, order, transposed],
  );
  const { data, rows, cols } = plane;
  const marks = useDerived(() => {
    const { top, left } = data.ring;
    const lit = marksOnStage(g, { name, slice, channel, form: { order, transposed } }, highlights.value);
    return [
      ...under,
      ...lit.map(({ tone, area }): Mark => ({ tone, area: { ...area, row: area.row - top, col: area.col - left } })),
    ];
  }, [g, name, slice, channel, order, transposed, highlights, under, data]);
  const scale = useMemo(
    () => ({ maxAbs: tensor.stats.max_abs, ramp: 'signed', transfer: spread }) as const,
    [tensor.stats.max_abs, spread],
  );
  const handlers = useMemo(
    () => stageEvents(g, data, plane.cellOf, { content, events }),
    [g, data, plane, content, events],
  );
  const { arrangement, width, height } = layout.value;
  const room = arrangement === 'stage' ? box : { width, height };
  return (
    <LayoutBox box={box}>
      <Panel tensor={name} title={title} subtitle={subtitle} size={`${rows} × ${cols}`} accent={accent} scale={scale}>
        <TensorGrid
          label={label}
          data={data}
          scale={scale}
          size={cell ?? cellIn(room, rows, cols, most)}
          marks={marks}
          {...handlers}
        />
      </Panel>
    </LayoutBox>
  );
}

interface StagePlane {
  readonly data: GridData;
  /** Including the ring. */
  readonly rows: number;
  readonly cols: number;
  readonly cellOf: (spot: Spot) => ReturnType<typeof cellAt>;
}

function planeOf(
  g: Geometry,
  name: GridName,
  tensor: Tensor,
  { slice, channel }: { readonly slice: number; readonly channel: number },
  form: MatrixForm,
): StagePlane {
  const grid = shownGrid(g, name, form);
  const ring = ringOf(g, name);
  const plain = ({ row, col }: Spot) =>
    fromShown(g, name, { slice, row: row + ring.top, col: col + ring.left, channel }, form);
  const cellOf = (spot: Spot) => cellAt(g, name, plain(spot));
  const data: GridData = {
    rows: grid.size.row - ring.top - ring.bottom,
    cols: grid.size.col - ring.left - ring.right,
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
    ...(name === 'x_col'
      ? {
          padded: (spot: Spot) => {
            const { row, col } = plain(spot);
            return isPaddingEntry(g, row, col);
          },
        }
      : {}),
  };
  return { data, rows: grid.size.row, cols: grid.size.col, cellOf };
}

const SPREAD: readonly GridName[] = ['dy_upsampled', 'dy_extended', 'dy_inserted'];
const isSpread = (name: GridName): name is UpsampledName => SPREAD.includes(name);

/** Only dy_inserted has a ring. */
function ringOf(g: Geometry, name: GridName): Ring {
  if (!isSpread(name)) return NO_RING;
  const { rows, cols } = upsampledSizes(g, name);
  return { top: rows.ring, bottom: rows.ring, left: cols.ring, right: cols.ring };
}
