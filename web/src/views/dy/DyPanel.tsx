import { useMemo } from 'preact/hooks';
import { cellAt, positionOf } from '../../geometry/grid';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { type DySource, dyEntry } from '../../sources/dy-sources';
import { cellOfSpot, planeOf } from '../kit/plane';
import { Slot } from '../kit/stage/Slot';
import type { TensorPanelProps } from '../kit/TensorPanel';
import { useGeometry, useViewModel } from '../kit/view-model';
import { type Brush, useBrush } from './use-brush';

interface DyPanelProps {
  readonly source: DySource;
  readonly brush: Brush;
}

/** dy, which can be painted, or clicked when it is a single 1. */
export function DyPanel({ source, brush }: DyPanelProps) {
  const g = useGeometry();
  const { focus, events } = useViewModel();
  const { onDy, onHover } = events;
  const strokes = useBrush({
    brush,
    between: (from, to, reach) => cellsBetween(g, from, to, reach),
    cellOfSpot: (spot) => cellOfSpot(g, planeOf(g, 'dy', focus.peek()), spot),
    onPaint: (indices, gesture) => events.onPaint(indices, brush.value, g, gesture),
  });
  const { dab, onHover: onStroke, handlers } = strokes;
  const { click } = dyEntry(source);
  const own = useMemo((): Partial<TensorPanelProps> => {
    if (click) return { subtitle: 'click a cell', acts: { onPick: ({ index }) => onDy(click(index), g) } };
    if (source.kind !== 'values') return {};
    return {
      subtitle: 'paint here',
      acts: {
        onPick: dab,
        onHover: (cell) => {
          onStroke(cell);
          onHover(cell);
        },
      },
    };
  }, [click, source.kind, g, onDy, onHover, dab, onStroke]);
  const panel = <Slot tensor="dy" {...own} />;
  return source.kind === 'values' ? (
    <div class="dy-canvas" {...handlers}>
      {panel}
    </div>
  ) : (
    panel
  );
}

/** The cells within reach of the straight line between two cells of a plane: a fast pointer skips some. */
function cellsBetween(g: Geometry, from: Cell, to: Cell, reach: number): readonly number[] {
  const [start, { row, col, ...plane }] = [positionOf(g, from), positionOf(g, to)];
  const steps = Math.max(Math.abs(row - start.row), Math.abs(col - start.col), 1);
  const indices = new Set<number>();
  for (let step = 0; step <= steps; step += 1) {
    const at = (a: number, b: number) => Math.round(a + ((b - a) * step) / steps);
    const [middle, center] = [at(start.row, row), at(start.col, col)];
    for (let r = middle - reach; r <= middle + reach; r += 1) {
      for (let c = center - reach; c <= center + reach; c += 1) {
        const cell = cellAt(g, 'dy', { ...plane, row: r, col: c });
        if (cell) indices.add(cell.index);
      }
    }
  }
  return [...indices];
}
