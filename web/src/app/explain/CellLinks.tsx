import { inputOfC, oneImage, outputOfC, weightBetween } from '../../geometry/conv-matrix';
import { cellAt, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import { type Region, regionIndices, sameCell } from '../../geometry/region';
import { factorBeside } from '../../geometry/terms';
import type { LookStore } from '../../look/look-store';
import type { Cell, Geometry } from '../../protocol/problem';
import { formatExact } from '../../ui/numbers';

/** The value of a cell; null if it is not known. */
export type LookUp = (cell: Cell) => number | null;

export interface CellProps {
  readonly geometry: Geometry;
  readonly cell: Cell;
  readonly look: LookStore;
  readonly lookUp: LookUp;
}

interface CellChipProps {
  readonly label: string;
  /** null for a factor in the padding, which has no link. */
  readonly cell: Cell | null;
  readonly look: LookStore;
}

/** The name of a cell; a click selects it. */
export function CellChip({ label, cell, look }: CellChipProps) {
  const family = label.replace(/^d/, '').charAt(0);
  const style = { '--accent': `var(--id-${family})` };
  if (!cell) return <span class="chip chip--nowhere">{label}</span>;
  return (
    <button type="button" class="chip" style={style} onClick={() => look.pinAndShow(cell)}>
      {label}
    </button>
  );
}

/** Cells listed per tensor; the grids show the rest. */
const MAX_LISTED = 24;

type UsedByProps = CellProps & { readonly targets: readonly Region[] };

/** All cells that use a cell, each with the factor that multiplies it there. */
export function UsedBy({ geometry, cell: used, look, lookUp, targets }: UsedByProps) {
  if (targets.length === 0) {
    return (
      <p class="explain__note note">No window covers this cell, so nothing uses it and its gradient is exactly 0.</p>
    );
  }
  const point = (cells: readonly (Cell | null)[]) => {
    look.term.value = cells.flatMap((cell) =>
      cell ? sameCell(geometry, cell.tensor, positionOf(geometry, cell)) : [],
    );
  };
  return (
    <dl class="feeds grid loose small" onPointerLeave={() => point([])}>
      {targets.map((region) => (
        <div key={region.tensor} class="feeds__group">
          <dt>
            <span class="symbol">{region.tensor}</span>: {region.count.toLocaleString('en')}{' '}
            {region.count === 1 ? 'cell' : 'cells'}
          </dt>
          <dd>
            {Array.from(regionIndices(geometry, region, MAX_LISTED), (index) => {
              const cell = { tensor: region.tensor, index };
              const via = factorBeside(geometry, used, cell);
              const value = via && lookUp(via);
              return (
                <span key={index} class={via ? 'feeds__line' : ''} onPointerEnter={() => point([cell, via])}>
                  <CellChip label={cellLabel(geometry, cell)} cell={cell} look={look} />{' '}
                  {via && (
                    <span class="feeds__via">
                      via <CellChip label={cellLabel(geometry, via)} cell={via} look={look} />
                      {value !== null && ` = ${formatExact(value)}`}
                    </span>
                  )}
                </span>
              );
            })}
            {region.count > MAX_LISTED && <span>… {(region.count - MAX_LISTED).toLocaleString('en')} more</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Why an entry of C is a weight, or 0. */
export function MatrixEntry({ geometry: g, cell, look }: CellProps) {
  const image = oneImage(g);
  const { row, col } = positionOf(g, cell);
  const weight = weightBetween(g, outputOfC(g, row), inputOfC(g, col));
  const chip = (of: Cell | null) => of && <CellChip label={cellLabel(image, of)} cell={of} look={look} />;
  const ofRow = (tensor: 'y' | 'dy') => chip({ tensor, index: row });
  const ofColumn = (tensor: 'x' | 'dx') => chip({ tensor, index: col });
  return (
    <>
      <p class="explain__note note">
        Row {row} of C computes {ofRow('y')}; column {col} multiplies {ofColumn('x')}.
      </p>
      {weight ? (
        <>
          <p class="explain__note note">
            In the window of {ofRow('y')}, {chip(cellAt(g, 'w', weight))} multiplies {ofColumn('x')}. This entry is that
            weight.
          </p>
          <p class="explain__note note">
            Row {row} · x = {ofRow('y')}. In the transpose Cᵀ, the same entry takes the gradient from {ofRow('dy')} to{' '}
            {ofColumn('dx')}.
          </p>
        </>
      ) : (
        <p class="explain__note note">
          {ofColumn('x')} is not in the window of {ofRow('y')}, so this entry is 0. No gradient flows from {ofRow('dy')}{' '}
          to {ofColumn('dx')}.
        </p>
      )}
      {g.n > 1 && (
        <p class="explain__note note">C is the same for all {g.n} images. The cells named here are of the first.</p>
      )}
    </>
  );
}
