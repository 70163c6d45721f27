import { type Spatial, unreadOf } from '../../geometry/axis';
import { positionOf } from '../../geometry/grid';
import type { Region } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Geometry } from '../../protocol/problem';
import { type Area, type Mark, type MarkTone, oneCell } from '../../ui/grid/marks';
import { areasOn, type Plane, spotOf } from './plane';

/** The marks of the highlights on one plane, and the rows and columns that no window reads. */
export function marksOn(g: Geometry, plane: Plane, highlights: Highlights | null): readonly Mark[] {
  const marks: Mark[] = unread(g, plane).map((area) => ({ tone: 'unread', area }));
  if (!highlights) return marks;
  const add = (tone: MarkTone, regions: readonly Region[]) => {
    for (const region of regions) {
      for (const area of areasOn(g, plane, region)) marks.push({ tone, area });
    }
  };
  add('target', on(plane, highlights.targets));
  add('source', sourcesOn(plane, highlights.sources));
  add('term', on(plane, highlights.term));
  const own = focusOn(g, plane, highlights);
  if (own) marks.push({ tone: 'focus', area: own });
  return marks;
}

function on(plane: Plane, regions: readonly Region[]): readonly Region[] {
  return regions.filter(({ tensor }) => tensor === plane.tensor);
}

/** A window is drawn whole, with its cells in the padding: regions of x_padded include them, those of x do not. */
function sourcesOn(plane: Plane, regions: readonly Region[]): readonly Region[] {
  if (plane.tensor !== 'x') return on(plane, regions);
  const padded = regions.filter(({ tensor }) => tensor === 'x_padded');
  return padded.length > 0 ? padded : on(plane, regions);
}

function focusOn(g: Geometry, plane: Plane, { cell }: Highlights): Area | null {
  if (cell.tensor !== plane.tensor && !(cell.tensor === 'x_padded' && plane.tensor === 'x')) return null;
  const spot = spotOf(plane, positionOf(g, cell));
  if (!spot) return null;
  const shift = cell.tensor === 'x_padded' ? g.padding : { top: 0, left: 0 };
  return oneCell(spot.row - shift.top, spot.col - shift.left);
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
  const one = { rowStep: 1, colStep: 1 };
  const areas = [
    ...lines('row').map((row) => ({ ...one, row, col: 0, rows: 1, cols: g.w })),
    ...lines('col').map((col) => ({ ...one, row: 0, col, rows: g.h, cols: 1 })),
  ];
  unreadAreas.set(g, areas);
  return areas;
}
