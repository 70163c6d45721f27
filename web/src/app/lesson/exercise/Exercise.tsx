import { useEffect, useRef, useState } from 'preact/hooks';
import { ComputeClient } from '../../../compute/client';
import { questionsOf } from '../../../compute/questions';
import { cellName, indexWords } from '../../../geometry/labels';
import type { ExerciseRef, ExerciseSet } from '../../../lessons/exercises';
import { isResult, PASS_OF } from '../../../protocol/tensors';
import { requestOf } from '../../../state/problem';
import { Button } from '../../../ui/controls/Button';
import { MINUS } from '../../../ui/numbers';
import { useRestoreFocus } from '../../page/hooks';
import type { Page, SideTabProps, StudyProps } from '../../page/page';
import { Predict } from '../predict/Predict';
import { isExplained } from '../predict/predictor';
import { type Answer, type Answers, answerAt, isAnswered, NO_ANSWERS } from './answers';
import { type Question, questionOf } from './question';
import { exerciseSessionOf } from './session';

/** A question of a set of exercises, or the result of the set. */
export function Exercise(props: StudyProps & { readonly exerciseRef: ExerciseRef }) {
  const { page, exerciseRef } = props;
  const session = exerciseSessionOf(page);
  const { set, index } = exerciseRef;
  const heading = useRef<HTMLHeadingElement>(null);
  useRestoreFocus(`${set.id} ${index}`, () => heading.current);
  const atResult = index === set.questions;
  const cell = session.question.value?.cell;
  const geometry = page.scene.value?.geometry;
  const name = cell && geometry ? cellName(geometry, cell) : null;
  return (
    <>
      <section class="exercise" aria-label={`Exercises: ${set.title}`}>
        <div class="lesson__head">
          <p class="lesson__where">
            {set.title} <span class="lesson__count">· {atResult ? 'result' : `${index + 1} of ${set.questions}`}</span>
          </p>
          <Button label="Leave exercises" kind="icon" onClick={session.leave}>
            ×
          </Button>
        </div>
        <QuestionSteps page={page} exerciseRef={exerciseRef} />
        <h2 ref={heading} class="lesson__title" tabIndex={-1}>
          {atResult ? 'Result' : <>What is {name ? <span class="symbol">{name}</span> : 'the hidden value'}?</>}
        </h2>
        {cell && geometry && <p class="exercise__indices">Indices: {indexWords(geometry, cell.tensor)}.</p>}
        {atResult ? (
          <Result {...props} set={set} />
        ) : (
          <OpenQuestion page={page} exerciseRef={exerciseRef} name={name ?? ''} />
        )}
      </section>
      {!atResult && isExplained(page, cell) && (
        <div class="lesson-cell">
          <props.Explain {...props} predicted={cell} />
        </div>
      )}
    </>
  );
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

/** The result of a set. The library checks every answer again, so a link cannot claim a mark. */
function Result({ page, context, set }: SideTabProps & { readonly set: ExerciseSet }) {
  const session = exerciseSessionOf(page);
  const text = page.look.answers.value;
  const answers = session.answers.value;
  const [marks, setMarks] = useState<ReadonlyMap<number, Mark>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: `answers` is what `text` says
  useEffect(() => {
    setMarks(new Map());
    return markAll(set, answers, (index, mark) => {
      setMarks((before) => new Map(before).set(index, mark));
      if (mark === 'right' || mark === 'wrong') session.note(index, mark === 'right');
    });
  }, [set, text, session]);
  const right = [...marks.values()].filter((mark) => mark === 'right').length;
  const done = marks.size === set.questions;
  return (
    <>
      <p class="exercise__total" role="status">
        {done ? `${right} of ${set.questions} right.` : 'Marking the answers…'}
      </p>
      <table class="exercise__marks">
        <thead>
          <tr>
            <th scope="col">question</th>
            <th scope="col">answer</th>
            <th scope="col">mark</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: set.questions }, (_, index) => {
            const answer = answerAt(answers, index);
            return (
              <tr key={index}>
                <td>
                  <button type="button" class="predict__cure" onClick={() => session.open(set, index)}>
                    {index + 1}
                  </button>
                </td>
                <td>{answer.written === '' ? '–' : answer.written.replace('-', MINUS)}</td>
                <td>{wordsOf(marks.get(index), answer)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="lesson__words">This link contains your answers. Hand it in: anyone with the link sees this table.</p>
      <div class="lesson__bar">
        <Button kind="primary" onClick={context.copyLink}>
          Copy link
        </Button>
        <Button onClick={() => session.open(set, 0, { ...NO_ANSWERS, round: answers.round + 1 })}>New questions</Button>
      </div>
    </>
  );
}

function wordsOf(mark: Mark | undefined, { hinted, revealed, misses }: Answer): string {
  if (mark === undefined) return '…';
  if (mark === 'none') return revealed ? 'revealed' : 'not answered';
  if (mark === 'unjudged') return 'could not be checked';
  const help = [
    ...(revealed ? ['after revealing'] : hinted ? ['with a hint'] : []),
    ...(misses > 0 && mark === 'right' ? [`after ${misses} wrong`] : []),
  ];
  return [mark === 'right' ? '✓ right' : '✗ wrong', ...help].join(', ');
}

/** Result of one answer: not answered, right, wrong, or not checked because of an error. */
type Mark = 'none' | 'right' | 'wrong' | 'unjudged';

/**
 * Checks every answer again with the library, whatever the link claims. Uses its own worker, so that the current problem stays
 * loaded. Calls `onMark` for each answer; the returned function cancels.
 */
function markAll(set: ExerciseSet, answers: Answers, onMark: (index: number, mark: Mark) => void): () => void {
  const client = new ComputeClient();
  let ended = false;
  const end = () => {
    if (!ended) client.dispose();
    ended = true;
  };
  const all = async () => {
    for (let index = 0; index < set.questions; index += 1) {
      const { written } = answerAt(answers, index);
      const mark = written === '' ? 'none' : await markOf(client, questionOf({ set, index }, answers.round), written);
      if (ended) return;
      onMark(index, mark);
    }
  };
  all().finally(end);
  return end;
}

async function markOf(client: ComputeClient, { problem, cell }: Question, written: string): Promise<Mark> {
  const computed = await client.compute({ ...requestOf(problem), hidden: [cell] });
  const pass = isResult(cell.tensor) ? PASS_OF[cell.tensor] : null;
  if (computed.status !== 'done' || !pass) return 'unjudged';
  const { revision } = computed.result;
  const question = { kind: 'diagnose', pass, index: cell.index, written } as const;
  const judged = await questionsOf(client).once(revision, question);
  if (judged.status !== 'answered') return 'unjudged';
  return judged.answer.verdict === 'right' ? 'right' : 'wrong';
}
