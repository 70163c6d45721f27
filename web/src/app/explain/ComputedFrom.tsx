import { useState } from 'preact/hooks';
import { indexWords, termForm } from '../../geometry/labels';
import type { BoxRegion } from '../../geometry/region';
import type { Cell, GridName } from '../../protocol/cell';
import type { Geometry, Tensor, TensorName } from '../../protocol/problem';
import type { Products } from '../../protocol/questions';
import { sumLatex } from '../../snippets/latex';
import { Formula } from '../../ui/Formula';
import { formatExact } from '../../ui/numbers';
import { CopyLatex } from '../page/use-copy';
import { CellChip } from './CellChip';
import type { CellSum } from './cell-sum';
import { PlaneList } from './PlaneList';
import { SumGrids } from './SumGrids';
import { TermList } from './TermList';
import { termRegions } from './term-regions';

interface ComputedFromProps {
  readonly geometry: Geometry;
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  readonly cell: Cell;
  readonly sum: CellSum;
  /** Null until the library has answered. */
  readonly answer: Products | null;
  /** What computed the cell: "im2col_gemm" or "the library". */
  readonly by: string;
  readonly lookUp: (cell: Cell) => number | null;
  readonly onTerm: (regions: readonly BoxRegion[]) => void;
  readonly onGo: (cell: Cell) => void;
}

/** The sum behind a cell: formula, grids of factors, terms, remarks, result. */
export function ComputedFrom({ geometry, tensors, cell, sum, answer, by, lookUp, onTerm, onGo }: ComputedFromProps) {
  const { page, planes, formula, bias } = sum;
  const [pointed, setPointed] = useState<number | null>(null);
  const [open, setOpen] = useState<number | null>(0);
  const point = (number: number | null) => {
    setPointed(number);
    const term = number === null ? null : termForm(geometry, page, number);
    onTerm(term ? termRegions(geometry, term) : []);
  };
  const size = planes ? planes.rows * planes.cols : 0;
  const plane = pointed !== null && size > 0 ? Math.floor(pointed / size) : (open ?? 0);
  const leading = planes?.leading ?? 'a';
  const list = { geometry, page, leading, products: answer?.products ?? null, pointed, lookUp, onPoint: point, onGo };
  const value = lookUp(cell);
  return (
    <div class="made-of">
      {formula && <Formula text={formula.text} />}
      {formula && formula.where.length > 0 && <p class="formula__where">{formula.where.join(', ')}</p>}
      {page.total === 0 && <p class="explain__note">No window covers this cell, so its gradient is exactly 0.</p>}
      {page.total > 0 && planes && (
        <>
          <p class="formula__words">
            {wordsOf(geometry, [cell.tensor, ...(planes.leading === 'b' ? [page.b, page.a] : [page.a, page.b])])}
          </p>
          <SumGrids {...{ geometry, tensors, page, planes, plane, pointed, lookUp }} onPoint={point} />
          <PlaneList {...list} planes={planes} subtotals={answer?.subtotals ?? null} open={open} onOpen={setOpen} />
        </>
      )}
      {page.total > 0 && !planes && <TermList {...list} first={0} count={1} />}
      {!sum.complete && planes?.count === 1 && (
        <p class="terms__more">… {(page.total - page.index_a.length).toLocaleString('en')} more terms</p>
      )}
      <dl class="totals">
        {sum.complete && planes && (
          <div class="totals__row">
            <dt>{page.b ? 'sum of the products' : 'sum'}</dt>
            <dd>{answer ? formatExact(answer.sum) : ''}</dd>
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
          <dt>
            <i>{cell.tensor}</i> computed by {by}
          </dt>
          <dd>{value === null ? '' : formatExact(value)}</dd>
        </div>
      </dl>
      <CopyLatex
        what="this sum"
        latex={() =>
          sumLatex(geometry, {
            ...{ cell, page, leading, lookUp },
            formula: formula?.text ?? null,
            bias: bias?.cell ?? null,
          })
        }
      />
      {remarks(geometry, sum).map((remark) => (
        <p key={remark} class="explain__note">
          {remark}
        </p>
      ))}
    </div>
  );
}

/** "y[n, row, column, filter], x[n, row, column, channel], ..." */
function wordsOf(g: Geometry, names: readonly (GridName | null)[]): string {
  return names
    .filter((name) => name !== null)
    .map((name) => `${name}[${indexWords(g, name)}]`)
    .join(', ');
}

function remarks({ kh, kw }: Geometry, { page: { inPadding, total, unmetTaps } }: CellSum): readonly string[] {
  const lines = [];
  if (inPadding > 0) lines.push(`${inPadding} of ${total} terms are in the padding and are 0.`);
  if (unmetTaps > 0 && total > 0) {
    lines.push(`No window here for ${unmetTaps} of ${kh * kw} weights: skipped by the stride or beyond the edge.`);
  }
  return lines;
}
