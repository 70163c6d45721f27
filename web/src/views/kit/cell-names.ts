import type { Cell, Geometry } from '../../protocol/problem';
import { kitParts } from './second';

/** The name of a cell for screen readers, as in Explain: "x[0,1]". */
export const accessibleName = (g: Geometry, cell: Cell | null): string | null =>
  (cell && kitParts.value?.cellName(g, cell)) ?? null;
