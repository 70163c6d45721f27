import { useEffect, useRef, useState } from 'preact/hooks';
import { cellName, indexWords } from '../../../geometry/labels';
import { type ExerciseRef, OWN_SET } from '../../../lessons/exercises';
import { cellText } from '../../../link/text';
import { Button } from '../../../ui/controls/Button';
import { lazy } from '../../../ui/lazy';
import { Late, LoadingNotice } from '../../../ui/notices';
import { useRestoreFocus } from '../../page/hooks';
import type { Page, StudyProps } from '../../page/page';
import { AnswerField } from '../predict/AnswerField';
import { Predict } from '../predict/Predict';
import { PredictInNetwork } from '../predict/PredictInNetwork';
import { answerText, COULD_BE, isExplained, isHiddenCell, MOST_EXPLAINED } from '../predict/predictor';
import { SumFormula } from '../SumFormula';
import { readsCells, readsText } from './counts';
import { answerWords, isRightAnswer, isValue, type PlainQuestion } from './question';
import { ExerciseResult, NameField } from './Result';
import { exerciseSessionOf } from './session';
import { type Answer, answerAt, isAnswered, isEach } from './work';

const worksheet = lazy('The worksheet', () => import('./Worksheet'));

/** A question of a set of exercises, or the result of the set. */
export function Exercise(props: StudyProps & { exerciseRef: ExerciseRef }) {
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
  const geometry = page.currentContent.value?.geometry;
  const network = question?.kind === 'network' ? question : null;
  // The view Network explains its own cells.
  const isSolved =
    network !== null && !session.isChanged.value && !isHiddenCell(page.look.hiddenCells.value, network.cell);
  const name = network?.name ?? (cell && geometry ? cellName(geometry, cell) : null);
  return (
    <>
      <section class="exercise grid" aria-label={`Exercises: ${set.title}`}>
        <div class="ends">
          <p class="note">
            {set.title} <span class="lesson__count">· {atResult ? 'result' : `${index + 1} of ${set.questions}`}</span>
          </p>
          {!session.needsName.value && <PrintButton page={page} exerciseRef={exerciseRef} />}
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

const AskedCell = ({ name }: { name: string | null }) => (
  <>What is {name ? <span class="symbol">{name}</span> : 'the hidden value'}?</>
);

interface QuestionProps {
  readonly page: Page;
  readonly exerciseRef: ExerciseRef;
}

/** The key of the browser opens the dialog, too; in the dialog it prints. */
function PrintButton({ page, exerciseRef: { set } }: QuestionProps) {
  const session = exerciseSessionOf(page);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'p' || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, []);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Print</Button>
      {isOpen && (
        <Late part={worksheet}>
          {({ PrintSheet }) => (
            <PrintSheet
              set={set}
              work={session.work.value}
              subject={session.own.value}
              onClose={() => setOpen(false)}
            />
          )}
        </Late>
      )}
    </>
  );
}

