import { inputOfC, oneImage, outputOfC, weightBetween } from '../../geometry/conv-matrix';
import { cellAt, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { CellChip } from './CellChip';

interface EntryMadeProps {
  readonly geometry: Geometry;
  /** An entry of C. */
  readonly cell: Cell;
  readonly onGo: (cell: Cell) => void;
}

/** Why there is a weight at an entry of C, or nothing. */
export function EntryMade({ geometry: g, cell, onGo }: EntryMadeProps) {
  const image = oneImage(g);
  const { row, col } = positionOf(g, cell);
  const weight = weightBetween(g, outputOfC(g, row), inputOfC(g, col));
  const chip = (of: Cell | null) => of && <CellChip label={cellLabel(image, of)} cell={of} onGo={onGo} />;
  const ofRow = (tensor: 'y' | 'dy') => chip({ tensor, index: row });
  const ofColumn = (tensor: 'x' | 'dx') => chip({ tensor, index: col });
  return (
    <div class="made-of">
      <p class="explain__note">
        Row {row} of C makes {ofRow('y')}, and column {col} is that of {ofColumn('x')}.
      </p>
      {weight ? (
        <>
          <p class="explain__note">
            The window of {ofRow('y')} meets {ofColumn('x')} with {chip(cellAt(g, 'w', weight))}, so that weight stands
            here.
          </p>
          <p class="explain__note">
            Row {row} times x, entry by entry and added, is the sum of {ofRow('y')}. Turned over, in Cᵀ, the same entry
            leads from {ofRow('dy')} back to {ofColumn('dx')}.
          </p>
        </>
      ) : (
        <p class="explain__note">
          {ofColumn('x')} is not in the window of {ofRow('y')}, so there is nothing here: no weight joins the two, and
          nothing flows back from {ofRow('dy')} to {ofColumn('dx')}.
        </p>
      )}
      {g.n > 1 && <p class="explain__note">C is the same for all {g.n} images; named here are cells of the first.</p>}
    </div>
  );
}
