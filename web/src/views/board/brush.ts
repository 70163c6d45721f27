import { useMemo, useRef } from 'preact/hooks';
import type { ViewState } from '../../look/look';
import type { Cell } from '../../protocol/problem';
import type { Spot } from '../../ui/grid/grid-data';

/** Cells within `reach` rows and columns are painted together. */
interface Brush {
  readonly value: number;
  readonly reach: number;
}

/** The first is the default: −1 shows on a dy of ones as well as of zeros. */
export const VALUES = [-1, 1, 0] as const;
export const BRUSH_REACHES = [0, 1, 4] as const;

export const brushOf = ({ value, reach }: ViewState): Brush => ({
  value: VALUES.find((entry) => entry === value) ?? VALUES[0],
  reach: BRUSH_REACHES.find((entry) => entry === reach) ?? BRUSH_REACHES[0],
});

interface Stroke {
  readonly number: number;
  readonly painted: Set<number>;
  /** Last cell under the pointer. */
  last: Cell | null;
}

interface BrushTask {
  readonly brush: Brush;
  /** The cells of dy on the line from one cell to another (inclusive), within the brush's reach. */
  readonly between: (from: Cell, to: Cell, reach: number) => readonly number[];
  readonly cellOfSpot: (spot: Spot) => Cell | null;
  readonly onPaint: (indices: readonly number[], gesture: string) => void;
}

/**
 * Painting with the pointer pressed. A stroke is one undo step. The returned functions are stable, so that a stroke
 * re-renders only the painted cells.
 */
export function useBrush(task: BrushTask) {
  const latest = useRef(task);
  latest.current = task;
  const strokes = useRef(0);
  const stroke = useRef<Stroke | null>(null);

  return useMemo(() => {
    const newStroke = (): Stroke => ({ number: ++strokes.current, painted: new Set(), last: null });

    const paint = (cell: Cell) => {
      const { brush, between, onPaint } = latest.current;
      const { number, painted, last } = stroke.current ?? newStroke();
      if (stroke.current) stroke.current.last = cell;
      const cells = between(last ?? cell, cell, brush.reach).filter((index) => !painted.has(index));
      if (cells.length === 0) return;
      for (const index of cells) painted.add(index);
      onPaint(cells, `paint dy ${number}`);
    };

    const paintAt = (event: PointerEvent) => {
      const element = document.elementFromPoint(event.clientX, event.clientY);
      const drawn = element?.closest<HTMLElement>('.number-grid [role="gridcell"]');
      const inside = drawn && event.currentTarget instanceof Element && event.currentTarget.contains(drawn);
      const spot = inside ? { row: Number(drawn.dataset.row), col: Number(drawn.dataset.col) } : null;
      const cell = spot && latest.current.cellOfSpot(spot);
      if (cell) paint(cell);
    };

    return {
      /** A click, a tap or Space. */
      dab: paint,
      /** A map reports the cell under the pointer. */
      onHover: (cell: Cell | null) => {
        if (cell && stroke.current) paint(cell);
      },
      handlers: {
        pointerdown(event: PointerEvent) {
          if (event.button !== 0) return;
          stroke.current = newStroke();
          paintAt(event);
        },
        pointermove(event: PointerEvent) {
          // The button may have been released outside the browser window.
          if (event.buttons === 0) stroke.current = null;
          if (stroke.current) paintAt(event);
        },
        pointerup() {
          stroke.current = null;
        },
        pointercancel() {
          stroke.current = null;
        },
      },
    };
  }, []);
}
