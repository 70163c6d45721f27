import { Button } from '../../../ui/controls/Button';
import type { Page } from '../../page/page';
import { AnswerField } from '../predict/AnswerField';
import { COULD_BE, MOST_EXPLAINED } from '../predict/likeliest';
import type { Answer } from './answers';
import { answerWords, type CountQuestion, isRightAnswer, type ReadsQuestion } from './question';
import { readsCells, readsText } from './reads';
import { exerciseSessionOf } from './session';

interface CountFieldProps {
  readonly page: Page;
  readonly question: CountQuestion | ReadsQuestion;
  readonly answer: Answer;
}

/** The answer to a question that is not about a value, and what is wrong with it. */
export function CountField({ page, question, answer }: CountFieldProps) {
  const session = exerciseSessionOf(page);
  /** The cells that are chosen on the page, as an answer. */
  const chosen = readsText(session.chosen.value);
  /** The last answer since the question was opened. */
  const written = session.counted.value?.written ?? null;
  const onCheck = session.checkCount;
  const isRight = written !== null && isRightAnswer(question, written) === true;
  const shown = written === null ? '' : answerWords(question, written);
  const mistakes = question.mistakes.filter(
    ({ value }) => written !== null && (typeof value === 'number' ? value === Number(written) : value === written),
  );
  return (
    <section class="predict" aria-label="Answer">
      {question.kind === 'count' ? (
        <>
          <ul class="exercise__layer">
            {question.layer.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <AnswerField label="Answer" written={written ?? answer.written} inputMode="numeric" onCheck={onCheck} />
        </>
      ) : (
        <p class="predict__guess row wrap">
          <span role="status">{chosen === '' ? 'No cell is chosen.' : `Chosen: ${answerWords(question, chosen)}`}</span>
          <Button kind="primary" disabled={chosen === ''} onClick={() => onCheck(chosen)}>
            Check
          </Button>
        </p>
      )}
      {written !== null && (
        <div class={`predict__verdict predict__verdict--${isRight ? 'right' : 'wrong'}`} role="status">
          {isRight ? (
            <>
              <span aria-hidden="true">✓ </span>
              {question.kind === 'count' ? `${shown} is correct.` : 'These are the cells.'}
            </>
          ) : (
            <>
              <p>
                {question.kind === 'count' ? `It is not ${shown}.` : 'These are not the cells.'}{' '}
                {mistakes.length === 0 && adviceOf(question, written)}
                {mistakes.length > 1 && COULD_BE}
              </p>
              <ul class="predict__ideas grid">
                {mistakes.slice(0, MOST_EXPLAINED).map(({ title, sentence }) => (
                  <li key={title}>
                    <strong>{title}.</strong> {sentence}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
      {question.hints.slice(0, answer.hints).map((hint) => (
        <p key={hint} class="predict__note note">
          Hint: {hint}
        </p>
      ))}
      {answer.revealed && (
        <p class="predict__note note">The answer is {answerWords(question, String(question.right))}.</p>
      )}
      {!isRight && !answer.revealed && (
        <div class="predict__bar row wrap">
          {answer.hints < question.hints.length && <Button onClick={session.hintCount}>Hint</Button>}
          <Button onClick={session.revealCount}>Reveal</Button>
        </div>
      )}
    </section>
  );
}

/** What to look at after a wrong answer that no common mistake gives. */
function adviceOf(question: CountQuestion | ReadsQuestion, written: string): string {
  if (question.kind === 'count') return 'The page does not recognize the mistake. Count again, or take a hint.';
  const right = readsCells(question.right);
  const extra = readsCells(written).find((index) => !right.includes(index));
  return extra === undefined
    ? 'The sum reads all of these, and more.'
    : `The sum does not read ${answerWords(question, String(extra))}.`;
}
