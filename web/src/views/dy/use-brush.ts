import { useMemo, useRef } from 'preact/hooks';
import type { Cell } from '../../protocol/cell';
import type { Shape } from '../../protocol/problem';
import type { DySource } from '../../sources/dy-sources';
import { painted } from '../../sources/upstream';
import type { Spot } from '../../ui/grid/grid-data';

/** Cells within `reach` rows and columns are painted together. */
export interface Brush {
  readonly value: number;
  readonly reach: number;
}

interface Stroke {
  readonly number: number;
  data: Float32Array;
  /** Where the pointer was last seen on the grid. */
  last: Cell | null;
}

interface BrushTask {
  /** dy as it is by now; the picture may be a moment behind. */
  readonly data: () => Float32Array;
  readonly shape: Shape;
  readonly brush: Brush;
  /** The cells of dy on the way from one cell to another, both among them, within the brush's reach. */
  readonly between: (from: Cell, to: Cell, reach: number) => readonly number[];
  readonly cellOfSpot: (spot: Spot) => Cell | null;
  readonly onDy: (source: DySource, gesture: string) => void;
}

/**
 * Painting with the pointer pressed. A stroke is one edit to undo, however many cells it meets. The functions stay the
 * same from one rendering to the next, so that a stroke renders the cells that it paints and no panel's events.
 */
export function useBrush(task: BrushTask) {
  const latest = useRef(task);
  latest.current = task;
  const strokes = useRef(0);
  const stroke = useRef<Stroke | null>(null);

  return useMemo(() => {
    const newStroke = (): Stroke => ({ number: ++strokes.current, data: latest.current.data(), last: null });

    const paint = (cell: Cell) => {
      const { brush, between, shape, onDy } = latest.current;
      const { number, data, last } = stroke.current ?? newStroke();
      if (stroke.current) stroke.current.last = cell;
      const cells = between(last ?? cell, cell, brush.reach).filter((index) => data[index] !== brush.value);
      if (cells.length === 0) return;
      const next = data.slice();
      for (const index of cells) next[index] = brush.value;
      if (stroke.current) stroke.current.data = next;
      onDy(painted(shape, next), `paint dy ${number}`);
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
      /** A map says where the pointer is. */
      onHover: (cell: Cell | null) => {
        if (cell && stroke.current) paint(cell);
      },
      handlers: {
        onPointerDown(event: PointerEvent) {
          if (event.button !== 0) return;
          stroke.current = newStroke();
          paintAt(event);
        },
        onPointerMove(event: PointerEvent) {
          // The button may have been let go outside of the window.
          if (event.buttons === 0) stroke.current = null;
          if (stroke.current) paintAt(event);
        },
        onPointerUp() {
          stroke.current = null;
        },
        onPointerCancel() {
          stroke.current = null;
        },
      },
    };
  }, []);
}
