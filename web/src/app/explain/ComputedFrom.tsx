import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { gridOf, positionOf, sameCell } from '../../geometry/grid';
import { indexWords, positionLabel, termForm } from '../../geometry/labels';
import type { SumPlanes } from '../../geometry/terms';
import type { LookStore } from '../../look/look-store';
import { lossEntry } from '../../losses/entries';
import { isPerPosition } from '../../losses/list';
import type { Content, LossValue } from '../../protocol/messages';
import type { Cell, Geometry, GridName } from '../../protocol/problem';
import type { LossCell, Products } from '../../protocol/questions';
import { Button } from '../../ui/controls/Button';
import { Formula } from '../../ui/Formula';
import { lazy } from '../../ui/lazy';
import { Late } from '../../ui/notices';
import { formatCell, formatExact } from '../../ui/numbers';
import { CopyLatex } from '../page/use-copy';
import type { CellSum } from '../questions/cell-sum';
import { CellChip, type CellProps, SumGrids, TermList, type TermListProps } from './Terms';

/** The sum behind a cell: in one line with its numbers, as grids of factors, as terms, its result; then its formula, and remarks. */
export function ComputedFrom({
  geometry,
  cell,
  look,
  content,
  sum,
  answer,
  lookUp,
}: CellProps & {
  content: Content;
  sum: CellSum;
  /** Null until the library has answered. */
  answer: Products | null;
}) {
  const { page, planes, formula, bias } = sum;
  const result = lookUp(cell);
  const [pointed, setPointed] = useState<number | null>(null);
  // Closed at first: the subtotals of all channels are in view together.
  const [open, setOpen] = useState<number | null>(null);
  const onPoint = (number: number | null) => {
    setPointed(number);
    const term = number === null ? null : termForm(geometry, page, number);
    // Factors in the padding have no region.
    look.term.value = [term?.a, term?.b].flatMap((factor) =>
      factor?.cell ? sameCell(geometry, factor.tensor, positionOf(geometry, factor.cell)) : [],
    );
  };
  const size = planes ? planes.rows * planes.cols : 0;
  const plane = pointed !== null && size > 0 ? Math.floor(pointed / size) : (open ?? planeInFocus(planes, look));
  const leading = planes?.leading ?? 'a';
  const names = [cell.tensor, ...(leading === 'b' ? [page.b, page.a] : [page.a, page.b])].filter(
    (name) => name !== null,
  );
  const shared = { geometry, page, pointed, lookUp, onPoint };
  const list = { ...shared, leading, products: answer?.products ?? null, look };
  return (
    <>
      <Late part={sumFormula}>
        {(Sum) => <Sum content={content} cell={cell} most={MOST_IN_LINE} added={bias?.cell ?? null} />}
      </Late>
      {page.total === 0 && (
        <p class="explain__note note">No window covers this cell, so it is {bias ? 'the bias alone' : 'exactly 0'}.</p>
      )}
      {page.total > 0 && planes && (
        <>
          <SumGrids {...shared} tensors={content.tensors} planes={planes} plane={plane} />
          <PlaneList {...list} planes={planes} subtotals={answer?.subtotals ?? null} open={open} onOpen={setOpen} />
        </>
      )}
      {page.total > 0 && !planes && <TermList {...list} first={0} count={1} />}
      {!sum.complete && planes?.count === 1 && (
        <p class="terms__more small">… {(page.total - page.index_a.length).toLocaleString('en')} more terms</p>
      )}
      <dl class="totals small">
        {sum.complete && planes && <Total value={answer?.sum}>sum</Total>}
        {bias && (
          <Total value={lookUp(bias.cell) ?? 0}>
            + <CellChip label={bias.label} cell={bias.cell} look={look} />
          </Total>
        )}
        <Total value={result} isResult isRight={result !== null && !bias && sum.complete && answer?.sum === result}>
          library
        </Total>
      </dl>
      {formula && <Formula text={formula.text} />}
      {formula && formula.where.length > 0 && <p class="formula__where small">{formula.where.join(', ')}</p>}
      {formula && planes && <p class="formula__words small">{namesOfIndices(geometry, names)}</p>}
      <CopyLatex
        what="this sum"
        latex={({ sumLatex }) =>
          sumLatex(geometry, {
            ...{ cell, page, leading, lookUp },
            formula: formula?.text ?? null,
            bias: bias?.cell ?? null,
          })
        }
      />
      {page.inPadding > 0 && (
        <p class="explain__note note">{`${page.inPadding} of ${page.total} terms are in the padding and are 0.`}</p>
      )}
      {page.unmetTaps > 0 && page.total > 0 && <p class="explain__note note">{unmetText(geometry, page.unmetTaps)}</p>}
    </>
  );
}

