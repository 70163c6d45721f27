import { useRef } from 'preact/hooks';
import { cellName, indexWords } from '../../../geometry/labels';
import type { ExerciseRef } from '../../../lessons/exercises';
import { Button } from '../../../ui/controls/Button';
import { useRestoreFocus } from '../../page/hooks';
import type { SideTabProps, StudyProps } from '../../page/page';
import { isMasked } from '../predict/masking';
import { Predict } from '../predict/Predict';
import { predictorOf } from '../predict/predictor';
import { answerAt, isAnswered } from './answers';
import { Result } from './Result';
import { type ExerciseSession, exerciseSessionOf } from './session';
import './exercise.css';

/** A question of a set of exercises, or the result of the set. */
export function Exercise(props: StudyProps & { readonly exerciseRef: ExerciseRef }) {
  const { page, exerciseRef } = props;
  const session = exerciseSessionOf(page);
  const { set, index } = exerciseRef;
  const heading = useRef<HTMLHeadingElement>(null);
  useRestoreFocus(`${set.id} ${index}`, () => heading.current);
  const isResult = index === set.questions;
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
        <QuestionSteps session={session} exerciseRef={exerciseRef} />
        <h2 ref={heading} class="lesson__title" tabIndex={-1}>
          {isResult ? 'Result' : <QuestionTitle {...props} />}
        </h2>
        {!isResult && <Indices {...props} />}
        {isResult ? <Result {...props} session={session} set={set} /> : <OpenQuestion {...props} session={session} />}
      </section>
      {!isResult && isExplained(props) && (
        <div class="lesson-cell">
          <props.Explain {...props} predicted={session.question.value?.cell} />
        </div>
      )}
    </>
  );
}

/** There is a cell to explain. The hidden cell is explained only after a hint or when it is revealed. */
function isExplained({ page }: SideTabProps): boolean {
  const [cell, hidden] = [page.look.current.value, exerciseSessionOf(page).question.value?.cell];
  if (!cell || cell.tensor !== hidden?.tensor || cell.index !== hidden.index) return cell !== null;
  return predictorOf(page).attempt(hidden).hinted || !isMasked(page.look.masked.value, hidden);
}

/** Display name of the hidden cell. */
function nameOf({ page }: SideTabProps): string | null {
  const cell = exerciseSessionOf(page).question.value?.cell;
  const geometry = page.scene.value?.geometry;
  return cell && geometry ? cellName(geometry, cell) : null;
}

function QuestionTitle(props: SideTabProps) {
  const name = nameOf(props);
  return <>What is {name ? <span class="symbol">{name}</span> : 'the hidden value'}?</>;
}

/** Explains the indices in the name of the cell. */
function Indices({ page }: SideTabProps) {
  const cell = exerciseSessionOf(page).question.value?.cell;
  const geometry = page.scene.value?.geometry;
  return cell && geometry ? <p class="exercise__indices">Indices: {indexWords(geometry, cell.tensor)}.</p> : null;
}

function OpenQuestion(props: SideTabProps & { readonly exerciseRef: ExerciseRef; readonly session: ExerciseSession }) {
  const { page, session, exerciseRef } = props;
  const { set, index } = exerciseRef;
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
          {before.written === '' ? 'You revealed the answer.' : `You wrote ${before.written.replace('-', '\u2212')}.`}{' '}
          You can try again.
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
          name={nameOf(props) ?? ''}
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
function QuestionSteps({
  session,
  exerciseRef: { set, index },
}: {
  readonly session: ExerciseSession;
  readonly exerciseRef: ExerciseRef;
}) {
  const answers = session.answers.value;
  const judged = session.judged.value;
  const right = [...judged.values()].filter((is) => is).length;
  const isResult = index === set.questions;
  return (
    <div class="exercise__steps">
      <ol class="exercise__list">
        {Array.from({ length: set.questions }, (_, at) => {
          const is = judged.get(at);
          const [sign, words] =
            is === true
              ? ['✓', 'right']
              : is === false
                ? ['✗', 'not right yet']
                : isAnswered(answerAt(answers, at))
                  ? ['•', 'answered']
                  : [String(at + 1), 'not answered'];
          return (
            <li key={at}>
              <button
                type="button"
                class={`exercise__step${is === true ? ' exercise__step--right' : ''}`}
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
      {!isResult && <p class="exercise__score">{right} right</p>}
    </div>
  );
}
