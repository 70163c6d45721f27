import { type Spatial, unreadOf } from '../../geometry/axis';
import { positionOf } from '../../geometry/grid';
import type { Region } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, GridName, ProcessName } from '../../protocol/problem';
import { type Area, type Mark, type MarkTone, oneCell } from '../../ui/grid/marks';
import { areasOn, type Plane, spotOf } from './plane';

/** Adjacent rows and columns. */
export const block = (row: number, col: number, rows: number, cols: number): Area => ({
  ...oneCell(row, col),
  rows,
  cols,
});

/** The cells of a grid, filled row by row, without the first `done`. */
export function areasAfter(done: number, rows: number, cols: number): readonly Area[] {
  const first = Math.max(0, Math.min(rows * cols, done));
  const [row, col] = [Math.floor(first / cols), first % cols];
  return [block(row, col, 1, cols - col), block(row + 1, 0, rows - row - 1, cols)].filter(
    (area) => area.rows > 0 && area.row < rows,
  );
}

export const marked = (tone: MarkTone, areas: readonly Area[]): readonly Mark[] =>
  areas.map((area) => ({ tone, area }));

/** Covers the cells of image `n` that the first `steps` steps have not written yet. */
export function pendingMarks(g: Geometry, process: ProcessName, steps: number, n: number): readonly Mark[] {
  const [rows, cols] = process === 'forward' ? [g.oh, g.ow] : [g.h, g.w];
  return marked('pending', areasAfter(steps - n * rows * cols, rows, cols));
}

/** The highlights of a step of a player. */
export const stepHighlights = (
  cell: Cell,
  sources: readonly Region[],
  targets: readonly Region[] = [],
): Highlights => ({ cell, pinned: true, sources, targets, term: [] });

/** The marks of highlights on a grid. `areasOf` gives the areas of a region there; `own` is the selected cell. */
export const marksOf = (
  { targets, sources, term }: Readonly<Record<'targets' | 'sources' | 'term', readonly Region[]>>,
  areasOf: (region: Region) => readonly Area[],
  own: readonly Area[],
): readonly Mark[] => [
  ...marked('target', targets.flatMap(areasOf)),
  ...marked('source', sources.flatMap(areasOf)),
  ...marked('term', term.flatMap(areasOf)),
  ...marked('focus', own),
];

/** The marks of the highlights on one plane, and the rows and columns that no window reads. */
export function marksOn(g: Geometry, plane: Plane, highlights: Highlights | null): readonly Mark[] {
  const hatched = marked('unread', unread(g, plane));
  if (!highlights) return hatched;
  const on = (regions: readonly Region[], tensor: GridName = plane.tensor) =>
    regions.filter((region) => region.tensor === tensor);
  // A window is drawn whole, with its cells in the padding: regions of x_padded include them, those of x do not.
  const withPadding = (regions: readonly Region[]) => {
    const padded = plane.tensor === 'x' ? on(regions, 'x_padded') : [];
    return padded.length > 0 ? padded : on(regions);
  };
  const { sources, targets, term } = highlights;
  const shown = { targets: on(targets), sources: withPadding(sources), term: withPadding(term) };
  return [...hatched, ...marksOf(shown, (region) => areasOn(g, plane, region), focusOn(g, plane, highlights))];
}

function focusOn(g: Geometry, plane: Plane, { cell }: Highlights): readonly Area[] {
  const isPadded = cell.tensor === 'x_padded' && plane.tensor === 'x';
  const spot = cell.tensor === plane.tensor || isPadded ? spotOf(plane, positionOf(g, cell)) : null;
  const { top, left } = isPadded ? g.padding : { top: 0, left: 0 };
  return spot ? [oneCell(spot.row - top, spot.col - left)] : [];
}

/** Maximum number of hatched lines; a large stride over an image leaves thousands unread. */
const MOST_LINES = 48;

/** Cache: needed for every frame while the pointer or the player moves. */
const unreadAreas = new WeakMap<Geometry, readonly Area[]>();

/** Rows and columns of x that no window reads (the remainder, or skipped by the stride): their gradient is 0. */
export function unread(g: Geometry, plane: Plane): readonly Area[] {
  if (plane.tensor !== 'x' && plane.tensor !== 'dx') return [];
  const known = unreadAreas.get(g);
  if (known) return known;
  const lines = (axis: Spatial) => {
    const { remainder, skipped } = unreadOf(g, axis);
    return [...remainder, ...skipped].slice(0, MOST_LINES);
  };
  const areas = [
    ...lines('row').map((row) => block(row, 0, 1, g.w)),
    ...lines('col').map((col) => block(0, col, g.h, 1)),
  ];
  unreadAreas.set(g, areas);
  return areas;
}
