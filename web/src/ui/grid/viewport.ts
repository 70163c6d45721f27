import type { GridData, Spot } from './grid-data';
import { fullCols, fullRows } from './grid-data';
import type { Viewport } from './heat-canvas';

/** The window through which a map is seen: fitted, magnified about a point, dragged. Pure. */

/** Side of a cell at the closest look, large enough for figures. */
const CLOSEST = 44;
/** Where there is no room at all, for the moment: with cells of no size a look would not be anywhere. */
const FARTHEST = 1e-3;

/** The first look at a grid, and how many cells there are to look at. */
export interface Fitted extends Viewport {
  readonly rows: number;
  readonly cols: number;
}

/** The whole grid, as large as it fits `width` x `height`; with cells of at least `least`, as much of it as fits. */
export function fitViewport(data: GridData, width: number, height: number, least = 0): Fitted {
  const rows = Math.max(1, fullRows(data));
  const cols = Math.max(1, fullCols(data));
  const cell = Math.max(least, FARTHEST, Math.min(CLOSEST, width / cols, height / rows));
  return {
    row: 0 - data.ring.top,
    col: 0 - data.ring.left,
    cell,
    width: Math.min(width, cols * cell),
    height: Math.min(height, rows * cell),
    rows,
    cols,
  };
}

/** True when there is more than one sees. */
export function isPart({ cell, width, height }: Viewport, { rows, cols }: Fitted): boolean {
  return rows * cell > height + 0.5 || cols * cell > width + 0.5;
}

/** Magnifies by `factor` and keeps what lies under the point (in CSS pixels) where it is. */
export function zoomAt(view: Viewport, fitted: Fitted, factor: number, x: number, y: number): Viewport {
  const cell = Math.max(fitted.cell, Math.min(CLOSEST, view.cell * factor));
  return clampViewport(
    { ...view, cell, row: view.row + y / view.cell - y / cell, col: view.col + x / view.cell - x / cell },
    fitted,
  );
}

/** Moves what is seen by a distance in CSS pixels. */
export function panBy(view: Viewport, fitted: Fitted, dx: number, dy: number): Viewport {
  return clampViewport({ ...view, row: view.row - dy / view.cell, col: view.col - dx / view.cell }, fitted);
}

/** Moves as little as possible to bring a cell into sight. */
export function reveal(view: Viewport, fitted: Fitted, { row, col }: Spot): Viewport {
  const rows = view.height / view.cell;
  const cols = view.width / view.cell;
  return clampViewport(
    {
      ...view,
      row: Math.min(row, Math.max(view.row, row + 1 - rows)),
      col: Math.min(col, Math.max(view.col, col + 1 - cols)),
    },
    fitted,
  );
}

export function cellAt(data: GridData, view: Viewport, x: number, y: number): Spot | null {
  const row = Math.floor(view.row + y / view.cell);
  const col = Math.floor(view.col + x / view.cell);
  const { ring, rows, cols } = data;
  const inside = row >= -ring.top && row < rows + ring.bottom && col >= -ring.left && col < cols + ring.right;
  return inside ? { row, col } : null;
}

function clampViewport(view: Viewport, fitted: Fitted): Viewport {
  const lastRow = fitted.row + fitted.rows - view.height / view.cell;
  const lastCol = fitted.col + fitted.cols - view.width / view.cell;
  return {
    ...view,
    row: Math.max(fitted.row, Math.min(lastRow, view.row)),
    col: Math.max(fitted.col, Math.min(lastCol, view.col)),
  };
}