function OpenQuestion({ page, exerciseRef: { set, index }, name }: QuestionProps & { name: string }) {
  const session = exerciseSessionOf(page);
  const question = session.question.value;
  const content = page.currentContent.value;
  const before = answerAt(session.answers.value, index);
  const isRight = session.judged.value.get(index) === true;
  const onward = index + 1 < set.questions ? 'Next question' : 'Show result';
  const isChanged = session.isChanged.value;
  /** Once the problem of the question is on the page. */
  const shown = page.store.problem.value === page.store.shown.value?.problem && !isChanged ? content : null;
  const about = set.mistakes ?? [];
  /** The tensors of the page would show the answer. */
  const covers = set.id === OWN_SET && question?.kind === 'count' && question.layer.length > 0;
  return (
    <>
      <p class="lesson__words" data-covers={covers}>
        {set.words}
        {covers && ' Its tensors are covered: they would show the answer.'}
      </p>
      {session.isSettling.value && <LoadingNotice of={session.draws} />}
      {question && !isValue(question) && (
        <PlainField key={`${index} ${question.link}`} page={page} question={question} answer={before} />
      )}
      {!session.judged.value.has(index) && isAnswered(before) && (
        <p class="lesson__words">
          {before.written === ''
            ? 'You revealed the answer.'
            : `You ${question?.kind === 'reads' ? 'chose' : 'wrote'} ${answerWords(question, before.written)}.`}{' '}
          You can try again.
        </p>
      )}
      {isChanged && (
        <div class="exercise__changed" role="status">
          <p class="lesson__words">The problem on the page has changed. Restore it to answer this question.</p>
          <Button onClick={() => session.open(set, index)}>Restore</Button>
        </div>
      )}
      {shown && question?.kind === 'cell' && (
        <Predict
          {...{ page, name, about, geometry: shown.geometry, cell: question.cell }}
          hidden={Number.isNaN(shown.tensors[question.cell.tensor as 'y']?.data[question.cell.index])}
          offersHiding={false}
          products={<SumFormula content={shown} cell={question.cell} />}
        />
      )}
      {shown && question?.kind === 'network' && (
        <>
          <LayerWords sentences={question.layer} />
          <PredictInNetwork
            {...{ page, about, asks: cellText(question.cell), formula: question.formula }}
            layers={shown.layers}
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

const LayerWords = ({ sentences }: { sentences: readonly string[] }) => (
  <ul class="exercise__layer">
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

interface PlainFieldProps {
  readonly page: Page;
  readonly question: PlainQuestion;
  readonly answer: Answer;
}

/** The answer to a question that is not about a value, and what is wrong with it. */
function PlainField({ page, question, answer }: PlainFieldProps) {
  const session = exerciseSessionOf(page);
  const isReads = question.kind === 'reads';
  /** The cells that are chosen on the page, as an answer. */
  const chosen = readsText(session.chosen.value);
  /** The last answer since the question was opened. */
  const [written, setWritten] = useState<string | null>(null);
  const check = (text: string) => {
    setWritten(text);
    session.checkCount(text);
  };
  const isRight = written !== null && isRightAnswer(question, written) === true;
  const shown = written === null ? '' : answerWords(question, written);
  const mistakes = question.mistakes.filter(({ value }) => value === (isReads ? written : Number(written)));
  return (
    <section class="predict" aria-label="Answer">
      {question.kind === 'choice' && (
        <p class="lesson__options wrap">
          {question.options.map((option, at) => (
            <Button key={option} onClick={() => check(String(at))}>
              {option}
            </Button>
          ))}
        </p>
      )}
      {question.kind === 'count' && (
        <>
          <LayerWords sentences={question.layer} />
          <AnswerField
            label="Answer"
            written={written ?? answer.written}
            inputMode="numeric"
            onCheck={(text) => check(answerText(text))}
          />
        </>
      )}
      {isReads && (
        <p class="predict__guess row wrap">
          <span role="status">{chosen === '' ? 'No cell is chosen.' : `Chosen: ${answerWords(question, chosen)}`}</span>
          <Button kind="primary" disabled={chosen === ''} onClick={() => check(chosen)}>
            Check
          </Button>
        </p>
      )}
      {written !== null && (
        <div class={`predict__verdict predict__verdict--${isRight ? 'right' : 'wrong'}`} role="status">
          {isRight ? (
            <>
              <span aria-hidden="true">✓ </span>
              {isReads ? 'These are the cells.' : `${shown} is correct.`}
            </>
          ) : (
            <>
              <p>
                {isReads ? 'These are not the cells.' : `It is not ${shown}.`}{' '}
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
function adviceOf(question: PlainQuestion, written: string): string {
  if (question.hints.length === 0) return 'Look again.';
  if (question.kind !== 'reads') return 'The page does not recognize the mistake. Count again, or take a hint.';
  const right = readsCells(question.right);
  const extra = readsCells(written).find((index) => !right.includes(index));
  return extra === undefined
    ? 'The sum reads all of these, and more.'
    : `The sum does not read ${answerWords(question, String(extra))}.`;
}

/** Buttons to all questions, with the state of each. */
function QuestionSteps({ page, exerciseRef: { set, index } }: QuestionProps) {
  const session = exerciseSessionOf(page);
  const judged = session.judged.value;
  const right = [...judged.values()].filter(Boolean).length;
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
