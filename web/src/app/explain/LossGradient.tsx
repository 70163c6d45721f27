import { gridOf, positionOf } from '../../geometry/grid';
import { positionLabel } from '../../geometry/labels';
import type { Cell } from '../../protocol/cell';
import type { Loss } from '../../protocol/messages';
import type { Geometry } from '../../protocol/problem';
import type { LossCell } from '../../protocol/questions';
import { Formula } from '../../ui/Formula';
import { formatExact } from '../../ui/numbers';
import { CellChip } from './CellChip';

interface LossGradientProps {
  readonly geometry: Geometry;
  /** Of dy. */
  readonly cell: Cell;
  readonly loss: Loss['kind'];
  /** Null until the library has answered. */
  readonly answer: LossCell | null;
  readonly onGo: (cell: Cell) => void;
}

/** The gradient of a loss at one cell of dy: formula and values. */
export function LossGradient({ geometry, cell, loss, answer, onGo }: LossGradientProps) {
  const { cells } = gridOf(geometry, 'y');
  const index = positionLabel(geometry, 'y', positionOf(geometry, { ...cell, tensor: 'y' })).slice(1);
  const difference = `y${index} − target${index}`;
  const rows: readonly (readonly [string, number | undefined])[] = [
    [`target${index}`, answer?.target],
    [difference, answer?.difference],
    ...(loss === 'log_cosh' ? [[`tanh(${difference})`, answer?.slope] as const] : []),
  ];
  return (
    <div class="made-of">
      <Formula text={`dy${index} = ${loss === 'mse' ? `(${difference})` : `tanh(${difference})`} / ${cells}`} />
      <p class="formula__words">
        How the loss changes with this cell of y. The loss is a mean over the {cells.toLocaleString('en')} cells of y.
      </p>
      <Formula text={loss === 'mse' ? `L = Σ (y − target)² / ${2 * cells}` : `L = Σ log cosh(y − target) / ${cells}`} />
      <dl class="totals">
        <div class="totals__row">
          <dt>
            <CellChip label={`y${index}`} cell={{ tensor: 'y', index: cell.index }} onGo={onGo} />
          </dt>
          <dd>{answer && formatExact(answer.y)}</dd>
        </div>
        {rows.map(([name, value]) => (
          <div key={name} class="totals__row">
            <dt>{name}</dt>
            <dd>{value === undefined ? '' : formatExact(value)}</dd>
          </div>
        ))}
        <div class="totals__row totals__row--result">
          <dt>
            <i>dy</i>
            {index}, the value above divided by {cells.toLocaleString('en')}
          </dt>
          <dd>{answer && formatExact(answer.gradient)}</dd>
        </div>
      </dl>
    </div>
  );
}
