import { gridOf, positionOf } from '../../geometry/grid';
import { type Region, regionIndices } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Geometry, Tensor, TensorName } from '../../protocol/problem';
import { type GridData, NO_RING } from '../../ui/grid/grid-data';
import { type Mark, type MarkTone, oneCell } from '../../ui/grid/marks';

/** One image of a tensor as a single column, or (`lying`) as a single row. */
export function vectorData(g: Geometry, name: TensorName, tensor: Tensor, n: number, lying: boolean): GridData {
  const cells = cellsPerImage(g, name);
  return {
    ...(lying ? { rows: 1, cols: cells, rowStep: 0, colStep: 1 } : { rows: cells, cols: 1, rowStep: 1, colStep: 0 }),
    values: tensor.data,
    offset: n * cells,
    ring: NO_RING,
  };
}

export const cellsPerImage = (g: Geometry, name: TensorName): number => gridOf(g, name).cells / g.n;

/** The marks of the highlights on the vector. */
export function marksOnVector(
  g: Geometry,
  name: TensorName,
  n: number,
  lying: boolean,
  lit: Highlights | null,
): readonly Mark[] {
  if (!lit) return [];
  const cells = cellsPerImage(g, name);
  const at = (index: number) => index - n * cells;
  const mark = (tone: MarkTone, index: number): Mark => ({
    tone,
    area: lying ? oneCell(0, at(index)) : oneCell(at(index), 0),
  });
  const marks = (tone: MarkTone, regions: readonly Region[]) =>
    regions
      .filter((region) => region.tensor === name)
      .flatMap((region) => Array.from(regionIndices(g, region), (index) => mark(tone, index)))
      .filter(({ area }) => area.row >= 0 && area.col >= 0 && area.row < cells && area.col < cells);
  const { cell, sources, targets, term } = lit;
  const own = cell.tensor === name && positionOf(g, cell).slice === n ? [mark('focus', cell.index)] : [];
  return [...marks('target', targets), ...marks('source', sources), ...marks('term', term), ...own];
}
