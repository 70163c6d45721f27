import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { LOCKED } from '../../../commands/command';
import { terms } from '../../../geometry/terms';
import type { Content } from '../../../protocol/messages';
import { type Cell, type Geometry, INPUTS } from '../../../protocol/problem';
import { Button } from '../../../ui/controls/Button';
import { lazy } from '../../../ui/lazy';
import { Late } from '../../../ui/notices';
import type { Page } from '../../page/page';
import { AnswerField } from './AnswerField';
import type { ResultProps } from './PredictionVerdict';
import { ALL_HINTS, canHide, type Extent, isComputed, isHiddenCell, predictorOf } from './predictor';

interface CellProps {
  readonly page: Page;
  readonly cell: Cell;
  readonly name: string;
}

interface PredictProps extends CellProps {
  readonly geometry: Geometry;
  readonly hidden: boolean;
  readonly offersHiding?: boolean;
  readonly offersReveal?: boolean;
  /** With the second hint: the products. */
  readonly products?: ComponentChildren;
  /** Names of the mistakes that the question is about. */
  readonly about?: readonly string[];
}

/** Hides the value of a pinned cell; for a hidden one, asks for a prediction. */
export function Predict(props: PredictProps) {
  const { page, geometry, cell, name, hidden, about = [], offersHiding = true, offersReveal = true } = props;
  const result = { page, cell, name, about };
  const predictor = predictorOf(page);
  const revealLocked = isRevealLocked(page);
  const isAsked = isHiddenCell(page.look.hiddenCells.value, cell);
  const attempt = predictor.attempt(cell);
  if (hidden && !isAsked) return <p class="explain__note note">Hidden: it is computed from hidden values.</p>;
  if (!canHide(cell)) return null;
  if (!isAsked) {
    return (
      <>
        <PredictionResult {...result} />
        {offersHiding && (
          <p class="predict__hide row wrap">
            <span>Hide and predict:</span>
            {extentsOf(cell, name).map(([extent, words]) => (
              <Button key={extent} label={`Hide ${words}`} onClick={() => predictor.hide(geometry, cell, extent)}>
                {words}
              </Button>
            ))}
          </p>
        )}
      </>
    );
  }
  return (
    <Prediction {...result} onCheck={(text) => predictor.check(geometry, cell, text)}>
      {attempt.hints > 0 && <p class="predict__note note">{cellsHint(geometry, cell)}</p>}
      {attempt.hints === ALL_HINTS && props.products}
      <div class="predict__bar row wrap">
        {isComputed(cell) && attempt.hints < ALL_HINTS && (
          <Button onClick={() => predictor.hint(cell, attempt.hints + 1)}>{HINTS[attempt.hints]}</Button>
        )}
        {offersReveal && (
          <RevealButton page={page} name={name} onClick={() => predictor.reveal(geometry, cell, 'cell')} />
        )}
        {offersReveal && !revealLocked && isMore(page, cell) && (
          <Button onClick={() => predictor.reveal(geometry, cell, 'tensor')}>Reveal all of {cell.tensor}</Button>
        )}
      </div>
    </Prediction>
  );
}

const isRevealLocked = ({ look: { locked, hiddenParts } }: Page): boolean =>
  locked.value.includes('hide') || hiddenParts.value.includes('hide');

type RevealButtonProps = Pick<CellProps, 'page' | 'name'> & { readonly onClick: () => void };

export function RevealButton({ page, name, onClick }: RevealButtonProps) {
  const isLocked = isRevealLocked(page);
  return (
    <Button label={`Reveal ${name}${isLocked ? LOCKED : ''}`} disabled={isLocked} onClick={onClick}>
      Reveal
    </Button>
  );
}

const HINTS = ['Hint: the cells', 'Hint: the products'];

/** "Multiply the outlined cells of dy by those of w, and add." */
function cellsHint(g: Geometry, cell: Cell): string {
  const { a, b } = terms(g, cell, 1) ?? {};
  return b ? `Multiply the outlined cells of ${a} by those of ${b}, and add.` : `Add the outlined cells of ${a}.`;
}

/** Whether more of its tensor is hidden than this cell. */
const isMore = ({ look }: Page, { tensor }: Cell): boolean =>
  look.hiddenCells.value.some((entry) => entry.tensor === tensor && entry.index === null) ||
  look.hiddenCells.value.filter((entry) => entry.tensor === tensor).length > 1;

const extentsOf = (cell: Cell, name: string): readonly (readonly [Extent, string])[] => [
  ['cell', name],
  ...(cell.tensor === 'b' || cell.tensor === 'db' ? [] : [['row', 'its row'] as const]),
  ['tensor', `all of ${cell.tensor}`],
];

interface PredictionProps extends ResultProps {
  readonly onCheck: (text: string) => void;
  /** Below the verdict: hints, and ways to reveal the value. */
  readonly children?: ComponentChildren;
}

/** Asks for a hidden value. A change of the page keeps what was typed. */
export function Prediction({ onCheck, children, ...result }: PredictionProps) {
  const { page, cell, name } = result;
  const predictor = predictorOf(page);
  const { drafts } = predictor;
  return (
    <section class="predict" aria-label={`Predict ${name}`}>
      <AnswerField
        key={name}
        label={`${name} =`}
        written={drafts.get(name) ?? predictor.attempt(cell).written ?? ''}
        onInput={(text) => drafts.set(name, text)}
        onCheck={(text) => {
          drafts.delete(name);
          onCheck(text);
        }}
      >
        {!isWhole(page.currentContent.value) && (
          <p class="predict__note note">Three significant digits are enough, or a fraction.</p>
        )}
      </AnswerField>
      <PredictionResult {...result} />
      {children}
    </section>
  );
}

/** Values of an input that are looked at. */
const SOME = 256;

/** Sums of products of whole numbers are whole, unlike slopes and means. */
const isWhole = (content: Content | null): boolean =>
  !content?.loss &&
  !content?.layers?.some(({ kind }) => /^(leaky|average)_/.test(kind)) &&
  INPUTS.every((name) => content?.tensors[name]?.data.subarray(0, SOME).every(isWholeOrHidden) ?? true);

const isWholeOrHidden = (value: number) => Number.isInteger(value) || Number.isNaN(value);

const verdicts = lazy('The verdict', () => import('./PredictionVerdict'));

/** The verdict on a prediction: correct, or the likeliest mistakes that give it. The live region is there before its text. */
export function PredictionResult(props: ResultProps) {
  const { written, verdict } = predictorOf(props.page).attempt(props.cell);
  const box = useRef<HTMLDivElement>(null);
  // On a narrow page it may be out of view.
  useLayoutEffect(() => {
    if (written !== null && verdict) box.current?.scrollIntoView({ block: 'nearest' });
  }, [written, verdict]);
  return (
    <div ref={box} class="predict__words" role="status">
      {written !== null && <Late part={verdicts}>{(late) => <late.PredictionVerdict {...props} />}</Late>}
    </div>
  );
}
