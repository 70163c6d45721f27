import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { lazy } from '../../ui/lazy';

/** Lazy: cell names are only needed after the first frame. */
const names = lazy(async () => (await import('../../geometry/labels')).cellName);

/** The name of a cell for screen readers, as in Explain: "x[0,1]". */
export const accessibleName = (g: Geometry, cell: Cell | null): string | null => (cell && names()?.(g, cell)) ?? null;
