import { cellAt, positionOf } from '../../geometry/grid';
import type { Cell } from '../../protocol/cell';
import type { Geometry, Tensor } from '../../protocol/problem';
import { type DySource, dyEntry } from '../../sources/dy-sources';
import { cellOfSpot, planeOf } from '../kit/plane';
import type { Scene, SceneEvents } from '../kit/scene';
import { TensorPanel } from '../kit/TensorPanel';
import { type Brush, useBrush } from './use-brush';

interface DyPanelProps {
  readonly scene: Scene;
  readonly dy: Tensor;
  readonly source: DySource;
  readonly brush: Brush;
  readonly events: SceneEvents;
}

/** dy, to be drawn on when it is painted, and to be clicked when it is a single 1. */
export function DyPanel({ scene, dy, source, brush, events }: DyPanelProps) {
  const { geometry: g, focus } = scene;
  const { dab, onHover, handlers } = useBrush({
    data: source.kind === 'values' && source.data.length === dy.data.length ? source.data : dy.data,
    shape: dy.shape,
    brush,
    between: (from, to, reach) => cellsBetween(g, from, to, reach),
    cellOfSpot: (spot) => cellOfSpot(g, planeOf(g, 'dy', focus), spot),
    onDy: events.onDy,
  });
  if (source.kind === 'values') {
    const painting: SceneEvents = {
      ...events,
      onPick: dab,
      onHover: (cell) => {
        onHover(cell);
        events.onHover(cell);
      },
    };
    return (
      <div class="dy-view__canvas" {...handlers}>
        <TensorPanel tensor="dy" scene={scene} events={painting} place="dy view" subtitle="draw here" />
      </div>
    );
  }
  const { click } = dyEntry(source);
  const clicking: SceneEvents = click ? { ...events, onPick: ({ index }) => events.onDy(click(index)) } : events;
  return (
    <TensorPanel
      tensor="dy"
      scene={scene}
      events={clicking}
      place="dy view"
      {...(click ? { subtitle: 'click a cell' } : {})}
    />
  );
}

/** The cells within reach of the straight line between two cells of a plane: a fast pointer skips some. */
function cellsBetween(g: Geometry, from: Cell, to: Cell, reach: number): readonly number[] {
  const [start, { row, col, ...plane }] = [positionOf(g, from), positionOf(g, to)];
  const steps = Math.max(Math.abs(row - start.row), Math.abs(col - start.col), 1);
  const indices = new Set<number>();
  for (let step = 0; step <= steps; step += 1) {
    const at = (a: number, b: number) => Math.round(a + ((b - a) * step) / steps);
    const [middle, centre] = [at(start.row, row), at(start.col, col)];
    for (let r = middle - reach; r <= middle + reach; r += 1) {
      for (let c = centre - reach; c <= centre + reach; c += 1) {
        const cell = cellAt(g, 'dy', { ...plane, row: r, col: c });
        if (cell) indices.add(cell.index);
      }
    }
  }
  return [...indices];
}
