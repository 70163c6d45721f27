import { inputOfC, oneImage, outputOfC, weightBetween } from '../../geometry/conv-matrix';
import { cellAt, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { CellChip } from './CellChip';

interface MatrixEntryProps {
  readonly geometry: Geometry;
  /** An entry of C. */
  readonly cell: Cell;
  readonly onGo: (cell: Cell) => void;
}

/** Why an entry of C is a weight, or 0. */
export function MatrixEntry({ geometry: g, cell, onGo }: MatrixEntryProps) {
  const image = oneImage(g);
  const { row, col } = positionOf(g, cell);
  const weight = weightBetween(g, outputOfC(g, row), inputOfC(g, col));
  const chip = (of: Cell | null) => of && <CellChip label={cellLabel(image, of)} cell={of} onGo={onGo} />;
  const ofRow = (tensor: 'y' | 'dy') => chip({ tensor, index: row });
  const ofColumn = (tensor: 'x' | 'dx') => chip({ tensor, index: col });
  return (
    <div class="made-of">
      <p class="explain__note">
        Row {row} of C computes {ofRow('y')}; column {col} multiplies {ofColumn('x')}.
      </p>
      {weight ? (
        <>
          <p class="explain__note">
            In the window of {ofRow('y')}, {chip(cellAt(g, 'w', weight))} multiplies {ofColumn('x')}. This entry is that
            weight.
          </p>
          <p class="explain__note">
            Row {row} · x = {ofRow('y')}. In the transpose Cᵀ, the same entry takes the gradient from {ofRow('dy')} to{' '}
            {ofColumn('dx')}.
          </p>
        </>
      ) : (
        <p class="explain__note">
          {ofColumn('x')} is not in the window of {ofRow('y')}, so this entry is 0. No gradient flows from {ofRow('dy')}{' '}
          to {ofColumn('dx')}.
        </p>
      )}
      {g.n > 1 && (
        <p class="explain__note">C is the same for all {g.n} images. The cells named here are of the first.</p>
      )}
    </div>
  );
}
