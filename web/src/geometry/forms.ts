import type { Geometry, GridName } from '../protocol/problem';
import { ascending, clip, nth, type Range } from './axis';
import {
  areasInPlane,
  type BoxRegion,
  hasForms,
  type MatrixForm,
  PLAIN_FORM,
  type PlaneArea,
  type Region,
  type UpsampledName,
  upsampledSizes,
  windowCells,
} from './grid';
import { columnOfTap, tapAxis, toShown } from './matrix';

/**
 * Areas of a drawn grid (one slice and channel of `name`) for a region of it, or of the tensor that it is a form of: dy with
 * inserted zeros, dw with further positions, dw for each image, dw as a matrix. A matrix may be drawn in another `form`.
 */
export function areasInForm(
  g: Geometry,
  region: Region,
  name: GridName,
  slice: number,
  channel: number,
  { order, transposed }: MatrixForm = PLAIN_FORM,
): readonly PlaneArea[] {
  const plain = plainAreas(g, region, name, slice, channel);
  if (!hasForms(name)) return plain;
  const axis = order === 'c_kh_kw' ? tapAxis(name) : null;
  const areas = axis ? plain.flatMap((area) => reordered(g, name, area, axis)) : plain;
  return transposed ? areas.map(transposedArea) : areas;
}

function plainAreas(g: Geometry, region: Region, name: GridName, slice: number, channel: number) {
  if (region.tensor === name) return areasInPlane(g, region, slice, channel);
  switch (name) {
    case 'dy_upsampled':
    case 'dy_extended':
    case 'dy_inserted':
      return region.tensor === 'dy' ? areasInPlane(g, region, slice, channel).map((area) => spread(g, name, area)) : [];
    case 'dw_uncropped':
      return region.tensor === 'dw' ? areasInPlane(g, region, slice, channel) : [];
    case 'dw_per_image':
      return region.tensor === 'dw' ? areasInPlane(g, region, slice % g.k, channel) : [];
    case 'dw_col':
      return region.tensor === 'dw' && region.kind === 'box' ? rowsOfWeights(g, region, slice) : [];
    default:
      return [];
  }
}

function spread(g: Geometry, name: UpsampledName, area: PlaneArea): PlaneArea {
  const { rows, cols } = upsampledSizes(g, name);
  return {
    ...area,
    row: rows.ring + area.row * g.stride_h,
    col: cols.ring + area.col * g.stride_w,
    rowStep: area.rowStep * g.stride_h,
    colStep: area.colStep * g.stride_w,
  };
}

/** One area of rows of dw_col for each tap of the box, in the columns of the group's filters. */
function rowsOfWeights(g: Geometry, { slice, row, col, channel }: BoxRegion, group: number): readonly PlaneArea[] {
  const filters = ascending(clip({ ...slice, first: slice.first - group * g.group_k }, g.group_k));
  if (filters.count === 0) return [];
  return valuesOf(row).flatMap((p) =>
    valuesOf(col).map((q) => ({
      row: columnOfTap(g, { row: p, col: q, channel: channel.first }),
      rows: channel.count,
      rowStep: channel.step,
      col: filters.first,
      cols: filters.count,
      colStep: filters.step,
    })),
  );
}

const valuesOf = (range: Range) => Array.from({ length: range.count }, (_, i) => nth(range, i));

/** A complete set of taps stays one area in any order; otherwise each tap is an area. */
function reordered(g: Geometry, name: GridName, area: PlaneArea, axis: 'row' | 'col') {
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
