import type { GridName } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import type { MatrixForm } from './grid';
import { isMatrix, windowCells } from './grid';
import { tapAxis, toShown } from './matrix';
import { areasInPlane, type PlaneArea, type Region } from './region';

/** The areas of a region in the matrix `name` of a group, displayed in `form`: with reordered taps, or transposed. */
export function shownAreas(
  g: Geometry,
  region: Region,
  name: GridName,
  group: number,
  form: MatrixForm,
): readonly PlaneArea[] {
  if (region.tensor !== name || !isMatrix(name)) return [];
  const axis = tapAxis(name);
  const moved = axis !== null && form.order === 'c_kh_kw';
  const areas = areasInPlane(g, region, group, 0);
  const placed = moved ? areas.flatMap((area) => reordered(g, name, area, axis)) : areas;
  return form.transposed ? placed.map(transposedArea) : placed;
}

/** A complete set of taps stays one area in any order; otherwise each tap is an area. */
function reordered(g: Geometry, name: GridName, area: PlaneArea, axis: 'row' | 'col'): readonly PlaneArea[] {
  const [first, count, step] =
    axis === 'row' ? [area.row, area.rows, area.rowStep] : [area.col, area.cols, area.colStep];
  if (count === windowCells(g)) return [area];
  return Array.from({ length: count }, (_, i) => {
    const plain = { slice: 0, row: 0, col: 0, channel: 0, [axis]: first + i * step };
    const at = toShown(g, name, plain, { order: 'c_kh_kw', transposed: false })[axis];
    return axis === 'row' ? { ...area, row: at, rows: 1, rowStep: 1 } : { ...area, col: at, cols: 1, colStep: 1 };
  });
}

const transposedArea = ({ row, col, rows, cols, rowStep, colStep }: PlaneArea): PlaneArea => ({
  row: col,
  col: row,
  rows: cols,
  cols: rows,
  rowStep: colStep,
  colStep: rowStep,
});