/** "y[row, column], w[row, column, filter]"; only "[row, column]", if those of all are the same. */
function namesOfIndices(g: Geometry, names: readonly GridName[]) {
  const words = names.map((name) => `[${indexWords(g, name)}]`);
  return new Set(words).size === 1 ? words[0] : names.map((name, i) => `${name}${words[i]}`).join(', ');
}

export function unmetText({ kh, kw, stride_h, stride_w }: Geometry, count: number): string {
  const why = stride_h * stride_w > 1 ? 'skipped by the stride or beyond the edge' : 'it would be beyond the edge';
  return `No window here for ${count} of ${kh * kw} weights: ${why}.`;
}

/** The plane of the channel, filter or image that the panels show. */
function planeInFocus(planes: SumPlanes | null, { focus }: LookStore) {
  if (!planes) return 0;
  const { n, c, k } = focus.value;
  const plane = { channel: c, filter: k, image: n }[planes.word] - planes.first;
  return plane >= 0 && plane < planes.count ? plane : 0;
}

const Total = ({
  value,
  isResult,
  isRight,
  children,
}: {
  /** None until the library has answered. */
  value: number | null | undefined;
  isResult?: boolean;
  /** It is the sum above. */
  isRight?: boolean;
  children: ComponentChildren;
}) => (
  <div class={`totals__row row ends${isResult ? ' totals__row--result' : ''}${isRight ? ' totals__row--right' : ''}`}>
    <dt>{children}</dt>
    <dd>{value == null ? '' : formatExact(value)}</dd>
  </div>
);

/** Terms of a sum that is written in one line, too. */
const MOST_IN_LINE = 9;

const sumFormula = lazy('The sum', async () => (await import('../lesson/SumFormula')).SumFormula);

/** Planes that are shown before "Show all". */
const FIRST = 4;

/** The sum by channel (or filter, or image), each with its subtotal. */
function PlaneList({
  planes,
  subtotals,
  open,
  onOpen,
  ...list
}: Omit<TermListProps, 'first' | 'count' | 'planes'> & {
  planes: SumPlanes;
  /** The sum of each plane; null until the library has answered. */
  subtotals: Float32Array | null;
  /** The plane with a list of its terms; null: none. */
  open: number | null;
  onOpen: (plane: number | null) => void;
}) {
  const [all, setAll] = useState(false);
  const size = planes.rows * planes.cols;
  // Only planes with all their terms are listed; the others have no subtotal.
  const complete = Math.floor(list.page.index_a.length / size);
  if (planes.count === 1)
    return <TermList {...list} planes={planes} first={0} count={Math.min(size, list.page.index_a.length)} />;
  const count = all ? complete : Math.min(complete, FIRST);
  const unlisted = planes.count - complete;
  return (
    <>
      <ol class="planes plain">
        {Array.from({ length: count }, (_, plane) => {
          const subtotal = subtotals?.[plane];
          return (
            <li key={plane} class="plane">
              <h3 class="plane__head row ends small">
                <button
                  type="button"
                  aria-expanded={plane === open}
                  onClick={() => onOpen(plane === open ? null : plane)}
                >
                  {planes.word} {planes.first + plane}
                </button>
                <span class="plane__subtotal">{subtotal === undefined ? '' : formatExact(subtotal)}</span>
              </h3>
              {plane === open && <TermList {...list} planes={planes} first={plane * size} count={size} />}
            </li>
          );
        })}
      </ol>
      {complete > FIRST && (
        <Button onClick={() => setAll(!all)}>{all ? 'Show fewer' : `Show all ${complete} ${planes.word}s`}</Button>
      )}
      {unlisted > 0 && (
        <p class="terms__more small">
          … {unlisted.toLocaleString('en')} more {unlisted === 1 ? planes.word : `${planes.word}s`}
        </p>
      )}
    </>
  );
}

