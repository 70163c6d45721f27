import type { MatrixForm } from '../../geometry/grid';
import { positionOf } from '../../geometry/grid';
import { box, cellBox, type Region } from '../../geometry/region';
import { shownAreas } from '../../geometry/shown-areas';
import type { Highlights } from '../../look/look-store';
import type { Geometry } from '../../protocol/problem';
import type { Spot } from '../../ui/grid/grid-data';
import type { Mark, MarkTone } from '../../ui/grid/marks';

import type { MatrixName } from './matrix-products';

/** The marks of the highlights on a matrix as displayed. */
export function marksOnMatrix(
  g: Geometry,
  name: MatrixName,
  group: number,
  form: MatrixForm,
  { cell, sources, targets, term }: Highlights,
): readonly Mark[] {
  const marks = (tone: MarkTone, regions: readonly Region[]) =>
    regions.flatMap((region) => shownAreas(g, region, name, group, form)).map((area): Mark => ({ tone, area }));
  const own = cell.tensor === name ? box(g, name, cellBox(positionOf(g, cell))) : null;
  return [
    ...marks('target', targets),
    ...marks('source', sources),
    ...marks('term', term),
    ...marks('focus', own ? [own] : []),
  ];
}

/** The first marked cell, to scroll to; null while the pointer is on the matrix. */
export function firstMarked(marks: readonly Mark[], name: MatrixName, pointed: Highlights | null): Spot | null {
  if (pointed?.cell.tensor === name) return null;
  const order: readonly MarkTone[] = ['focus', 'term', 'source', 'target'];
  const [mark] = order.flatMap((tone) => marks.filter((each) => each.tone === tone).slice(0, 1));
  return mark ? { row: mark.area.row, col: mark.area.col } : null;
}

/** The pending rows of a matrix, as displayed. */
export function pendingRows(done: number, rows: number, cols: number, { transposed }: MatrixForm): readonly Mark[] {
  const rest = rows - done;
  if (rest <= 0) return [];
  const even = { rowStep: 1, colStep: 1 };
  const area = transposed
    ? { row: 0, col: done, rows: cols, cols: rest, ...even }
    : { row: done, col: 0, rows: rest, cols, ...even };
  return [{ tone: 'pending', area }];
}
