import type { ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { weightIndexOf } from '../../geometry/conv-matrix';
import { areasInForm } from '../../geometry/forms';
import {
  cellAt,
  type Grid,
  gridOf,
  type MatrixForm,
  PLAIN_FORM,
  positionOf,
  type Region,
  sameCell,
  type UpsampledName,
  upsampledSizes,
} from '../../geometry/grid';
import { fromShown, shownGrid } from '../../geometry/matrix';
import { cellKind, isPaddingEntry } from '../../geometry/window';
import type { Highlights } from '../../look/look-store';
import type { Geometry, GridName, Tensor } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { type GridData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import type { Area, Mark, MarkTone } from '../../ui/grid/marks';
import { formatCount } from '../../ui/quantities';
import { cellEvents } from './cell-events';
import type { Fit, Room } from './fit';
import { type FitLimits, fitGrid } from './fit-grid';
import { GridPanel, type GridPanelProps } from './GridPanel';
import { marksOf } from './plane';
import type { Box } from './stage/layout';
import { useDerived, useGeometry, useScale, useViewModel } from './view-model';

export interface StagePanelProps
  extends Pick<
    GridPanelProps,
    'title' | 'subtitle' | 'box' | 'legend' | 'accent' | 'marker' | 'overview' | 'around' | 'scrollTo'
  > {
  /** The name of the cells, by which Explain looks them up. */
  readonly name: GridName;
  readonly tensor: Tensor;
  readonly slice: number;
  readonly channel: number;
  /** The accessible name; default: `name`. */
  readonly label?: string;
  /** Replaces the size that fits the box: that of the grids beside it. Without a box, it is needed. */
  readonly fit?: Fit | number | undefined;
  /** The form of a matrix; that of `tensor`, unless that is `plain`. */
  readonly form?: MatrixForm;
  readonly plain?: boolean;
  /** More marks, drawn below those of the highlights. */
  readonly under?: readonly Mark[] | undefined;
  /** Replace the highlights of the view. */
  readonly lit?: ReadonlySignal<Highlights | null>;
  readonly limits?: FitLimits | undefined;
}

const NONE: readonly Mark[] = [];
const NO_BOX: Box = { left: 0, top: 0, width: 0, height: 0 };
/** Largest height of a panel in a stack that can show a part, in CSS pixels. */
const STACKED = 482;

/** The room of a panel: its box on the stage; in a stack, its width. */
function useRoom(box: Box, inPart: boolean): Room {
  const { arrangement, width, height } = useViewModel().layout.value;
  return arrangement === 'stage' ? box : { width: box.width || width, height: inPart ? STACKED : height };
}

/** One plane of an intermediate tensor or a matrix: padding is dotted, inserted zeros are hatched. */
export function StagePanel(props: StagePanelProps) {
  const { name, tensor, slice, channel, form = PLAIN_FORM, plain = false, under = NONE, limits, ...rest } = props;
  const { content, highlights, events } = useViewModel();
  const { label, fit, lit = highlights, ...panel } = rest;
  const g = useGeometry();
  const { order, transposed } = form;
  const plane = useMemo(
    () => planeOf(g, name, tensor, { slice, channel }, { order, transposed }, plain),
    [g, name, tensor, slice, channel, order, transposed, plain],
  );
  const { data, rows, cols } = plane;
  const own = useDerived(() => {
    const now = lit.value;
    if (!now) return NONE;
    const { top, left } = data.ring;
    const areasOf = (region: Region) =>
      areasInForm(g, region, name, slice, channel, { order, transposed }).map(
        (area): Area => ({ ...area, row: area.row - top, col: area.col - left }),
      );
    return marksOf(now, areasOf, sameCell(g, now.cell.tensor, positionOf(g, now.cell)).flatMap(areasOf));
  }, [g, name, slice, channel, order, transposed, lit, data]);
  const marks = useDerived(() => [...under, ...own.value], [under, own]);
  const marked = useDerived(() => firstMarked(own.value, name, highlights.value), [own, name, highlights]);
  const scale = useScale(scaleEnd(tensor.stats));
  // A map of a part scrolls to the first outline when it changes.
  const inPart = limits?.part !== undefined || typeof fit === 'object';
  const room = useRoom(panel.box ?? NO_BOX, inPart);
  return (
    <GridPanel
      {...panel}
      tensor={name}
      label={label ?? `${name}${transposed ? ' transposed' : ''}`}
      size={`${formatCount(rows)} × ${formatCount(cols)}`}
      scale={scale}
      data={data}
      fit={fit ?? fitGrid(room, rows, cols, limits)}
      marks={marks}
      events={cellEvents(g, plane.cellOf, events, { content, data })}
      scrollTo={inPart ? (panel.scrollTo ?? marked) : undefined}
    />
  );
}

/** The first marked cell; null while the pointer is on the grid. */
function firstMarked(marks: readonly Mark[], name: GridName, pointed: Highlights | null): Spot | null {
  if (pointed?.cell.tensor === name) return null;
  const order: readonly MarkTone[] = ['focus', 'term', 'source', 'target'];
  const [mark] = order.flatMap((tone) => marks.filter((each) => each.tone === tone).slice(0, 1));
  return mark ? { row: mark.area.row, col: mark.area.col } : null;
}

/** The data of a plane, its rows and columns with the ring, and its cells. */
function planeOf(
  g: Geometry,
  name: GridName,
  tensor: Tensor,
  { slice, channel }: { slice: number; channel: number },
  form: MatrixForm,
  isPlain: boolean,
) {
  const grid = shownGrid(g, name, form);
  const { slice: sliceStep, channel: channelStep, ...own } = (isPlain ? gridOf(g, name) : grid).stride;
  const [rowStep, colStep] = isPlain && form.transposed ? [own.col, own.row] : [own.row, own.col];
  const ring = ringOf(g, name);
  const plain = ({ row, col }: Spot) =>
    fromShown(g, name, { slice, row: row + ring.top, col: col + ring.left, channel }, form);
  const cellOf = (spot: Spot) => cellAt(g, name, plain(spot));
  const isInserted = (spot: Spot) => {
    const cell = cellOf(spot);
    return cell !== null && cellKind(g, cell) === 'inserted';
  };
  const data: GridData = {
    rows: grid.size.row - ring.top - ring.bottom,
    cols: grid.size.col - ring.left - ring.right,
    values: tensor.data,
    offset: slice * sliceStep + channel * channelStep + ring.top * rowStep + ring.left * colStep,
    rowStep,
    colStep,
    ring,
    ...(isSpread(name) ? { inserted: isInserted } : {}),
    ...(name === 'C' ? { indexOf: entryIndexOf(g, form) } : {}),
    ...(name === 'x_col' ? { padded: paddingOf(g, grid, form) } : {}),
  };
  return { data, rows: grid.size.row, cols: grid.size.col, cellOf };
}

/** C is not stored: the index of the weight of an entry. */
function entryIndexOf(g: Geometry, { transposed }: MatrixForm): ReturnType<typeof weightIndexOf> {
  const indexOf = weightIndexOf(g);
  return transposed ? (row, col) => indexOf(col, row) : indexOf;
}

/** The entries of the displayed x_col that come from the padding. */
function paddingOf(g: Geometry, { size }: Grid, form: MatrixForm): (spot: Spot) => boolean {
  const { transposed } = form;
  // Column of the plain matrix, by displayed column: computed once, not for each entry.
  const taps = Int32Array.from({ length: transposed ? size.row : size.col }, (_, i) => {
    const at = { slice: 0, row: transposed ? i : 0, col: transposed ? 0 : i, channel: 0 };
    return fromShown(g, 'x_col', at, form).col;
  });
  return ({ row, col }) =>
    transposed ? isPaddingEntry(g, col, taps[row] ?? 0) : isPaddingEntry(g, row, taps[col] ?? 0);
}

const SPREAD: readonly GridName[] = ['dy_upsampled', 'dy_extended', 'dy_inserted'];
const isSpread = (name: GridName): name is UpsampledName => SPREAD.includes(name);

/** Only dy_inserted has a ring. */
function ringOf(g: Geometry, name: GridName) {
  if (!isSpread(name)) return NO_RING;
  const { rows, cols } = upsampledSizes(g, name);
  return { top: rows.ring, bottom: rows.ring, left: cols.ring, right: cols.ring };
}
