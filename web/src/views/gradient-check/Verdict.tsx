import { cellLabel } from '../../geometry/labels';
import { Button } from '../../ui/controls/Button';
import { formatScientific } from '../../ui/quantities';
import { isConfirmed } from '../kit/confirmed';
import { useGeometry } from '../kit/picture';
import { type Choice, gradientOf } from './choice';
import { type CheckedCells, type Reading, worstOf } from './readings';
import '../kit/verdict.css';

interface VerdictProps {
  readonly choice: Choice;
  /** The cells of the parameter at the chosen step. */
  readonly cells: CheckedCells;
  /** The chosen cell at its best step, in the map's precision. */
  readonly best: Reading | null;
  readonly onEpsilon: (epsilon: number) => void;
}

/** One sentence about all cells of a gradient. */
export function Verdict({ choice, cells, best, onEpsilon }: VerdictProps) {
  const g = useGeometry();
  const tensor = gradientOf(choice.parameter);
  const count = cells.relative.length;
  if (cells.checked < count) {
    return (
      <p class="verdict">
        {cells.checked.toLocaleString('en')} of {count.toLocaleString('en')} cells of {tensor} checked so far.
      </p>
    );
  }
  const all = count === 1 ? `The one cell of ${tensor} agrees` : `All ${count} cells of ${tensor} agree`;
  const largest = formatScientific(cells.maxRelative, 2);
  if (cells.maxRelative === 0) {
    return <p class="verdict verdict--good">{all} with the difference quotient, to the last bit.</p>;
  }
  if (isConfirmed(choice.precision, cells.maxRelative)) {
    return (
      <p class="verdict verdict--good">
        {all} with the difference quotient: the largest relative error is {largest}.
      </p>
    );
  }
  const worst = cellLabel(g, { tensor, index: worstOf(cells.relative) });
  // What another step makes of a cell that fails with this one says something about the step, else nothing.
  const fails = !isConfirmed(choice.precision, cells.relative[choice.index] ?? 0);
  const better = fails && best && isConfirmed(choice.precision, best.relative) ? best : null;
  return (
    <div class="verdict verdict--poor">
      <p>
        Not confirmed with this step in {choice.precision}: the relative error goes up to {largest}, at {worst}.
        {better && ' The step is at fault, not the gradient.'}
      </p>
      {better && (
        <Button onClick={() => onEpsilon(better.epsilon)}>Take ε = {formatScientific(better.epsilon, 1)}</Button>
      )}
    </div>
  );
}
