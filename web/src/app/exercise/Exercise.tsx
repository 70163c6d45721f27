import { useRef } from 'preact/hooks';
import { cellName } from '../../geometry/labels';
import type { SetPlace } from '../../lessons/exercises';
import { Button } from '../../ui/controls/Button';
import { isMasked } from '../predict/masking';
import { Predict } from '../predict/Predict';
import { predictorOf } from '../predict/predictor';
import { ExplainTab } from '../side/ExplainTab';
import type { SideTabProps } from '../side/tab';
import { useFoothold } from '../use-foothold';
import { answerAt, isAnswered } from './answers';
import { Result } from './Result';
import { type Run, runOf } from './run';
import './exercise.css';

/** A question of a set of exercises, or what came of all of them. */
export function Exercise(props: SideTabProps & { readonly place: SetPlace }) {
  const { page, place } = props;
  const run = runOf(page);
  const { set, index } = place;
  const heading = useRef<HTMLHeadingElement>(null);
  useFoothold(`${set.id} ${index}`, () => heading.current);
  const isResult = index === set.questions;
  return (
    <>
      <section class="exercise" aria-label={`Exercises: ${set.title}`}>
        <div class="lesson__head">
          <p class="lesson__where">
            {set.title} <span class="lesson__count">· {isResult ? 'result' : `${index + 1} of ${set.questions}`}</span>
          </p>
          <Button label="Leave the exercises" kind="icon" onClick={run.leave}>
            ×
          </Button>
        </div>
        <Steps run={run} place={place} />
        <h2 ref={heading} class="lesson__title" tabIndex={-1}>
          {isResult ? 'Result' : <Asked {...props} />}
        </h2>
        {isResult ? <Result {...props} run={run} set={set} /> : <Open {...props} run={run} />}
      </section>
      {!isResult && isTold(props) && (
        <div class="lesson-cell">
          <ExplainTab {...props} predicted={run.question.value?.cell} />
        </div>
      )}
    </>
  );
}

/** There is a cell to speak of; of the hidden one nothing is to be said but a hint. */
function isTold({ page }: SideTabProps): boolean {
  const [cell, asked] = [page.look.current.value, runOf(page).question.value?.cell];
  if (!cell || cell.tensor !== asked?.tensor || cell.index !== asked.index) return cell !== null;
  return predictorOf(page).attempt(asked).hinted || !isMasked(page.look.masked.value, asked);
}

/** The number that is asked for, by the name that it has on the page. */
function nameOf({ page }: SideTabProps): string | null {
  const cell = runOf(page).question.value?.cell;
  const geometry = page.scene.value?.geometry;
  return cell && geometry ? cellName(geometry, cell) : null;
}

function Asked(props: SideTabProps) {
  const name = nameOf(props);
  return <>What is {name ? <span class="symbol">{name}</span> : 'the hidden number'}?</>;
}

function Open(props: SideTabProps & { readonly place: SetPlace; readonly run: Run }) {
  const { page, run, place } = props;
  const { set, index } = place;
  const asked = run.question.value;
  const content = page.scene.value;
  const before = answerAt(run.answers.value, index);
  const isRight = run.judged.value.get(index) === true;
  const onward = index + 1 < set.questions ? 'Next question' : 'To the result';
  const isThere = content !== null && asked !== null && page.store.problem.value === page.store.shown.value?.problem;
  return (
    <>
      <p class="lesson__words">{set.words}</p>
      {!run.judged.value.has(index) && isAnswered(before) && (
        <p class="lesson__words">
          {before.written === '' ? 'You had it shown.' : `You wrote ${before.written.replace('-', '\u2212')}.`} You may
          try again.
        </p>
      )}
      {isThere && (
        <Predict
          page={page}
          geometry={content.geometry}
          cell={asked.cell}
          name={nameOf(props) ?? ''}
          hidden={Number.isNaN(content.tensors[asked.cell.tensor as 'y']?.data[asked.cell.index])}
          offersHiding={false}
        />
      )}
      <div class="lesson__bar">
        <Button disabled={index === 0} onClick={() => run.go(-1)}>
          Back
        </Button>
        <Button kind={isRight ? 'primary' : 'plain'} onClick={() => run.go(1)}>
          {isRight || isAnswered(before) ? onward : 'Skip'}
        </Button>
      </div>
    </>
  );
}

/** All questions in a row: which are answered, which of these are right, and the way to each. */
function Steps({ run, place: { set, index } }: { readonly run: Run; readonly place: SetPlace }) {
  const answers = run.answers.value;
  const judged = run.judged.value;
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
                onClick={() => run.open(set, at)}
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