/** The gradient of a loss at one cell of dy: formula and values. */
export function LossGradient({
  geometry,
  cell,
  look,
  loss,
  answer,
}: CellProps & {
  loss: LossValue['kind'];
  /** Null until the library has answered. */
  answer: LossCell | null;
}) {
  const { formula, slope } = lossEntry(loss);
  const perPosition = isPerPosition(loss);
  const cells = gridOf(geometry, 'y').cells / (perPosition ? geometry.k : 1);
  const index = positionLabel(geometry, 'y', positionOf(geometry, { ...cell, tensor: 'y' })).slice(1);
  const softmax = answer?.softmax;
  const difference = `${perPosition ? 'p' : 'y'}${index} − target${index}`;
  const bent = slope?.(difference);
  return (
    <>
      <Formula text={`dy${index} = ${bent ?? `(${difference})`} / ${cells}`} />
      <p class="formula__words small">
        How the loss changes with this cell of y. The loss is a mean over the {cells.toLocaleString('en')}{' '}
        {perPosition ? `position${cells === 1 ? '' : 's'}` : 'cells'} of y.
      </p>
      <Formula text={formula(cells)} />
      {softmax && <Softmax {...softmax} cell={cell} k={geometry.k} />}
      <dl class="totals small">
        <Total value={answer?.y}>
          <CellChip label={`y${index}`} cell={{ tensor: 'y', index: cell.index }} look={look} />
        </Total>
        <Total value={answer?.target}>target{index}</Total>
        <Total value={answer?.difference}>{difference}</Total>
        {bent && <Total value={answer?.slope}>{bent}</Total>}
        <Total value={answer?.gradient} isResult>
          <i>dy</i>
          {index}, the value above divided by {cells.toLocaleString('en')}
        </Total>
      </dl>
    </>
  );
}

/** The softmax of the channels at the position of a cell. */
function Softmax({
  cell,
  k,
  largest,
  total,
  channels,
}: NonNullable<LossCell['softmax']> & { readonly cell: Cell; readonly k: number }) {
  const number = (value: number) => formatCell(value, { digits: 4, chars: 9 });
  const isShifted = largest !== 0;
  const exponent = isShifted ? 'y − m' : 'y';
  return (
    <>
      <p class="formula__words small">
        p is the softmax of the channels at this position: <i>e</i>
        <sup>{exponent}</sup> of each, divided by their sum
        {isShifted &&
          `. m = ${number(largest)} is the largest y: p is the same without it, but the powers could overflow`}
        .
      </p>
      <table class="softmax small">
        <thead>
          <tr>
            <th scope="col">channel</th>
            <th scope="col">y</th>
            <th scope="col">
              e<sup>{exponent}</sup>
            </th>
            <th scope="col">p</th>
          </tr>
        </thead>
        <tbody>
          {channels.map(({ index, channel, y, power, share }) => (
            <tr key={index} aria-current={index === cell.index || undefined}>
              <th scope="row">{channel}</th>
              <td>{number(y)}</td>
              <td>{number(power)}</td>
              <td>{number(share)}</td>
            </tr>
          ))}
          {channels.length < k && (
            <tr>
              <th scope="row">… {k - channels.length} more</th>
            </tr>
          )}
          <tr>
            <th scope="row">sum</th>
            <td />
            <td>{number(total)}</td>
            <td>1</td>
          </tr>
        </tbody>
      </table>
    </>
  );
}
