import { type Spatial, unreadOf } from '../../geometry/axis';
import {
  areasInPlane,
  cellAt,
  type Focus,
  gridOf,
  groupOfFilter,
  type Position,
  positionOf,
  type Region,
} from '../../geometry/grid';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, GridName, TensorName } from '../../protocol/problem';
import type { ColorScale } from '../../ui/color-scale';
import { type GridData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import { type Area, type Mark, type MarkTone, oneCell } from '../../ui/grid/marks';
import type { PhotoPlanes } from '../../ui/grid/pixels';

/** One drawn rectangle of a tensor: its slice and channel, and the layout of its cells in memory. */
export interface Plane extends Pick<GridData, 'rows' | 'cols' | 'offset' | 'rowStep' | 'colStep' | 'ring'> {
  readonly tensor: TensorName;
  readonly slice: number;
  readonly channel: number;
}

/** The plane of a tensor that the focus shows. A bias is drawn as one row of all filters. */
export function planeOf(g: Geometry, tensor: TensorName, focus: Focus): Plane {
  const { size, stride } = gridOf(g, tensor);
  if (tensor === 'b' || tensor === 'db') {
    return {
      ...{ tensor, slice: 0, channel: 0, rows: 1, cols: size.channel },
      ...{ offset: 0, rowStep: 0, colStep: stride.channel, ring: NO_RING },
    };
  }
  const { slice, channel } = sliceInFocus(g, tensor, focus);
  return {
    tensor,
    slice,
    channel,
    rows: size.row,
    cols: size.col,
    offset: slice * stride.slice + channel * stride.channel,
    rowStep: stride.row,
    colStep: stride.col,
    // dx keeps the room of x's padding, so that its cells are below those of x.
    ring: tensor === 'x' || tensor === 'dx' ? g.padding : NO_RING,
  };
}

/** The slice and the channel of a tensor that the focus shows. */
export function sliceInFocus(g: Geometry, tensor: TensorName, { n, c, k }: Focus) {
  if (tensor === 'w' || tensor === 'dw') return { slice: k, channel: c - groupOfFilter(g, k) * g.group_c };
  if (tensor === 'x' || tensor === 'dx') return { slice: n, channel: c };
  return { slice: n, channel: k };
}

export function gridData(plane: Plane, values: Float32Array): GridData {
  const { rows, cols, offset, rowStep, colStep, ring } = plane;
  return { rows, cols, offset, rowStep, colStep, values, ring: plane.tensor === 'dx' ? NO_RING : ring };
}

/** The scale of a photo with one channel. */
export const PHOTO: ColorScale = { maxAbs: 1, ramp: 'gray', transfer: 'linear' };

/** An image of x as a color photo; with fewer than three channels, the last one is also the others. */
export function photoOf(g: Geometry, n: number, values: Float32Array): PhotoPlanes {
  const channel = (c: number) => gridData(planeOf(g, 'x', { n, c: Math.min(c, g.c - 1), k: 0 }), values);
  return { red: channel(0), green: channel(1), blue: channel(2) };
}

/** The cell at a spot of the drawn grid; around x a cell of x_padded, around others null. */
export function cellOfSpot(g: Geometry, plane: Plane, { row, col }: Spot): Cell | null {
  const { tensor, slice, channel, offset, rowStep, colStep } = plane;
  if (isInPlane(plane, row, col)) return { tensor, index: offset + row * rowStep + col * colStep };
  if (tensor !== 'x') return null;
  return cellAt(g, 'x_padded', { slice, row: row + g.padding.top, col: col + g.padding.left, channel });
}

const isInPlane = ({ rows, cols }: Plane, row: number, col: number) => row >= 0 && row < rows && col >= 0 && col < cols;

export function spotOf(plane: Plane, position: Position): Spot | null {
  if (plane.tensor === 'b' || plane.tensor === 'db') return { row: 0, col: position.channel };
  if (position.slice !== plane.slice || position.channel !== plane.channel) return null;
  return { row: position.row, col: position.col };
}

/** The areas of a region on the plane. `region` is of the plane's tensor, or of x_padded on a plane of x. */
function areasOn(g: Geometry, plane: Plane, region: Region): readonly Area[] {
  if (plane.tensor === 'b' || plane.tensor === 'db') {
    if (region.kind === 'list') return [];
    const { first, count, step } = region.channel;
    return [{ row: 0, col: first, rows: 1, cols: count, rowStep: 1, colStep: step }];
  }
  const { top, left } = region.tensor === 'x_padded' ? g.padding : { top: 0, left: 0 };
  return areasInPlane(g, region, plane.slice, plane.channel).map((area) => ({
    ...area,
    row: area.row - top,
    col: area.col - left,
  }));
}

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

function focusOn(g: Geometry, plane: Plane, { cell }: Highlights) {
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

/** The chosen number of steps, at most `total`; before a choice, which can come from a link, `first`. */
export const chosenSteps = (chosen: unknown, total: number, first = total): number =>
  typeof chosen === 'number' ? Math.max(0, Math.min(total, Math.round(chosen))) : Math.min(total, first);
