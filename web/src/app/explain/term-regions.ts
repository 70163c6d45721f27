import { positionOf } from '../../geometry/grid';
import type { TermForm } from '../../geometry/labels';
import { type BoxRegion, box, cellBox } from '../../geometry/region';
import type { Geometry } from '../../protocol/problem';

/** The regions of the factors of one term, to highlight them. Factors in the padding have none. */
export function termRegions(g: Geometry, { a, b }: TermForm): readonly BoxRegion[] {
  return [a, b].flatMap((factor) => {
    if (!factor?.cell) return [];
    const region = box(g, factor.tensor, cellBox(positionOf(g, factor.cell)));
    return region ? [region] : [];
  });
}
