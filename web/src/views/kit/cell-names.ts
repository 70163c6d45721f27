import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { late } from '../../ui/late';

/** Nobody hears of a cell before the first picture is there. */
const names = late(async () => (await import('../../geometry/labels')).cellName);

/** What Explain calls a cell too, for grids: "x[0,1]". */
export const heardAs = (g: Geometry, cell: Cell | null): string | null => (cell && names()?.(g, cell)) ?? null;
