import { termForm } from '../../geometry/labels';
import type { SumPlanes } from '../../geometry/planes';
import type { GridName } from '../../protocol/cell';
import type { Tensor, TensorName } from '../../protocol/problem';
import { fitCellTexts } from '../../ui/cell-texts';
import { type ColorScale, lutIndex, lutOf, scaleEnd } from '../../ui/color-scale';
import { theme } from '../../ui/theme';
import { factorValue, type SumProps } from './TermList';

interface SumGridsProps extends SumProps {
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  readonly planes: SumPlanes;
  /** The plane that is drawn. */
  readonly plane: number;
}

/** Rows or columns. The numbers of larger planes would be unreadable. */
const MAX_SIZE = 7;
/** Width of a grid in CSS pixels: two fit into the narrowest panel. The largest cell is also set in explain.css. */
const GRID = 124;
const LARGEST = 38;

/** The two grids that are multiplied cell by cell: window and w, dy and flipped w, or x and dy. */
export function SumGrids({ geometry, tensors, page, planes, plane, pointed, lookUp, onPoint }: SumGridsProps) {
  const { rows, cols, leading } = planes;
  if (rows > MAX_SIZE || cols > MAX_SIZE || (plane + 1) * rows * cols > page.index_a.length) return null;
  const following = leading === 'a' ? 'b' : 'a';
  const at = (row: number, col: number) => plane * rows * cols + planes.termAt(row, col);
  const draw = (side: 'a' | 'b') => {
    const name = page[side];
    if (!name) return null;
    const scale = scaleOf(tensors, name);
    const lut = lutOf(theme.value, 'signed');
    const cells = Array.from({ length: rows * cols }, (_, i) => {
      const term = at(Math.floor(i / cols), i % cols);
      const factor = termForm(geometry, page, term)?.[side];
      const value = factor ? factorValue(factor, lookUp) : null;
      return { term, value, inside: factor?.cell !== null && value !== null };
    });
    const { texts, font } = fitCellTexts(
      cells.map(({ value, inside }) => (inside ? value : 0)),
      Math.min(LARGEST, Math.floor(GRID / cols)),
    );
    const title = titleOf(name, side === following && planes.flipped, side === leading && page.b !== null);
    return (
      <div class="pair__grid" role="img" aria-label={`${title}, ${rows} × ${cols}; values are in the terms below`}>
        <p class="pair__title">{title}</p>
        <div class="pair__cells" style={{ '--cols': cols, fontSize: `${font}px` }}>
          {cells.map(({ term, value, inside }, i) => {
            const index = value === null ? 0 : lutIndex(value, scale);
            return (
              <span
                key={term}
                class={`pair__cell${inside ? '' : ' pair__cell--padding'}${term === pointed ? ' pair__cell--pointed' : ''}`}
                style={inside ? { background: lut.css[index] ?? '', color: lut.ink[index] ?? '' } : ''}
                onPointerEnter={() => onPoint(term)}
              >
                {texts[i]}
              </span>
            );
          })}
        </div>
      </div>
    );
  };
  return (
    <div class="pair" onPointerLeave={() => onPoint(null)}>
      {draw(leading)}
      {page.b && (
        <span class="pair__sign" aria-hidden="true">
          ·
        </span>
      )}
      {page.b && draw(following)}
    </div>
  );
}

function titleOf(name: GridName, flipped: boolean, isWindow: boolean): string {
  if (flipped) return `${name}, flipped`;
  return name === 'x' && isWindow ? 'window of x' : name;
}

function scaleOf(tensors: SumGridsProps['tensors'], name: GridName): ColorScale {
  const tensor = Object.entries(tensors).find(([known]) => known === name)?.[1];
  return { maxAbs: scaleEnd(tensor?.stats), ramp: 'signed', transfer: 'linear' };
}
