import { fullCols, fullRows, type GridData, isInGrid, type Spot, type Viewport, wholeView } from './grid-data';

/** Largest cell size, large enough for text. */
const MAX_CELL = 44;
/** Least cell size, if there is no room: 0 would make positions NaN. */
const MIN_CELL = 1e-3;

/** The initial viewport of a grid, and its number of rows and columns. */
export type Fitted = Viewport & Readonly<Record<'rows' | 'cols', number>>;

/** The whole grid fitted to `width` x `height`; or, with cells of at least `least`, the part that fits. */
export function fitViewport(data: GridData, width: number, height: number, least = 0): Fitted {
  const rows = Math.max(1, fullRows(data));
  const cols = Math.max(1, fullCols(data));
  const cell = Math.max(least, MIN_CELL, Math.min(MAX_CELL, width / cols, height / rows));
  return {
    ...wholeView(data, cell),
    width: Math.max(0, Math.min(width, cols * cell)),
    height: Math.max(0, Math.min(height, rows * cell)),
    rows,
    cols,
  };
}

export const isPart = ({ cell, width, height }: Viewport, { rows, cols }: Fitted): boolean =>
  rows * cell > height + 0.5 || cols * cell > width + 0.5;

/** Zooms by `factor` about a point (in CSS pixels). */
export function zoomAt(view: Viewport, fitted: Fitted, factor: number, x: number, y: number): Viewport {
  const cell = Math.max(fitted.cell, Math.min(MAX_CELL, view.cell * factor));
  return clampViewport(
    { ...view, cell, row: view.row + y / view.cell - y / cell, col: view.col + x / view.cell - x / cell },
    fitted,
  );
}

/** Pans by a distance in CSS pixels. */
export const panBy = (view: Viewport, fitted: Fitted, dx: number, dy: number): Viewport =>
  clampViewport({ ...view, row: view.row - dy / view.cell, col: view.col - dx / view.cell }, fitted);

/** Pans as little as possible to make a cell visible. */
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

export function spotAt(data: GridData, view: Viewport, x: number, y: number): Spot | null {
  const cell = { row: Math.floor(view.row + y / view.cell), col: Math.floor(view.col + x / view.cell) };
  return isInGrid(data, cell) ? cell : null;
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
