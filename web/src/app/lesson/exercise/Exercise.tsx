import { useRef } from 'preact/hooks';
import { cellName, indexWords } from '../../../geometry/labels';
import type { ExerciseRef } from '../../../lessons/exercises';
import { cellText } from '../../../link/text';
import type { Content } from '../../../protocol/messages';
import { Button } from '../../../ui/controls/Button';
import { LoadingNotice } from '../../../ui/notices';
import { useRestoreFocus } from '../../page/hooks';
import type { Page, StudyProps } from '../../page/page';
import { Predict } from '../predict/Predict';
import { PredictInNetwork } from '../predict/PredictInNetwork';
import { isExplained, isMasked } from '../predict/predictor';
import { answerAt, isAnswered } from './answers';
import { CountField } from './CountField';
import { isEach } from './hand-in';
import { answerWords, type CellQuestion, isValue } from './question';
import { ExerciseResult, NameField } from './Result';
import { exerciseSessionOf } from './session';

/** A question of a set of exercises, or the result of the set. */
export function Exercise(props: StudyProps & { readonly exerciseRef: ExerciseRef }) {
  const { page, exerciseRef } = props;
  const session = exerciseSessionOf(page);
  const { set, index } = exerciseRef;
  const heading = useRef<HTMLHeadingElement>(null);
  useRestoreFocus(`${set.id} ${index}`, () => heading.current);
  const atResult = index === set.questions;
  const needsName = !atResult && session.needsName.value;
  const question = session.question.value;
  const sentence = question?.kind === 'cell' ? question.sentence : '';
  const cell = question?.kind === 'cell' ? question.cell : undefined;
  const geometry = page.scene.value?.geometry;
  const network = question?.kind === 'network' ? question : null;
  // The view Network explains its own cells.
  const isSolved = network !== null && !session.isChanged.value && !isMasked(page.look.masked.value, network.cell);
  const name = network?.name ?? (cell && geometry ? cellName(geometry, cell) : null);
  return (
    <>
      <section class="exercise grid" aria-label={`Exercises: ${set.title}`}>
        <div class="ends">
          <p class="note">
            {set.title} <span class="lesson__count">· {atResult ? 'result' : `${index + 1} of ${set.questions}`}</span>
          </p>
          <Button label="Leave exercises" kind="icon" onClick={session.leave} />
        </div>
        <QuestionSteps page={page} exerciseRef={exerciseRef} />
        <h2 ref={heading} class="lesson__title" tabIndex={-1}>
          {atResult && 'Result'}
          {question && (isValue(question) ? sentence || <AskedCell name={name} /> : question.title)}
          {session.isSettling.value && <AskedCell name={null} />}
          {needsName && 'Your name'}
        </h2>
        {cell && geometry && (
          <p class="note">
            {sentence !== '' && <>The value of {name}. </>}
            Indices: {indexWords(geometry, cell.tensor)}.
          </p>
        )}
        {/* Marks of other answers must not be shown for these. */}
        {atResult && (
          <ExerciseResult key={`${session.work.value.answers} ${session.seal.value}`} {...props} set={set} />
        )}
        {needsName && (
          <>
            <p class="lesson__words">Every student gets other numbers. They follow from your name, as you type it.</p>
            <NameField page={page} needed />
          </>
        )}
        {!atResult && !needsName && <OpenQuestion page={page} exerciseRef={exerciseRef} name={name ?? ''} />}
      </section>
      {/* The explanation of a cell lists what its sum reads. */}
      {!atResult && question?.kind !== 'reads' && (isExplained(page, cell) || isSolved) && (
        <div class="lesson-cell">
          <props.Explain {...props} predicted={cell} />
        </div>
      )}
    </>
  );
}

const AskedCell = ({ name }: { readonly name: string | null }) => (
  <>What is {name ? <span class="symbol">{name}</span> : 'the hidden value'}?</>
);

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
  const cellQuestion = question?.kind === 'cell' ? question : null;
  const isReady = content !== null && page.store.problem.value === page.store.shown.value?.problem;
  return (
    <>
      <p class="lesson__words">{set.words}</p>
      {session.isSettling.value && <LoadingNotice of={session.draws} />}
      {question && !isValue(question) && <CountField key={index} page={page} question={question} answer={before} />}
      {!session.judged.value.has(index) && isAnswered(before) && (
        <p class="lesson__words">
          {before.written === ''
            ? 'You revealed the answer.'
            : `You ${question?.kind === 'reads' ? 'chose' : 'wrote'} ${answerWords(question, before.written)}.`}{' '}
          You can try again.
        </p>
      )}
      {session.isChanged.value && (
        <div class="exercise__changed" role="status">
          <p class="lesson__words">The problem on the page has changed. Restore it to answer this question.</p>
          <Button onClick={() => session.open(set, index)}>Restore</Button>
        </div>
      )}
      {isReady && cellQuestion && !session.isChanged.value && (
        <Predict
          page={page}
          geometry={content.geometry}
          cell={cellQuestion.cell}
          name={name}
          hidden={isHiddenIn(content, cellQuestion)}
          offersHiding={false}
          graded
          about={set.mistakes ?? []}
        />
      )}
      {isReady && question?.kind === 'network' && !session.isChanged.value && (
        <>
          <ul class="exercise__layer">
            {question.layer.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <PredictInNetwork
            page={page}
            asks={cellText(question.cell)}
            layers={content.layers}
            formula={question.formula}
            about={set.mistakes ?? []}
          />
        </>
      )}
      {index === 0 && !isEach(session.work.value) && <NameField page={page} />}
      <div class="lesson__bar row">
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

const isHiddenIn = ({ tensors }: Content, { cell }: CellQuestion): boolean =>
  Number.isNaN(tensors[cell.tensor as 'y']?.data[cell.index]);

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
    <div class="exercise__steps ends wrap">
      <ol class="exercise__list wrap tight">
        {Array.from({ length: set.questions }, (_, at) => {
          const [sign, words] = stateOf(at);
          return (
            <li key={at}>
              <button
                type="button"
                class={`exercise__step small${judged.get(at) ? ' exercise__step--right' : ''}`}
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
      {index < set.questions && <p class="note">{right} right</p>}
    </div>
  );
}
