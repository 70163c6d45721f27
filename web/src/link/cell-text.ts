import type { GridName } from '../protocol/cell';
import { parseCount } from '../sources/exact-text';

/** Complete by its type: a grid that is added without its name here does not compile. */
const GRIDS: Readonly<Record<GridName, true>> = {
  ...{ x: true, w: true, b: true, y: true, dy: true, dx: true, dw: true, db: true },
  ...{ x_padded: true, x_col: true, w_col: true, y_col: true, dy_col: true, dx_col: true, dw_col: true },
  ...{ dy_spread: true, dy_extended: true, dy_inserted: true, w_exchanged: true, w_turned: true },
  ...{ dx_padded: true, dw_uncropped: true, dw_per_image: true, C: true },
};

const isGrid = (name: string): name is GridName => Object.hasOwn(GRIDS, name);

interface Place {
  readonly tensor: GridName;
  /** null: no cell is named, so all of them. */
  readonly index: number | null;
}

/** "y.12", or "y" for all of its cells. */
export const cellText = ({ tensor, index }: Place): string => (index === null ? tensor : `${tensor}.${index}`);

export function parseCell(text: string): Place | null {
  const [tensor = '', number] = text.split('.', 2);
  const index = number === undefined ? null : parseCount(number);
  if (!isGrid(tensor) || text.split('.').length > 2 || (number !== undefined && index === null)) return null;
  return { tensor, index };
}
