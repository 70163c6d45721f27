import { type FactorForm, termForm } from '../../geometry/labels';
import type { SumPlanes } from '../../geometry/planes';
import type { Terms } from '../../geometry/terms';
import type { Cell, GridName } from '../../protocol/cell';
import type { Geometry, Tensor, TensorName } from '../../protocol/problem';
import { type ColourScale, lutIndex, lutOf } from '../../ui/colour-scale';
import { formatCell } from '../../ui/numbers';
import { theme } from '../../ui/theme';

interface SumGridsProps {
  readonly geometry: Geometry;
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  readonly page: Terms;
  readonly planes: SumPlanes;
  /** The plane that is drawn. */
  readonly plane: number;
  /** The term, of the whole sum, that is pointed at; null: none. */
  readonly pointed: number | null;
  readonly lookUp: (cell: Cell) => number | null;
  readonly onPoint: (term: number | null) => void;
}

/** Larger planes have no figures that one could read here. */
const MOST = 7;

/** The window and w, or dy and the turned w, or x and dy: multiplied cell by cell. */
export function SumGrids({ geometry, tensors, page, planes, plane, pointed, lookUp, onPoint }: SumGridsProps) {
  const { rows, cols, leading } = planes;
  if (rows > MOST || cols > MOST || (plane + 1) * rows * cols > page.index_a.length) return null;
  const following = leading === 'a' ? 'b' : 'a';
  const at = (row: number, col: number) => plane * rows * cols + planes.termAt(row, col);
  const draw = (side: 'a' | 'b') => {
    const name = page[side];
    if (!name) return null;
    const scale = scaleOf(tensors, name);
    const lut = lutOf(theme.value, 'signed');
    const title = titleOf(name, side === following && planes.turned, side === leading && page.b !== null);
    return (
      <div class="pair__grid" role="img" aria-label={`${title}, ${rows} × ${cols}; the terms below have its numbers`}>
        <p class="pair__title">{title}</p>
        <div class={`pair__cells pair__cells--${cols}`} style={{ '--cols': cols }}>
          {Array.from({ length: rows * cols }, (_, i) => {
            const term = at(Math.floor(i / cols), i % cols);
            const factor = termForm(geometry, page, term)?.[side];
            const value = factor ? numberOf(factor, lookUp) : null;
            const index = value === null ? 0 : lutIndex(value, scale);
            const inside = factor?.cell !== null && value !== null;
            return (
              <span
                key={term}
                class={`pair__cell${inside ? '' : ' pair__cell--padding'}${term === pointed ? ' pair__cell--pointed' : ''}`}
                style={inside ? { background: lut.css[index] ?? '', color: lut.ink[index] ?? '' } : ''}
                onPointerEnter={() => onPoint(term)}
              >
                {inside ? formatCell(value, { digits: 2, chars: 4 }) : '0'}
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

function titleOf(name: GridName, turned: boolean, windowed: boolean): string {
  if (turned) return `${name}, turned`;
  return name === 'x' && windowed ? 'x, the window' : name;
}

const numberOf = ({ cell }: FactorForm, lookUp: (cell: Cell) => number | null): number | null =>
  cell ? lookUp(cell) : 0;

function scaleOf(tensors: SumGridsProps['tensors'], name: GridName): ColourScale {
  const tensor = Object.entries(tensors).find(([known]) => known === name)?.[1];
  return { maxAbs: tensor?.stats.max_abs ?? 0, ramp: 'signed', transfer: 'linear' };
}
