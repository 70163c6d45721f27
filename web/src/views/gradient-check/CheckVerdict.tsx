import type { ComponentChildren } from 'preact';
import { cellLabel } from '../../geometry/labels';
import { Button } from '../../ui/controls/Button';
import { formatScientific } from '../../ui/quantities';
import { isConfirmed, VERDICT } from '../kit/confirmed';
import type { ViewProps } from '../kit/view';
import { useViewModel } from '../kit/view-model';
import { type CheckChoice, choiceOf, epsilonsOf, gradientOf } from './choice';
import { bestOf, type CheckedCells, checkedCells, type Reading, stepReason, sweepsOf, worstOf } from './readings';
import '../kit/verdict.css';

/** One sentence about all cells of a gradient, in the place of a player. */
export function CheckVerdict({ state, answers, onState }: ViewProps) {
  const content = useViewModel().content.value;
  const { geometry: g } = content;
  const choice = choiceOf(content, state);
  const cells = checkedCells(answers, content, choice);
  if (!cells) return null;
  const sweep = sweepsOf(answers, content, choice).find(({ precision }) => precision === choice.precision);
  // The chosen cell at the step with the smallest error that confirms it, in the map's precision; null: no step does.
  const best = sweep ? bestOf(sweep) : null;
  const epsilonButton = (epsilon: number) => (
    <Button onClick={() => onState({ epsilon })}>Use ε = {formatScientific(epsilon, 1)}</Button>
  );
  const tensor = gradientOf(choice.parameter);
  const count = cells.relative.length;
  if (cells.checked < count) {
    return (
      <p class="verdict">
        {cells.checked.toLocaleString('en')} of {count.toLocaleString('en')} cells of {tensor} checked so far.
      </p>
    );
  }
  if (Number.isNaN(cells.worstVerdict)) {
    return <p class="verdict">No verdict while values are hidden. Reveal them first.</p>;
  }
  const largest = formatScientific(cells.maxRelative, 2);
  if (isConfirmed(cells.worstVerdict)) {
    const all = count === 1 ? `The one cell of ${tensor} agrees` : `All ${count} cells of ${tensor} agree`;
    const rounded = cells.verdict.filter((verdict) => verdict === VERDICT.withinRounding).length;
    const exact = cells.maxRelative === 0 && rounded === 0;
    return (
      <p class="verdict verdict--good">
        Confirmed. {all} with the finite difference
        {exact ? ', to the last bit.' : `: the largest relative error is ${largest}.`}
        {rounded > 0 && ` ${rounded === 1 ? '1 cell differs' : `${rounded} cells differ`} only by rounding.`}
      </p>
    );
  }
  const worst = cellLabel(g, { tensor, index: worstIn(cells) });
  if (cells.worstVerdict === VERDICT.wrong) {
    return (
      <p class="verdict verdict--poor">
        Wrong: {worst} differs from the finite difference by more than rounding and the step size explain. The largest
        relative error is {largest}.
      </p>
    );
  }
  if (cells.worstVerdict === VERDICT.atKink || cells.worstVerdict === VERDICT.atTie) {
    return <BendVerdict {...{ choice, cells, best, epsilonButton }} />;
  }
  const chosen = cellLabel(g, { tensor, index: choice.index });
  const better = best && best.epsilon !== choice.epsilon ? best : null;
  return (
    <div class="verdict verdict--step">
      <p>
        Not confirmed at this step in {choice.precision}, and not a mistake: {stepReason(choice, better)} explains the
        difference at {worst}.
        {better &&
          ` At ε = ${formatScientific(better.epsilon, 1)} the relative error of ${chosen} is ${formatScientific(better.relative, 1)}.`}
      </p>
      {better && epsilonButton(better.epsilon)}
      {!better && choice.precision === 'float32' && (
        <Button onClick={() => onState({ precision: 'float64' })}>Use float64</Button>
      )}
    </div>
  );
}

interface BendVerdictProps {
  readonly choice: CheckChoice;
  readonly cells: CheckedCells;
  readonly best: Reading | null;
  readonly epsilonButton: (epsilon: number) => ComponentChildren;
}

/** ReLU or max pooling bends the loss within the step: there it has no single slope. */
function BendVerdict({ choice, cells, best, epsilonButton }: BendVerdictProps) {
  const content = useViewModel().content.value;
  const steps = epsilonsOf(content);
  const index = worstIn(cells);
  const { layer = -1, cell = -1 } = cells.bends.get(index) ?? {};
  const bend = content.network?.layers[layer];
  if (!content.network || !bend) return null;
  const isKink = cells.worstVerdict === VERDICT.atKink;
  // The input of ReLU is the output of the layer before it; max pooling has the cell of its own output.
  const tensor = isKink ? 'x' : 'y';
  const number = isKink ? layer : layer + 1;
  const name = cellLabel(bend.geometry, { tensor, index: cell }).replace(tensor, number === 0 ? 'x' : `y${number}`);
  const changed = cellLabel(content.geometry, { tensor: choice.parameter, index });
  const isZero = isKink && content.network.values[layer]?.data[cell] === 0;
  const smaller = steps.findLast((step) => step < choice.epsilon);
  const next = best && best.epsilon < choice.epsilon ? best.epsilon : smaller;
  const what = isKink
    ? `ReLU of layer ${layer + 1} changes sign at ${name}`
    : `max pooling of layer ${layer + 1} changes its winner at ${name}`;
  return (
    <div class="verdict verdict--step">
      <p>
        Not a mistake: within ±ε of {changed}, {what}, so the loss bends.{' '}
        {isZero
          ? 'It is exactly 0, so no step avoids the bend.'
          : isKink
            ? 'Use a smaller step.'
            : 'Use a smaller step, unless two cells are equal.'}
      </p>
      {!isZero && next !== undefined && epsilonButton(next)}
    </div>
  );
}

/** Of the cells with the worst verdict, the one with the largest error. */
function worstIn({ relative, verdict, worstVerdict }: CheckedCells): number {
  return worstOf(relative.map((error, i) => (verdict[i] === worstVerdict ? error : -1)));
}
