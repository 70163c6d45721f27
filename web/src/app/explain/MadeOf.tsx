import type { ComputeClient } from '../../compute/client';
import type { BoxRegion } from '../../geometry/region';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { formatExact } from '../../ui/numbers';
import { CellChip } from './CellChip';
import { TermList } from './TermList';
import { type Explanation, useTerms } from './use-terms';

interface MadeOfProps {
  readonly client: ComputeClient;
  readonly geometry: Geometry;
  readonly revision: number;
  readonly cell: Cell;
  readonly lookUp: (cell: Cell) => number | null;
  readonly onTerm: (regions: readonly BoxRegion[]) => void;
  readonly onGo: (cell: Cell) => void;
}

/** The sum behind a cell: index form and numbers of every term, what the padding cost, and the result. */
export function MadeOf({ client, geometry, revision, cell, lookUp, onTerm, onGo }: MadeOfProps) {
  const explanation = useTerms(client, geometry, cell, revision);
  if (!explanation) return null;
  const value = lookUp(cell);
  const bias = explanation.bias && lookUp(explanation.bias.cell) !== null ? explanation.bias : null;
  return (
    <div class="made-of">
      {explanation.total === 0 ? (
        <p class="explain__note">No window reads this cell, so nothing flows back to it: exactly 0.</p>
      ) : (
        <TermList geometry={geometry} explanation={explanation} lookUp={lookUp} onTerm={onTerm} onGo={onGo} />
      )}
      <dl class="totals">
        {explanation.sum !== null && (
          <div class="totals__row">
            <dt>sum of the products</dt>
            <dd>{formatExact(explanation.sum)}</dd>
          </div>
        )}
        {bias && (
          <div class="totals__row">
            <dt>
              + <CellChip label={bias.label} cell={bias.cell} onGo={onGo} />
            </dt>
            <dd>{formatExact(lookUp(bias.cell) ?? 0)}</dd>
          </div>
        )}
        <div class="totals__row totals__row--result">
          <dt>{cell.tensor} as the kernel computed it</dt>
          <dd>{value === null ? '' : formatExact(value)}</dd>
        </div>
      </dl>
      {remarks(geometry, explanation).map((remark) => (
        <p key={remark} class="explain__note">
          {remark}
        </p>
      ))}
    </div>
  );
}

function remarks({ kh, kw }: Geometry, { inPadding, total, unmetTaps }: Explanation): readonly string[] {
  const made = [];
  if (inPadding > 0) made.push(`${inPadding} of ${total} terms lie in the padding and are 0.`);
  if (unmetTaps > 0 && total > 0) {
    made.push(`${unmetTaps} of the ${kh * kw} taps meet no output here: between two strides, or beyond the edge.`);
  }
  return made;
}
