import { cellLabel } from '../../geometry/labels';
import type { Content } from '../../protocol/messages';
import { Button } from '../../ui/controls/Button';
import { formatScientific } from '../../ui/quantities';
import { isConfirmed, VERDICT } from '../kit/confirmed';
import type { ViewProps } from '../kit/view';
import { useViewModel } from '../kit/view-model';
import { checkChoice, gradientOf } from './choice';
import { type Bend, bestOf, type CheckedCells, checkedCells, stepReason, sweepsOf, worstOf } from './readings';
import '../kit/verdict.css';

/** One sentence about all cells of a gradient, in the place of a player. */
export function CheckVerdict({ state, answers, onState }: ViewProps) {
  const content = useViewModel().content.value;
  const { geometry: g } = content;
  const choice = checkChoice(content, state);
  const cells = checkedCells(answers, content, choice);
  if (!cells) return null;
  const sweeps = sweepsOf(answers, content, choice);
  const sweep = sweeps.find(({ precision }) => precision === choice.precision);
  // The chosen cell at the step with the smallest error that confirms it, in the map's precision; null: no step does.
  const best = sweep ? bestOf(sweep) : null;
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
  if (cells.worstVerdict === VERDICT.undecided) {
    return (
      <p class="verdict verdict--step">
        Cannot tell: at every step, rounding hides the slope of {worst}. It may be right. Values closer to 0 are rounded
        less.
      </p>
    );
  }
  const isChosen = worstIn(cells) === choice.index;
  // The sweep is that of the chosen cell.
  const better = best && best.epsilon !== choice.epsilon ? best : null;
  const finer = choice.precision === 'float32' && sweeps.some((each) => each !== sweep && bestOf(each));
  const action =
    better && isChosen ? (
      <Button onClick={() => onState({ epsilon: better.epsilon })}>
        Use ε = {formatScientific(better.epsilon, 1)}
      </Button>
    ) : !isChosen ? (
      <Button onClick={() => onState({ index: worstIn(cells) })}>Select {worst}</Button>
    ) : finer ? (
      <Button onClick={() => onState({ precision: 'float64' })}>Use float64</Button>
    ) : null;
  const bend = cells.bends.get(worstIn(cells));
  if (bend || cells.worstVerdict === VERDICT.atKink) {
    const changed = cellLabel(g, { tensor: choice.parameter, index: worstIn(cells) });
    return (
      <div class="verdict verdict--step">
        <p>{bend ? bendSentence(content, changed, bend) : lossBends(changed)}</p>
        {(!bend?.isAtValue || !isChosen) && action}
      </div>
    );
  }
  return (
    <div class="verdict verdict--step">
      <p>
        Not confirmed at this step in {choice.precision}, and not a mistake:{' '}
        {stepReason(cells.curved[worstIn(cells)] ?? false)} explains the difference at {worst}.
        {better &&
          isChosen &&
          ` At ε = ${formatScientific(better.epsilon, 1)} the relative error of ${worst} is ${formatScientific(better.relative, 1)}.`}
      </p>
      {action}
    </div>
  );
}

/** The kink of the loss itself. */
const lossBends = (changed: string): string =>
  `Not confirmed at this step, and not a mistake: within ±ε of ${changed}, y reaches its target, where the loss has a kink.`;

/** What bends the loss within ±ε of a cell, and its slopes on both sides. Exported for its test. */
export function bendSentence(
  { layers }: Pick<Content, 'layers'>,
  changed: string,
  { layer, cell, isAtValue, winners, slopes }: Bend,
): string {
  const { geometry, title } = layers[layer] ?? {};
  if (!geometry) return lossBends(changed);
  // The input of a layer is the output of the layer before it.
  const name = (tensor: 'x' | 'y', index: number) => {
    const number = tensor === 'x' ? layer : layer + 1;
    return cellLabel(geometry, { tensor, index }).replace(tensor, number === 0 ? 'x' : `y${number}`);
  };
  const isTie = winners[0] >= 0;
  const both = isTie ? winners.map((index) => name('x', index)) : [];
  const sides = `upwards the slope is ${formatScientific(slopes.above, 3)}, downwards ${formatScientific(slopes.below, 3)}`;
  if (!isAtValue) {
    const what = isTie
      ? `${title} of layer ${layer + 1} changes its winner of ${name('y', cell)}, ${both.join(' or ')}`
      : `${title} of layer ${layer + 1} changes its sign at ${name('x', cell)}`;
    return `Not confirmed at this step: within ±ε of ${changed}, ${what}. So the loss bends: ${sides}.`;
  }
  const what = isTie ? `${both.join(' and ')} are equal, the two largest cells of a window` : `${name('x', cell)} is 0`;
  const rule = isTie ? 'that of the first of the two' : 'that below 0';
  return `No single slope at ${changed}: ${sides}. In layer ${layer + 1}, ${what}. The gradient is ${rule}, at any step.`;
}

/** Of the cells with the worst verdict, the one with the largest error. */
function worstIn({ relative, verdict, worstVerdict }: CheckedCells): number {
  return worstOf(relative.map((error, i) => (verdict[i] === worstVerdict ? error : -1)));
}
