import { areasInForm } from '../../geometry/forms';
import { type MatrixForm, PLAIN_FORM, positionOf } from '../../geometry/grid';
import { box, cellBox, isRegion, type Region } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Geometry, GridName } from '../../protocol/problem';
import type { Mark, MarkTone } from '../../ui/grid/marks';

export interface StagePlane {
  readonly name: GridName;
  readonly slice: number;
  readonly channel: number;
  readonly form?: MatrixForm;
}

/** The marks of the highlights on one plane of an intermediate tensor, relative to its first cell. */
export function marksOnStage(g: Geometry, plane: StagePlane, highlights: Highlights | null): readonly Mark[] {
  if (!highlights) return [];
  const { name, slice, channel, form = PLAIN_FORM } = plane;
  const marks = (tone: MarkTone, regions: readonly (Region | null)[]) =>
    regions
      .filter(isRegion)
      .flatMap((region) => areasInForm(g, region, name, slice, channel, form))
      .map((area): Mark => ({ tone, area }));
  const { cell, sources, targets, term } = highlights;
  return [
    ...marks('target', targets),
    ...marks('source', sources),
    ...marks('term', term),
    ...marks('focus', [box(g, cell.tensor, cellBox(positionOf(g, cell)))]),
  ];
}
