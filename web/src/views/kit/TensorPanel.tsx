import { useMemo } from 'preact/hooks';
import { gridOf, positionOf } from '../../geometry/grid';
import type { Geometry, TensorName } from '../../protocol/problem';
import { ColourLegend } from '../../ui/ColourLegend';
import type { ColourScale } from '../../ui/colour-scale';
import { GridFigure } from '../../ui/grid/GridFigure';
import { isData, type Spot, valueAt } from '../../ui/grid/grid-data';
import type { Mark } from '../../ui/grid/marks';
import type { PhotoPlanes } from '../../ui/grid/pixels';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { late } from '../../ui/late';
import { pure, sameParts } from '../../ui/pure';
import { cellOfSpot, gridData, type Plane, planeOf, spotOf } from './plane';
import { marksOn } from './plane-marks';
import type { Scene, SceneEvents } from './scene';

interface TensorPanelProps {
  readonly tensor: TensorName;
  readonly scene: Scene;
  readonly events: SceneEvents;
  /** Further marks, below those of the highlights. */
  readonly under?: readonly Mark[];
  /** Instead of the tensor's usual few words. */
  readonly subtitle?: string;
  /** Tells grids of the same tensor apart where the page shows it twice: part of the accessible name. */
  readonly place?: string;
}

const SUBTITLES: Readonly<Record<TensorName, string>> = {
  x: 'input',
  w: 'kernel',
  b: 'bias',
  y: 'output',
  dy: 'upstream',
  dx: 'gradient of x',
  dw: 'gradient of w',
  db: 'gradient of b',
};

/** What the hatching of rows and columns means. */
const UNREAD: Readonly<Partial<Record<TensorName, string>>> = {
  x: 'Hatched: no window reads it.',
  dx: 'Hatched: x is never read there, so exactly 0.',
};

const EDITABLE: ReadonlySet<TensorName> = new Set(['x', 'w', 'b', 'dy']);

/** The problem that the page opens with has nothing to choose from. */
const planeChooser = late(async () => (await import('./PlaneChooser')).PlaneChooser);

/** One tensor: its name, the slice in focus as a grid, the scale of its colours, and a way to the other slices. */
export const TensorPanel = pure(Panel, sameParts(partsOf));

/** What a panel draws: an edit leaves most tensors as they are. */
function partsOf({ tensor, scene, events, under, subtitle, place }: TensorPanelProps): readonly unknown[] {
  const { geometry, focus, highlights, layout, photo, transfer, tensors } = scene;
  const { n, c, k } = focus;
  return [
    tensor,
    tensors[tensor],
    geometry,
    n,
    c,
    k,
    highlights,
    layout,
    photo,
    transfer,
    events,
    under,
    subtitle,
    place,
  ];
}

const NONE: readonly Mark[] = [];

