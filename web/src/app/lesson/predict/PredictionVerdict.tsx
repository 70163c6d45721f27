import { MINUS } from '../../../ui/numbers';
import type { Page } from '../../page/page';
import { LessonLink } from '../LessonLink';
import { type AskedCell, COULD_BE, isComputed, likeliest, predictorOf } from './predictor';

export interface ResultProps {
  readonly page: Page;
  readonly cell: AskedCell;
  readonly name: string;
  /** What to do about a mistake that is not recognized. */
  readonly unknown?: string;
  /** Names of the mistakes that the question is about. */
  readonly about?: readonly string[];
}

/** What is right or wrong about the last prediction of a cell. */
export function PredictionVerdict({ page, cell, name, unknown, about }: ResultProps) {
  const { typed, verdict } = predictorOf(page).attempt(cell);
  const shown = typed.replace('-', MINUS);
  const tone = verdict ? ` predict__verdict--${verdict.verdict === 'right' ? 'right' : 'wrong'}` : '';
  return (
    <div class={`predict__verdict${tone}`}>
      {!verdict && `Checking ${shown}…`}
      {verdict?.verdict === 'right' && (
        <>
          <span aria-hidden="true">✓ </span>
          {shown} is correct.
        </>
      )}
      {verdict?.verdict === 'rounded' && `${shown} is close. Give three digits, please, or a fraction.`}
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
            {name} is not {shown}. {verdict.mistakes.length === 1 ? 'One common mistake gives exactly that:' : COULD_BE}
          </p>
          <ul class="predict__ideas grid">
            {likeliest(verdict.mistakes, page.look.lesson.value, about).map(({ id, title, sentence, step }) => (
              <li key={id}>
                <strong>{title}.</strong> {sentence} <LessonLink page={page} step={step} about={title} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
