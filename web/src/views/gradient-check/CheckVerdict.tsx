import type { ComponentChildren } from 'preact';
import { cellLabel } from '../../geometry/labels';
import { numberOf } from '../../protocol/layers';
import type { Content } from '../../protocol/messages';
import { Button } from '../../ui/controls/Button';
import { formatAligned, formatScientific } from '../../ui/quantities';
import { isConfirmed, type Precision, VERDICT } from '../shared/answers';
import { useViewModel, type ViewProps } from '../shared/view-model';
import {
  type Bend,
  bestOf,
  type CheckedCells,
  checkChoice,
  checkedCells,
  gradientOf,
  type Reading,
  readingAt,
  type Sweep,
  stepReason,
  sweepsOf,
  worstOf,
} from './choice';
import '../shared/verdict.css';

const DIGITS: Readonly<Record<Precision, number>> = { float32: 8, float64: 15 };

/** The check of one cell, line by line, in both precisions. */
export function CheckTable({
  sweeps,
  epsilon,
  name,
  gradient,
}: {
  sweeps: readonly Sweep[];
  epsilon: number;
  /** The changed cell, "w[1,1]", and its gradient, "dw[1,1]". */
  name: string;
  gradient: string;
}) {
  type Shown = (reading: Reading, precision: Precision) => ComponentChildren;
  /** `said`: the full label for screen readers; a narrow table shortens the visible one. */
  const row = (label: ComponentChildren, cell: Shown, said?: string) => (
    <tr key={said}>
      <th scope="row" aria-label={said}>
        {label}
      </th>
      {sweeps.map((sweep) => {
        const reading = readingAt(sweep, epsilon);
        return <td key={sweep.precision}>{reading && cell(reading, sweep.precision)}</td>;
      })}
    </tr>
  );
  const bends = sweeps.some((sweep) => readingAt(sweep, epsilon)?.slopes);
  return (
    <div class="check-table__room">
      <table class="check-table">
        <caption class="visually-hidden">The check of {gradient}, step by step</caption>
        <thead>
          <tr>
            <td />
            {sweeps.map(({ precision }) => (
              <th key={precision} scope="col">
                {precision}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(['+', '−'] as const).map((sign) =>
            row(
              <>
                L at <CellName name={name} /> {sign} ε
              </>,
              ({ lossPlus, lossMinus }, precision) => {
                const [loss, other] = sign === '+' ? [lossPlus, lossMinus] : [lossMinus, lossPlus];
                return <Digits text={digits(loss, precision)} beside={digits(other, precision)} />;
              },
              `L at ${name} ${sign} ε`,
            ),
          )}
        </tbody>
        <tbody>
          {row('difference / 2ε', ({ numeric }, precision) => digits(numeric, precision))}
          {row(
            <>
              backward pass
              <span class="check-table__of">
                , <i>{gradient}</i>
              </span>
            </>,
            ({ analytic }, precision) => digits(analytic, precision),
            `backward pass, ${gradient}`,
          )}
        </tbody>
        {bends && (
          <tbody>
            {row('slope upwards', ({ slopes }, precision) => slopes && digits(slopes.above, precision))}
            {row('slope downwards', ({ slopes }, precision) => slopes && digits(slopes.below, precision))}
          </tbody>
        )}
        <tbody>
          {row('absolute error', ({ absolute, verdict }) => (
            <ErrorText error={absolute} verdict={verdict} decisive={verdict === VERDICT.withinRounding} />
          ))}
          {row('relative error', ({ relative, verdict }) => (
            <ErrorText error={relative} verdict={verdict} decisive={verdict !== VERDICT.withinRounding} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ErrorText({
  error,
  verdict,
  decisive: by,
}: {
  error: number;
  verdict: number;
  /** The verdict depends on this error. */
  decisive: boolean;
}) {
  const text = formatScientific(error, 2);
  if (!by || Number.isNaN(verdict)) return <>{text}</>;
  if (isConfirmed(verdict)) return <span class="check-table__good">{text} ✓</span>;
  return verdict === VERDICT.wrong ? (
    <span class="check-table__poor">{text} ✗</span>
  ) : (
    <span class="check-table__step">{text} ?</span>
  );
}

/** The name of the cell; hidden in a narrow table, which needs the room for digits. The title above the table has it. */
const CellName = ({ name }: { name: string }) => (
  <span class="check-table__of">
    <i>{name}</i>{' '}
  </span>
);

/** The leading digits that both losses share cancel in their difference: they are drawn pale. */
function Digits({ text, beside }: { text: string; beside: string }) {
  let shared = 0;
  if (text.length === beside.length && !text.includes('·')) {
    while (shared < text.length && text[shared] === beside[shared]) shared += 1;
  }
  return (
    <>
      <span class="check-table__shared">{text.slice(0, shared)}</span>
      <span class="check-table__own">{text.slice(shared)}</span>
    </>
  );
}

/** Both losses get the same number of digits, so that they can be compared. */
function digits(value: number, precision: Precision) {
  return formatAligned(value, DIGITS[precision]);
}

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
  if (bend) {
    const changed = cellLabel(g, { tensor: choice.parameter, index: worstIn(cells) });
    return (
      <div class="verdict verdict--step">
        <p>{bendSentence(content, changed, bend)}</p>
        {(!bend.isAtValue || !isChosen) && action}
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

/** What bends the loss within ±ε of a cell, and its slopes on both sides. Exported for its test. */
export function bendSentence(
  { layers }: Pick<Content, 'layers'>,
  changed: string,
  { layer, cell, isAtValue, winners, slopes }: Bend,
): string {
  const { geometry: own, title } = layers[layer] ?? {};
  // The input of a layer is the output of the layer before it.
  const name = (tensor: 'x' | 'y', index: number) => {
    const output = tensor === 'x' ? layer - 1 : layer;
    const before = layers[output]?.geometry;
    const label = own ? cellLabel(own, { tensor, index }) : before ? cellLabel(before, { tensor: 'y', index }) : '';
    return label.replace(/^./, output < 0 ? 'x' : `y${numberOf(layers, output)}`);
  };
  const isTie = winners[0] >= 0;
  const both = isTie ? winners.map((index) => name('x', index)) : [];
  const [above, below] = [slopes.above, slopes.below].map((slope) => formatScientific(slope, 3));
  const sides = `upwards the slope is ${above}, downwards ${below}`;
  if (!isAtValue) {
    const what = !own
      ? `${name('x', cell)} reaches its target, where the loss has a kink`
      : isTie
        ? `${title} of layer ${layer + 1} changes its winner of ${name('y', cell)}, ${both.join(' or ')}`
        : `${title} of layer ${layer + 1} changes its sign at ${name('x', cell)}`;
    return `Not confirmed at this step: within ±ε of ${changed}, ${what}. So the loss bends: ${sides}.`;
  }
  const what = !own
    ? `At the loss, ${name('x', cell)} is its target`
    : `In layer ${layer + 1}, ${isTie ? `${both.join(' and ')} are equal, the two largest cells of a window` : `${name('x', cell)} is 0`}`;
  const rule = !own ? 'that of a slope of 0 there' : isTie ? 'that of the first of the two' : 'that below 0';
  // Both cells of a tie can lead to the same slope.
  const slope =
    above === below
      ? `Upwards and downwards the slope at ${changed} is ${above}`
      : `No single slope at ${changed}: ${sides}`;
  return `${slope}. ${what}. The gradient is ${rule}, at any step.`;
}

/** Of the cells with the worst verdict, the one with the largest error. */
function worstIn({ relative, verdict, worstVerdict }: CheckedCells) {
  return worstOf(relative.map((error, i) => (verdict[i] === worstVerdict ? error : -1)));
}
