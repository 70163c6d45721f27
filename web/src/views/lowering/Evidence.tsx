import { coverageOf } from '../../geometry/axis';
import { positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import type { Geometry } from '../../protocol/problem';
import type { GradientCheck } from '../../protocol/questions';
import { formatCell, formatExact } from '../../ui/numbers';
import type { Answered } from '../kit/answers';
import { isConfirmed } from '../kit/confirmed';
import { MODES } from './choice';
import { foldOf } from './col2im-needs';

interface EvidenceProps {
  readonly geometry: Geometry;
  /** Flat index into x of the cell that is changed. */
  readonly index: number;
  readonly folds: readonly Answered<'fold'>[];
  readonly check: GradientCheck | undefined;
}

/** Shows that copies are added: the measured slope of the loss for one cell of x, and the results of the three ways. */
export function Evidence({ geometry: g, index, folds, check }: EvidenceProps) {
  const run = check?.runs[0];
  const slope = run?.cells.numeric[0];
  if (!run || slope === undefined) return null;
  const { row, col } = positionOf(g, { tensor: 'x', index });
  const { rows, cols } = coverageOf(g);
  const count = (rows[row] ?? 0) * (cols[col] ?? 0);
  const name = cellLabel(g, { tensor: 'x', index });
  const [sum, ...others] = MODES.map(({ value }) => foldOf(folds, value, 'all')?.data[index]);
  const confirmed = isConfirmed(run.verdict);
  return (
    <section class="evidence">
      <h3 class="evidence__title">Which is the gradient? Measure the loss.</h3>
      <p>
        {name} has {count === 1 ? 'one copy' : `${count} copies`} in x_col. Change {name} a little and run the forward
        pass again: the loss has the slope <strong>{formatCell(slope, { digits: 4, chars: 12 })}</strong>.
      </p>
      <table class="evidence__table">
        <caption class="visually-hidden">
          {cellLabel(g, { tensor: 'dx', index })} for each way to combine copies
        </caption>
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
  if (copies < 2) return 'One copy: there is nothing to add. Click a cell of dx that more windows read.';
  if (alike)
    return 'With these values another way gives the same result. Click another cell of dx, or set dy to random.';
  return 'Only the sum matches the slope: a change of x changes all its copies, and each changes the loss.';
}
