import { useRef } from 'preact/hooks';
import { cellName, indexWords } from '../../../geometry/labels';
import type { ExerciseRef } from '../../../lessons/exercises';
import type { Cell } from '../../../protocol/cell';
import { Button } from '../../../ui/controls/Button';
import { MINUS } from '../../../ui/numbers';
import type { Page } from '../../page/page';
import type { StudyProps } from '../../page/side-tab';
import { useRestoreFocus } from '../../page/use-restore-focus';
import { Predict } from '../predict/Predict';
import { isMasked, predictorOf } from '../predict/predictor';
import { answerAt, isAnswered } from './answers';
import { Result } from './Result';
import { exerciseSessionOf } from './session';

/** A question of a set of exercises, or the result of the set. */
export function Exercise(props: StudyProps & { readonly exerciseRef: ExerciseRef }) {
  const { page, context, exerciseRef } = props;
  const session = exerciseSessionOf(page);
  const { set, index } = exerciseRef;
  const heading = useRef<HTMLHeadingElement>(null);
  useRestoreFocus(`${set.id} ${index}`, () => heading.current);
  const isResult = index === set.questions;
  const cell = session.question.value?.cell;
  const geometry = page.scene.value?.geometry;
  const name = cell && geometry ? cellName(geometry, cell) : null;
  return (
    <>
      <section class="exercise" aria-label={`Exercises: ${set.title}`}>
        <div class="lesson__head">
          <p class="lesson__where">
            {set.title} <span class="lesson__count">· {isResult ? 'result' : `${index + 1} of ${set.questions}`}</span>
          </p>
          <Button label="Leave exercises" kind="icon" onClick={session.leave}>
            ×
          </Button>
        </div>
        <QuestionSteps page={page} exerciseRef={exerciseRef} />
        <h2 ref={heading} class="lesson__title" tabIndex={-1}>
          {isResult ? 'Result' : <>What is {name ? <span class="symbol">{name}</span> : 'the hidden value'}?</>}
        </h2>
        {cell && geometry && <p class="exercise__indices">Indices: {indexWords(geometry, cell.tensor)}.</p>}
        {isResult ? (
          <Result page={page} context={context} set={set} />
        ) : (
          <OpenQuestion page={page} exerciseRef={exerciseRef} name={name ?? ''} />
        )}
      </section>
      {!isResult && isExplained(page, cell) && (
        <div class="lesson-cell">
          <props.Explain {...props} predicted={cell} />
        </div>
      )}
    </>
  );
}

/** There is a cell to explain. The hidden cell is explained only after a hint or when it is revealed. */
function isExplained(page: Page, hidden: Cell | undefined): boolean {
  const cell = page.look.current.value;
  if (!cell || cell.tensor !== hidden?.tensor || cell.index !== hidden.index) return cell !== null;
  return predictorOf(page).attempt(hidden).hinted || !isMasked(page.look.masked.value, hidden);
}

interface QuestionProps {
  readonly page: Page;
  readonly exerciseRef: ExerciseRef;
}

function OpenQuestion({ page, exerciseRef: { set, index }, name }: QuestionProps & { readonly name: string }) {
  const session = exerciseSessionOf(page);
  const question = session.question.value;
  const content = page.scene.value;
  const before = answerAt(session.answers.value, index);
  const isRight = session.judged.value.get(index) === true;
  const onward = index + 1 < set.questions ? 'Next question' : 'Show result';
  const isReady = content !== null && question !== null && page.store.problem.value === page.store.shown.value?.problem;
  return (
    <>
      <p class="lesson__words">{set.words}</p>
      {!session.judged.value.has(index) && isAnswered(before) && (
        <p class="lesson__words">
          {before.written === '' ? 'You revealed the answer.' : `You wrote ${before.written.replace('-', MINUS)}.`} You
          can try again.
        </p>
      )}
      {session.isChanged.value && (
        <div class="exercise__changed" role="status">
          <p class="lesson__words">The problem on the page has changed. Restore it to answer this question.</p>
          <Button onClick={() => session.open(set, index)}>Restore</Button>
        </div>
      )}
      {isReady && !session.isChanged.value && (
        <Predict
          page={page}
          geometry={content.geometry}
          cell={question.cell}
          name={name}
          hidden={Number.isNaN(content.tensors[question.cell.tensor as 'y']?.data[question.cell.index])}
          offersHiding={false}
        />
      )}
      <div class="lesson__bar">
        <Button disabled={index === 0} onClick={() => session.go(-1)}>
          Back
        </Button>
        <Button kind={isRight ? 'primary' : 'plain'} onClick={() => session.go(1)}>
          {isRight || isAnswered(before) ? onward : 'Skip'}
        </Button>
      </div>
    </>
  );
}

/** Buttons to all questions, with the state of each. */
function QuestionSteps({ page, exerciseRef: { set, index } }: QuestionProps) {
  const session = exerciseSessionOf(page);
  const judged = session.judged.value;
  const right = [...judged.values()].filter((is) => is).length;
  const stateOf = (at: number): readonly [sign: string, words: string] => {
    if (judged.has(at)) return judged.get(at) ? ['✓', 'right'] : ['✗', 'not right yet'];
    return isAnswered(answerAt(session.answers.value, at)) ? ['•', 'answered'] : [String(at + 1), 'not answered'];
  };
  return (
    <div class="exercise__steps">
      <ol class="exercise__list">
        {Array.from({ length: set.questions }, (_, at) => {
          const [sign, words] = stateOf(at);
          return (
            <li key={at}>
              <button
                type="button"
                class={`exercise__step${judged.get(at) ? ' exercise__step--right' : ''}`}
                aria-current={at === index ? 'step' : undefined}
                aria-label={`Question ${at + 1}: ${words}`}
                onClick={() => session.open(set, at)}
              >
                {sign}
              </button>
            </li>
          );
        })}
      </ol>
      {index < set.questions && <p class="exercise__score">{right} right</p>}
    </div>
  );
}
