import type { BoxRegion } from '../../geometry/region';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import type { Products } from '../../protocol/questions';
import { formatExact } from '../../ui/numbers';
import { CellChip } from './CellChip';
import type { Sum } from './sum-behind';
import { TermList } from './TermList';

interface MadeOfProps {
  readonly geometry: Geometry;
  readonly cell: Cell;
  readonly sum: Sum;
  /** Null until the library has answered. */
  readonly answer: Products | null;
  readonly lookUp: (cell: Cell) => number | null;
  readonly onTerm: (regions: readonly BoxRegion[]) => void;
  readonly onGo: (cell: Cell) => void;
}

/** The sum behind a cell: index form and numbers of every term, what the padding cost, and the result. */
export function MadeOf({ geometry, cell, sum, answer, lookUp, onTerm, onGo }: MadeOfProps) {
  const value = lookUp(cell);
  const bias = sum.bias && lookUp(sum.bias.cell) !== null ? sum.bias : null;
  return (
    <div class="made-of">
      {sum.total === 0 ? (
        <p class="explain__note">No window reads this cell, so nothing flows back to it: exactly 0.</p>
      ) : (
        <TermList
          geometry={geometry}
          sum={sum}
          products={answer?.products ?? null}
          lookUp={lookUp}
          onTerm={onTerm}
          onGo={onGo}
        />
      )}
      <dl class="totals">
        {answer && sum.complete && (
          <div class="totals__row">
            <dt>sum of the products</dt>
            <dd>{formatExact(answer.sum)}</dd>
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
      {remarks(geometry, sum).map((remark) => (
        <p key={remark} class="explain__note">
          {remark}
        </p>
      ))}
    </div>
  );
}

function remarks({ kh, kw }: Geometry, { inPadding, total, unmetTaps }: Sum): readonly string[] {
  const made = [];
  if (inPadding > 0) made.push(`${inPadding} of ${total} terms lie in the padding and are 0.`);
  if (unmetTaps > 0 && total > 0) {
    made.push(`${unmetTaps} of the ${kh * kw} taps meet no output here: between two strides, or beyond the edge.`);
  }
  return made;
}