function Panel({ tensor, scene, events, under = NONE, subtitle, place }: TensorPanelProps) {
  const { geometry: g, focus, highlights, layout } = scene;
  const values = scene.tensors[tensor];
  const { n, c, k } = focus;
  const plane = useMemo(() => planeOf(g, tensor, { n, c, k }), [g, tensor, n, c, k]);
  const data = useMemo(() => gridData(plane, values?.data ?? new Float32Array(0)), [plane, values]);
  const photo = useMemo(
    () => (tensor === 'x' && scene.photo && g.c === 3 && values ? photoOf(g, n, values.data) : undefined),
    [tensor, scene.photo, g, n, values],
  );
  const scale = useMemo(
    () => scaleOf(tensor, scene, values?.stats.max_abs ?? 0),
    [tensor, scene.photo, scene.transfer, values],
  );
  const label = labelOf(g, plane);
  const several = label !== tensor;
  const PlaneChooser = several ? planeChooser() : null;
  if (!values) return null;

  const report = (handle: (cell: NonNullable<ReturnType<typeof cellOfSpot>>) => void) => (spot: Spot) => {
    const cell = cellOfSpot(g, plane, spot);
    if (cell) handle(cell);
  };
  const marks = [...under, ...marksOn(g, plane, highlights)];
  const unread = marks.some(({ tone }) => tone === 'unread');
  const grid = (
    <TensorGrid
      label={place ? `${label}, ${place}` : label}
      data={data}
      scale={scale}
      size={layout.cell[sizeClass(tensor)]}
      marks={marks}
      photo={photo}
      onHover={(spot) => events.onHover(spot && cellOfSpot(g, plane, spot))}
      onMove={report(events.onMove)}
      onPick={report(events.onPick)}
      onEdit={EDITABLE.has(tensor) ? (spot, value) => report((cell) => events.onEdit(cell, value))(spot) : undefined}
    />
  );
  return (
    <div class={`panel panel--${tensor}`} {...(several ? { role: 'group', 'aria-label': tensor } : {})}>
      <GridFigure
        title={tensor}
        subtitle={subtitle ?? SUBTITLES[tensor]}
        size={sizeText(g, tensor)}
        accent={`var(--id-${tensor.replace('d', '')})`}
        twin={tensor.startsWith('d')}
      >
        <div
          class="panel__frame"
          style={tensor === 'dx' && layout.arrangement === 'row' ? insetOf(g, layout.cell.x) : ''}
        >
          {grid}
        </div>
      </GridFigure>
      <ColourLegend scale={scale} marker={markedValue(g, plane, data, highlights)} />
      {unread && <p class="panel__note">{UNREAD[tensor]}</p>}
      {PlaneChooser && <PlaneChooser tensor={tensor} scene={scene} scale={scale} onFocus={events.onFocus} />}
    </div>
  );
}

function sizeClass(tensor: TensorName): 'x' | 'w' | 'y' | 'b' {
  const twin = tensor.replace('d', '');
  return twin === 'x' || twin === 'w' || twin === 'y' ? twin : 'b';
}

function scaleOf(tensor: TensorName, scene: Scene, maxAbs: number): ColourScale {
  return tensor === 'x' && scene.photo
    ? { maxAbs: 1, ramp: 'grey', transfer: 'linear' }
    : { maxAbs, ramp: 'signed', transfer: scene.transfer };
}

/** `y` where the tensor is one plane, else the plane in focus: `y[n=0, k=1]`. */
function labelOf(g: Geometry, { tensor, slice, channel }: Plane): string {
  const { size } = gridOf(g, tensor);
  if (tensor === 'b' || tensor === 'db' || size.slice * size.channel <= 1) return tensor;
  if (tensor === 'w' || tensor === 'dw') return `${tensor}[c=${channel}, k=${slice}]`;
  return `${tensor}[n=${slice}, ${tensor.endsWith('y') ? 'k' : 'c'}=${channel}]`;
}

function sizeText(g: Geometry, tensor: TensorName): string {
  const { row, col, channel } = gridOf(g, tensor).size;
  if (tensor === 'b' || tensor === 'db') return channel === 1 ? '' : `${channel}`;
  const { top, bottom, left, right } = g.padding;
  return `${row} × ${col}${tensor === 'x' && top + bottom + left + right > 0 ? ' + padding' : ''}`;
}

/** Room of the frame around a grid, in CSS pixels; see .panel__frame. */
const FRAME = 4;

/** dx leaves out the padding's ring but stands where x stands. */
function insetOf({ padding }: Geometry, cell: number): string {
  return `margin-top: ${padding.top * cell + FRAME}px; margin-left: ${padding.left * cell + FRAME}px`;
}

function markedValue(
  g: Geometry,
  plane: Plane,
  data: ReturnType<typeof gridData>,
  highlights: Scene['highlights'],
): number | null {
  if (highlights?.cell.tensor !== plane.tensor) return null;
  const spot = spotOf(plane, positionOf(g, highlights.cell));
  return spot && isData(data, spot) ? valueAt(data, spot) : null;
}

function photoOf(g: Geometry, n: number, values: Float32Array): PhotoPlanes {
  const channel = (c: number) => gridData(planeOf(g, 'x', { n, c, k: 0 }), values);
  return { red: channel(0), green: channel(1), blue: channel(2) };
}
