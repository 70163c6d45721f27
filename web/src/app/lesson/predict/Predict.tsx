import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { LOCKED } from '../../../commands/command';
import type { Cell, Geometry } from '../../../protocol/problem';
import type { MistakeEntry } from '../../../protocol/questions';
import { Button } from '../../../ui/controls/Button';
import { MINUS } from '../../../ui/numbers';
import type { Page } from '../../page/page';
import { LessonLink } from '../LessonLink';
import { AnswerField } from './AnswerField';
import {
  ALL_HINTS,
  type AskedCell,
  COULD_BE,
  canHide,
  type Extent,
  isComputed,
  isHiddenCell,
  likeliest,
  predictorOf,
} from './predictor';

interface CellProps {
  readonly page: Page;
  readonly cell: Cell;
  readonly name: string;
}

interface ResultProps extends Omit<CellProps, 'cell'> {
  readonly cell: AskedCell;
  /** What to do about a mistake that is not recognized. */
  readonly unknown?: string;
  /** Names of the mistakes that the question is about. */
  readonly about?: readonly string[];
}

interface PredictProps extends CellProps {
  readonly geometry: Geometry;
  readonly hidden: boolean;
  readonly offersHiding?: boolean;
  readonly offersReveal?: boolean;
  /** Two hints: first the cells, then the products. */
  readonly graded?: boolean;
  /** Names of the mistakes that the question is about. */
  readonly about?: readonly string[];
}

/** Hides the value of a pinned cell; for a hidden one, asks for a prediction. */
export function Predict(props: PredictProps) {
  const {
    page,
    geometry,
    cell,
    name,
    hidden,
    about = [],
    offersHiding = true,
    offersReveal = true,
    graded = false,
  } = props;
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
      {graded && attempt.hints === 1 && <p class="predict__note note">The cells of this sum are outlined.</p>}
      <div class="predict__bar row wrap">
        {isComputed(cell) && attempt.hints < ALL_HINTS && (
          <Button
            onClick={() => {
              predictor.hint(cell, graded ? attempt.hints + 1 : ALL_HINTS);
              requestAnimationFrame(scrollToSum);
            }}
          >
            {graded ? HINTS[attempt.hints] : 'Hint'}
          </Button>
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

/** In a lesson and an exercise, the sum that a hint shows is below the question. */
const scrollToSum = () => document.querySelector('.lesson-cell')?.scrollIntoView({ block: 'nearest' });

const HINTS = ['Hint: the cells', 'Hint: the products'];

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
        <p class="predict__note note">Three significant digits are enough.</p>
      </AnswerField>
      <PredictionResult {...result} />
      {children}
    </section>
  );
}

/** The verdict on a prediction: correct, or the likeliest mistakes that give it. */
export function PredictionResult({ page, cell, name, unknown, about }: ResultProps) {
  const { written, verdict } = predictorOf(page).attempt(cell);
  const box = useRef<HTMLDivElement>(null);
  // On a narrow page it may be out of view.
  useLayoutEffect(() => {
    if (written !== null && verdict) box.current?.scrollIntoView({ block: 'nearest' });
  }, [written, verdict]);
  const shown = written?.replace('-', MINUS);
  const tone = verdict ? ` predict__verdict--${verdict.verdict === 'right' ? 'right' : 'wrong'}` : '';
  return (
    <div ref={box} class="predict__words">
      {written !== null && (
        <div class={`predict__verdict${tone}`} role="status">
          {!verdict && `Checking ${shown}…`}
          {verdict?.verdict === 'right' && (
            <>
              <span aria-hidden="true">✓ </span>
              {shown} is correct.
            </>
          )}
          {verdict?.verdict === 'failed' && `${shown} could not be checked: ${verdict.message}.`}
          {verdict?.verdict === 'unknown' &&
            (unknown
              ? `${name} is not ${shown}. ${unknown}`
              : isComputed(cell)
                ? `${name} is not ${shown}, and the page does not recognize the mistake. Check your terms, or take a hint.`
                : `${name} is not ${shown}. ${cell.tensor === 'dy' && page.currentContent.value?.loss ? 'Look at the formula of dy: the difference is divided by N, the number of cells of y.' : 'Work it out from the values that are computed from it.'}`)}
          {verdict?.verdict === 'known' && (
            <>
              <p>
                {name} is not {shown}.{' '}
                {verdict.mistakes.length === 1 ? 'One common mistake gives exactly that:' : COULD_BE}
              </p>
              <MistakeList page={page} mistakes={likeliest(verdict.mistakes, page.look.lesson.value, about)} />
            </>
          )}
        </div>
      )}
    </div>
  );
}

interface MistakeListProps {
  readonly page: Page;
  readonly mistakes: readonly MistakeEntry[];
}

/** Mistakes that explain a value, each with a link to the lesson step about it. */
function MistakeList({ page, mistakes }: MistakeListProps) {
  return (
    <ul class="predict__ideas grid">
      {mistakes.map((mistake) => (
        <li key={mistake.id}>
          <strong>{mistake.title}.</strong> {mistake.sentence}{' '}
          <LessonLink page={page} step={mistake.step} about={mistake.title} />
        </li>
      ))}
    </ul>
  );
}
