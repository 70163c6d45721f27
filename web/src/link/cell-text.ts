import type { GridName } from '../protocol/cell';
import { parseCount } from '../sources/exact-text';

/** The type makes it complete: a grid name that is missing here does not compile. */
const GRIDS: Readonly<Record<GridName, true>> = {
  ...{ x: true, w: true, b: true, y: true, dy: true, dx: true, dw: true, db: true },
  ...{ x_padded: true, x_col: true, w_col: true, y_col: true, dy_col: true, dx_col: true, dw_col: true },
  ...{ dy_upsampled: true, dy_extended: true, dy_inserted: true, w_exchanged: true, w_flipped: true },
  ...{ dx_padded: true, dw_uncropped: true, dw_per_image: true, C: true },
};

/** Grids with another name in links. words-ok: links keep old names */
const LINK_NAMES: Partial<Readonly<Record<GridName, string>>> = { dy_upsampled: 'dy_spread', w_flipped: 'w_turned' };

const isGrid = (name: string): name is GridName => Object.hasOwn(GRIDS, name);

interface NamedCells {
  readonly tensor: GridName;
  /** null: all cells of the tensor. */
  readonly index: number | null;
}

/** "y.12", or "y" for all of its cells. */
export const cellText = ({ tensor, index }: NamedCells): string =>
  `${LINK_NAMES[tensor] ?? tensor}${index === null ? '' : `.${index}`}`;

export function parseCell(text: string): NamedCells | null {
  const [written = '', number] = text.split('.', 2);
  const tensor = Object.entries(LINK_NAMES).find(([, name]) => name === written)?.[0] ?? written;
  const index = number === undefined ? null : parseCount(number);
  if (!isGrid(tensor) || text.split('.').length > 2 || (number !== undefined && index === null)) return null;
  return { tensor, index };
}
