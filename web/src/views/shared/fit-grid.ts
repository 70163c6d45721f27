import type { Geometry, TensorName } from '../../protocol/problem';
import {
  AROUND,
  type Fit,
  LARGEST,
  LARGEST_TENSOR,
  largest,
  MOST_ELEMENTS,
  mapOf,
  READABLE,
  type Room,
  showsValues,
  TITLE,
  wholePixels,
} from './fit';
import { type Column, colsOf, heightOf, rowsOf, shortStrips, twin } from './stage/layout';

/** Fits a grid to a panel: its values, a map of the whole, or a map of a part. */

/** Room for the overview of a map beside or above it, as in overview.css. */
export const OVERVIEW = { beside: 50, above: 52 } as const;

/** Limits of the cells of a grid, where they are not those of a tensor. */
export interface FitLimits {
  readonly most?: number | undefined;
  /** Least cell with a value. */
  readonly readable?: number;
  /** Room for labels or other grids beside and above the values. */
  readonly beside?: number;
  readonly above?: number;
  /** The same for a map. */
  readonly besideMap?: number;
  readonly aboveMap?: number;
  /** Rows and columns of other grids, with cells of the same size. */
  readonly lines?: number;
  /** A map shows the whole grid with cells of these sizes; a part if they would be smaller. */
  readonly whole?: { readonly least: number; readonly most?: number };
  /** Cells of a part, if they are not readable: the short side is fully visible down to `least`. */
  readonly part?: {
    readonly least: number;
    readonly most: number;
    /** Replaces a map of the whole, if its cells are readable and it shows this share of the rows and of the columns. */
    readonly share?: number;
  };
}

/** How a grid of `rows` × `cols` is drawn in a panel of this size. */
export function fitGrid(panel: Room, rows: number, cols: number, limits: FitLimits = {}): Fit {
  const { most = LARGEST, readable = READABLE, beside = 0, above = 0, lines = 0, whole: all, part } = limits;
  const [down, across] = [Math.max(rows, 1), Math.max(cols, 1)];
  const widest = panel.width - AROUND.frame;
  const tallest = panel.height - AROUND.head - AROUND.frame;
  const size = Math.min(most, (widest - beside) / (across + lines), (tallest - above) / (down + lines));
  if (size >= readable && rows * cols <= MOST_ELEMENTS) return { kind: 'numbers', size: Math.floor(size) };
  const width = widest - (limits.besideMap ?? 0);
  const height = tallest - AROUND.legend - (limits.aboveMap ?? 0);
  const fitted = Math.min(all?.most ?? most, width / across, height / down);
  const tall = rows >= cols;
  const [wide, high] = tall ? [width - OVERVIEW.beside, height] : [width, height - OVERVIEW.above];
  const shown = Math.min(wide / across, high / down) / readable;
  const isRead = part?.share !== undefined && shown >= part.share;
  if (!part || (!isRead && fitted >= (all?.least ?? 0)))
    return mapOf(rows, cols, all ? fitted : wholePixels(Math.max(0.01, fitted)));
  const short = tall ? wide / across : high / down;
  const isReadable = isRead || short >= readable;
  const least = Math.min(most, isReadable ? readable : Math.max(part.least, Math.min(part.most, short)));
  // Whole cells: text that is cut cannot be read.
  const shownOf = (count: number, room: number) =>
    Math.min(count, isReadable ? Math.floor(room / least) : room / least);
  return { kind: 'map', width: shownOf(cols, wide) * least, height: shownOf(rows, high) * least, least };
}

/** Gap between panels that share a room, and the least width of one with values, for its title. */
const PANEL_GAP = 20;
const PANEL_TITLE = 112;

/** The largest cells with which the panels of several tensors fit a room, side by side or in a `column`. */
export function fitPanels(g: Geometry, names: readonly TensorName[], room: Room) {
  const gaps = PANEL_GAP * (names.length - 1);
  const wide = (cell: number) =>
    names.map((name) => {
      const title = showsValues(rowsOf(g, name), colsOf(g, name), cell) ? PANEL_TITLE : TITLE;
      return Math.max(title, shortStrips(g, twin(name) as Column), colsOf(g, name) * cell) + AROUND.frame;
    });
  const tall = (cell: number) => names.map((name) => heightOf(g, name, cell));
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, gaps);
  const row = largest(
    LARGEST_TENSOR,
    (cell) => sum(wide(cell)) <= room.width && Math.max(...tall(cell)) <= room.height,
  );
  const column = largest(
    LARGEST_TENSOR,
    (cell) => Math.max(...wide(cell)) <= room.width && sum(tall(cell)) <= room.height,
  );
  return column > row ? { cell: column, column: true } : { cell: row, column: false };
}
