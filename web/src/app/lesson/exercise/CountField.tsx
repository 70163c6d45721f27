import { Button } from '../../../ui/controls/Button';
import { MINUS } from '../../../ui/numbers';
import { AnswerField } from '../predict/AnswerField';
import type { Answer } from './answers';
import type { CountQuestion } from './question';

interface CountFieldProps {
  readonly question: CountQuestion;
  /** The answer in the link. */
  readonly answer: Answer;
  /** The last answer since the question was opened. */
  readonly written: string | null;
  readonly onCheck: (text: string) => void;
  readonly onHint: () => void;
  readonly onReveal: () => void;
}

/** The text box for an answer about sizes, and what is wrong with it. */
export function CountField({ question, answer, written, onCheck, onHint, onReveal }: CountFieldProps) {
  const isRight = written !== null && Number(written) === question.right;
  const shown = written?.replace('-', MINUS);
  const mistakes = question.mistakes.filter(({ value }) => written !== null && value === Number(written));
  return (
    <section class="predict" aria-label="Answer">
      <ul class="exercise__layer">
        {question.layer.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <AnswerField label="Answer" written={written ?? answer.written} inputMode="numeric" onCheck={onCheck} />
      {written !== null && (
        <div class={`predict__verdict predict__verdict--${isRight ? 'right' : 'wrong'}`} role="status">
          {isRight ? (
            <>
              <span aria-hidden="true">✓ </span>
              {shown} is correct.
            </>
          ) : (
            <>
              <p>
                It is not {shown}.
                {mistakes.length === 0 && ' The page does not recognize the mistake. Count again, or take a hint.'}
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
      {answer.revealed && <p class="predict__note">The answer is {question.right}.</p>}
      {!isRight && !answer.revealed && (
        <div class="predict__bar">
          {answer.hints < question.hints.length && <Button onClick={onHint}>Hint</Button>}
          <Button onClick={onReveal}>Reveal</Button>
        </div>
      )}
    </section>
  );
}
