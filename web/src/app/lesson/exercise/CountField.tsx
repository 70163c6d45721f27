import { Button } from '../../../ui/controls/Button';
import { AnswerField } from '../predict/AnswerField';
import type { Answer } from './answers';
import { answerWords, type CountQuestion, isRightAnswer, type ReadsQuestion } from './question';
import { readsCells } from './reads';

interface CountFieldProps {
  readonly question: CountQuestion | ReadsQuestion;
  /** The cells that are chosen on the page, as an answer. */
  readonly chosen: string;
  readonly answer: Answer;
  /** The last answer since the question was opened. */
  readonly written: string | null;
  readonly onCheck: (text: string) => void;
  readonly onHint: () => void;
  readonly onReveal: () => void;
}

/** The answer to a question that is not about a value, and what is wrong with it. */
export function CountField({ question, chosen, answer, written, onCheck, onHint, onReveal }: CountFieldProps) {
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
        <p class="predict__guess">
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
              </p>
              <ul class="predict__ideas">
                {mistakes.map(({ title, sentence }) => (
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
        <p key={hint} class="predict__note">
          Hint: {hint}
        </p>
      ))}
      {answer.revealed && <p class="predict__note">The answer is {answerWords(question, String(question.right))}.</p>}
      {!isRight && !answer.revealed && (
        <div class="predict__bar">
          {answer.hints < question.hints.length && <Button onClick={onHint}>Hint</Button>}
          <Button onClick={onReveal}>Reveal</Button>
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
