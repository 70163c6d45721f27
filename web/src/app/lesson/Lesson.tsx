import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { positionOf } from '../../geometry/grid';
import { cellName, swappedName } from '../../geometry/labels';
import { isTransposed } from '../../layers/list';
import type { Choice, Count, StepData } from '../../lessons/lesson';
import { LESSONS, pathEndedBy } from '../../lessons/lessons';
import { ownerOf } from '../../protocol/layers';
import { type Cell, isTensor } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Formula, Prose, withoutMarkup } from '../../ui/Formula';
import { MINUS } from '../../ui/numbers';
import { useRestoreFocus } from '../page/hooks';
import type { Page } from '../page/page';
import type { Course } from './course';
import { networkCells } from './exercise/networks';
import { canLecture, type LectureProps } from './Lecture';
import { type AskedPlace, pointersOf, usePointers } from './pointers';
import { AnswerField } from './predict/AnswerField';
import { Predict } from './predict/Predict';
import { PredictInNetwork } from './predict/PredictInNetwork';
import { answerText, isHiddenCell } from './predict/predictor';
import { persisted } from './progress';
import { SumFormula } from './SumFormula';

/** Teacher's notes, projector and all controls are open below each step. */
const teaches = persisted('teaches', (text) => text === 'true');

export function LessonStep({ page, course, stepRef: { lesson, index, step } }: LectureProps) {
  const { title, words, formula, task, keys, outcome, notes } = step;
  const reached = course.reached.value;
  const head = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const name = `${lesson.id} ${index}`;
  usePointers(name, reached ? [] : pointersOf(step), reached ? null : askedPlace(page, step));
  useRestoreFocus(name, () => heading.current);
  const text = withoutMarkup(
    reached ? `Done. ${outcome}` : `Step ${index + 1} of ${lesson.steps.length}: ${title}. ${words} ${task}`,
  );
  // A live region that appears with its text is not announced.
  const [spoken, setSpoken] = useState('');
  useEffect(() => setSpoken(text), [text]);
  const lastName = useRef(name);
  useLayoutEffect(() => {
    if (lastName.current !== name) head.current?.scrollIntoView({ block: 'nearest' });
    lastName.current = name;
  });
  const seen = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (reached) seen.current?.scrollIntoView({ block: 'nearest' });
  }, [reached]);
  // The box for the value of a cell is below the text.
  const edited = !reached && step.solution?.startsWith('x=') && page.look.pinned.value?.tensor === 'x';
  useEffect(() => {
    if (!edited) return;
    const frame = requestAnimationFrame(() =>
      document.querySelector('.lesson-cell .value-edit')?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [edited]);
  const last = index + 1 === lesson.steps.length;
  const following = LESSONS[LESSONS.indexOf(lesson) + 1];
  const onward = !last ? 'Next' : pathEndedBy(lesson) || !following ? 'Finish' : 'Next lesson';
  // The box of a question is gone once it is answered.
  const nextButton = useRef<HTMLDivElement>(null);
  useRestoreFocus(`${name} ${reached}`, () => nextButton.current?.querySelector<HTMLElement>('button:last-child'));
  return (
    <section class="lesson grid" aria-label={`Lesson: ${lesson.title}`}>
      <div ref={head} class="ends">
        <p class="note">
          {lesson.title}{' '}
          <span class="lesson__count">
            · {index + 1} of {lesson.steps.length}
          </span>
        </p>
        <Button label="Leave lesson" shortcut="Escape" kind="icon" onClick={course.leave} />
      </div>
      <h2 ref={heading} class="lesson__title" tabIndex={-1}>
        {title}
      </h2>
      {words.split('\n').map((sentence) => (
        <p key={sentence} class="lesson__words">
          <Prose text={sentence} />
        </p>
      ))}
      {formula && <Formula text={formula} />}
      <div class={reached ? 'grid' : 'lesson__ask grid'}>
        <p class={reached ? 'lesson__task callout grid lesson__task--done' : 'lesson__task callout grid'}>
          <span class="lesson__mark" aria-hidden="true">
            {reached ? '✓' : '→'}
          </span>
          <span>
            <Prose text={task} />
            {keys && <span class="by-keys"> {keys}</span>}
          </span>
        </p>
        {!reached && course.blocked.value && (
          <p class="lesson__words">
            This link locks a setting that the task changes. Press “Show me” to see the result.
          </p>
        )}
        <StepQuestion page={page} course={course} step={step} />
        <p class="lesson__wrong" role="status">
          {course.wrong.value}
        </p>
      </div>
      {reached && (
        <p ref={seen} class="lesson__words lesson__seen">
          <Prose text={outcome} />
        </p>
      )}
      <div ref={nextButton} class="lesson__bar row">
        <Button disabled={index === 0} onClick={course.back}>
          Back
        </Button>
        {!reached && <Button onClick={course.show}>Show me</Button>}
        <Button
          kind={reached ? 'primary' : 'plain'}
          onClick={course.next}
          {...(reached && onward === 'Next lesson' ? { label: `Next lesson: ${following?.title}` } : {})}
        >
          {reached ? onward : 'Skip'}
        </Button>
      </div>
      <details
        class="lesson__notes note"
        open={teaches.value.value}
        onToggle={({ currentTarget }) => teaches.persist(() => currentTarget.open)}
      >
        <summary>I teach</summary>
        <p>
          <Prose text={notes} />
        </p>
        <p class="wrap">
          {canLecture.value && <Button onClick={course.startLecture}>Show on a projector</Button>}
          {!course.showsAll.value && (
            <Button
              onClick={() => {
                course.showsAll.value = true;
              }}
            >
              All controls
            </Button>
          )}
        </p>
      </details>
      <p class="visually-hidden lesson__spoken" role="status">
        {spoken}
      </p>
    </section>
  );
}

interface StepQuestionProps {
  readonly page: Page;
  readonly course: Course;
  readonly step: StepData;
}

/** The cell that a step asks for; undefined: none, or one of a network. */
export function askedCell({ asks }: Pick<StepData, 'asks'>): Cell | undefined {
  if (typeof asks !== 'string') return undefined;
  const [tensor = '', index] = asks.split('.');
  return isTensor(tensor) ? { tensor, index: Number(index) } : undefined;
}

/** Where the asked cell is, also in a network. */
function askedPlace({ currentContent }: Page, { asks }: StepData): AskedPlace | null {
  const layers = currentContent.value?.layers ?? [];
  const [tensor = '', index] = typeof asks === 'string' ? asks.split('.') : [];
  const owner = ownerOf(tensor, layers.length);
  const { geometry, kind = '' } = layers[owner?.layer ?? 0] ?? {};
  const named = owner?.tensor ?? tensor;
  const of = isTransposed(kind) ? swappedName(named) : named;
  return geometry && isTensor(of) ? { tensor, ...positionOf(geometry, { tensor: of, index: Number(index) }) } : null;
}

/** The question of a step, with the verdict on the answer. */
function StepQuestion({ page, course, step }: StepQuestionProps) {
  const { asks, hint = '' } = step;
  if (asks === undefined) return null;
  if (typeof asks === 'string') return <AskedCell page={page} step={step} />;
  if (course.reached.value) {
    const answer = 'count' in asks ? `${asks.count} = ${asks.is}` : asks.options[asks.right];
    return <p class="predict__verdict predict__verdict--right">✓ {answer}</p>;
  }
  return 'count' in asks ? (
    <CountField key={step.title} asks={asks} hint={hint} onRight={course.show} />
  ) : (
    <Choices key={step.title} asks={asks} hint={hint} onRight={course.show} />
  );
}

function AskedCell({ page, step }: Pick<StepQuestionProps, 'page' | 'step'>) {
  const content = page.currentContent.value;
  const cell = askedCell(step);
  // The page still shows the problem from before the step.
  if (!content || page.store.problem.value !== page.store.shown.value?.problem) return null;
  if (!cell) {
    const asks = String(step.asks);
    const [tensor = '', index] = asks.split('.');
    const formula = networkCells(tensor, page.store.problem.value)?.cellAt(Number(index)).formula;
    return <PredictInNetwork {...{ page, asks, formula }} layers={content.layers} offersReveal={false} />;
  }
  return (
    <Predict
      page={page}
      geometry={content.geometry}
      cell={cell}
      name={cellName(content.geometry, cell)}
      hidden={isHiddenCell(page.look.hiddenCells.value, cell)}
      offersHiding={false}
      offersReveal={false}
      products={<SumFormula content={content} cell={cell} />}
    />
  );
}

interface AnswerProps<Question> {
  readonly asks: Question;
  readonly hint: string;
  readonly onRight: () => void;
}

function CountField({ asks, hint, onRight }: AnswerProps<Count>) {
  const [wrong, setWrong] = useState('');
  const check = (text: string) => {
    if (Number(answerText(text)) === asks.is) onRight();
    else setWrong(`${text.trim().replace('-', MINUS)} is not right. ${hint}`);
  };
  return (
    <section class="predict" aria-label="Question">
      <AnswerField label={`${asks.count} =`} inputMode="decimal" onCheck={check} />
      <Verdict wrong={wrong} />
    </section>
  );
}

function Choices({ asks, hint, onRight }: AnswerProps<Choice>) {
  const [wrong, setWrong] = useState('');
  return (
    <section class="predict" aria-label="Question">
      <p class="lesson__options wrap">
        {asks.options.map((option, index) => (
          <Button
            key={option}
            onClick={() => (index === asks.right ? onRight() : setWrong(`“${option}” is not right. ${hint}`))}
          >
            {option}
          </Button>
        ))}
      </p>
      <Verdict wrong={wrong} />
    </section>
  );
}

/** Announced when it changes. */
const Verdict = ({ wrong }: { wrong: string }) => (
  <div role="status">{wrong && <p class="predict__verdict predict__verdict--wrong">{wrong}</p>}</div>
);
