import { coverageOf } from '../../geometry/coverage';
import { positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import type { Geometry } from '../../protocol/problem';
import type { GradientCheck } from '../../protocol/questions';
import { formatCell, formatExact } from '../../ui/numbers';
import type { Answered } from '../kit/answers';
import { isConfirmed } from '../kit/confirmed';
import { MODES } from './choice';
import { foldOf } from './fold-needs';

interface EvidenceProps {
  readonly geometry: Geometry;
  /** Flat index into x of the cell that was nudged. */
  readonly index: number;
  readonly folds: readonly Answered<'fold'>[];
  readonly check: GradientCheck | undefined;
}

/** Why adding: the slope of the loss, measured by nudging one cell of x, beside what the three ways give. */
export function Evidence({ geometry: g, index, folds, check }: EvidenceProps) {
  const run = check?.runs[0];
  const slope = run?.cells.numeric[0];
  if (!run || slope === undefined) return null;
  const { row, col } = positionOf(g, { tensor: 'x', index });
  const { rows, cols } = coverageOf(g);
  const count = (rows[row] ?? 0) * (cols[col] ?? 0);
  const name = cellLabel(g, { tensor: 'x', index });
  const [sum, ...others] = MODES.map(({ value }) => foldOf(folds, value, 'all')?.data[index]);
  const confirmed = isConfirmed('float64', run.max_relative_error) || isConfirmed('float32', run.max_relative_error);
  return (
    <section class="evidence">
      <h3 class="evidence__title">Which is the gradient? Ask the loss.</h3>
      <p>
        {name} has {count === 1 ? 'one copy' : `${count} copies`} in x_col. Move {name} a little, run the forward pass
        again, and the loss changes with a slope of <strong>{formatCell(slope, { digits: 4, chars: 12 })}</strong>.
      </p>
      <table class="evidence__table">
        <caption class="visually-hidden">{cellLabel(g, { tensor: 'dx', index })} by each way of folding</caption>
        <tbody>
          {MODES.map(({ value, label }) => (
            <tr key={value}>
              <th scope="row">{label}</th>
              <td>{formatExact(foldOf(folds, value, 'all')?.data[index] ?? Number.NaN)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {confirmed && <p class="evidence__verdict">{verdictOf(count, others.includes(sum))}</p>}
    </section>
  );
}

function verdictOf(copies: number, alike: boolean): string {
  if (copies < 2) return 'With one copy there is nothing to add. Click a cell of dx that more windows read.';
  if (alike) return 'With these numbers another way happens to agree. Click another cell of dx, or set dy to random.';
  return 'Only the sum is that slope: x moves all its copies at once, so the loss hears from all of them.';
}
