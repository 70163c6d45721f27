import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { endingOf, LESSONS, type StepRef } from '../../lessons/lessons';
import { Button } from '../../ui/controls/Button';
import { Formula, Prose, plainText } from '../../ui/Formula';
import { READABLE, type Room } from '../../views/kit/fit';
import { hasBackward, layoutStage } from '../../views/kit/stage/layout';
import { useRestoreFocus, useWide } from '../page/hooks';
import type { Page } from '../page/page';
import { useCurrentView } from '../stage/current-view';
import type { Course } from './course';
import { pointersOf, usePointers } from './pointers';
import { StepQuestion } from './StepQuestion';

interface LessonStepProps {
  readonly course: Course;
  readonly stepRef: StepRef;
}

export function LessonStep({
  page,
  course,
  stepRef: { lesson, index, step },
}: LessonStepProps & { readonly page: Page }) {
  const { title, words, formula, task, outcome, notes } = step;
  const reached = course.reached.value;
  const wide = useWide();
  const heading = useRef<HTMLHeadingElement>(null);
  usePointers(reached ? [] : pointersOf(step));
  const name = `${lesson.id} ${index}`;
  useRestoreFocus(name, () => heading.current);
  const lastName = useRef(name);
  useLayoutEffect(() => {
    if (lastName.current !== name) heading.current?.closest('.lesson')?.scrollIntoView({ block: 'nearest' });
    lastName.current = name;
  });
  const seen = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (reached) seen.current?.scrollIntoView({ block: 'nearest' });
  }, [reached]);
  const last = index + 1 === lesson.steps.length;
  const following = LESSONS[LESSONS.indexOf(lesson) + 1];
  const onward = !last ? 'Next' : endingOf(lesson) || !following ? 'Finish' : 'Next lesson';
  // The box of a question is gone once it is answered.
  const nextButton = useRef<HTMLDivElement>(null);
  useRestoreFocus(`${name} ${reached}`, () => nextButton.current?.querySelector<HTMLElement>('button:last-child'));
  return (
    <section class="lesson" aria-label={`Lesson: ${lesson.title}`}>
      <div class="lesson__head">
        <p class="lesson__where">
          {lesson.title}{' '}
          <span class="lesson__count">
            · {index + 1} of {lesson.steps.length}
          </span>
        </p>
        <Button label="Leave lesson" shortcut="Escape" kind="icon" onClick={course.leave}>
          ×
        </Button>
      </div>
      <h2 ref={heading} class="lesson__title" tabIndex={-1}>
        {title}
      </h2>
      {words.map((sentence) => (
        <p key={sentence} class="lesson__words">
          <Prose text={sentence} />
        </p>
      ))}
      {formula && <Formula text={formula} />}
      <p class={reached ? 'lesson__task lesson__task--done' : 'lesson__task'}>
        <span class="lesson__mark" aria-hidden="true">
          {reached ? '✓' : '→'}
        </span>
        <span>
          <Prose text={task} />
        </span>
      </p>
      {!reached && course.blocked.value && (
        <p class="lesson__words">This link locks a setting that the task changes. Press “Show me” to see the result.</p>
      )}
      <StepQuestion page={page} course={course} step={step} />
      <p class="lesson__wrong" role="status">
        {course.wrong.value}
      </p>
      {reached && (
        <p ref={seen} class="lesson__words lesson__seen">
          <Prose text={outcome} />
        </p>
      )}
      <div ref={nextButton} class="lesson__bar">
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
      <details class="lesson__notes">
        <summary>Teacher’s notes</summary>
        <p>
          <Prose text={notes} />
        </p>
      </details>
      <p class="lesson__ways">
        {wide && <Button onClick={course.startLecture}>Show on a projector</Button>}
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
      <p class="visually-hidden lesson__spoken" role="status">
        {plainText(
          reached
            ? `Done. ${outcome}`
            : `Step ${index + 1} of ${lesson.steps.length}: ${title}. ${words.join(' ')} ${task}`,
        )}
      </p>
    </section>
  );
}

/** A lesson on a projector. Each key press shows the next part of a step: its text, then the view with the task, then the result. */
export function Lecture({
  course,
  stepRef: { lesson, index, step },
  part,
}: LessonStepProps & { readonly part: 'words' | 'stage' }) {
  const { title, words, formula, task, outcome, notes } = step;
  const reached = course.reached.value;
  // The notes are for the teacher: the next step hides them again.
  const name = `${lesson.id} ${index}`;
  const [notedAt, setNotedAt] = useState('');
  const noted = notedAt === name;
  useLectureZoom();
  const sentences = part === 'words' ? words : [reached ? outcome : task];
  return (
    <section class="lecture" aria-label={`Lecture: ${lesson.title}`}>
      <p class="lecture__where">
        {lesson.title} · {index + 1} of {lesson.steps.length}
      </p>
      <h2 class="lecture__title">{title}</h2>
      {sentences.map((sentence) => (
        <p key={sentence} class="lecture__words">
          <Prose text={sentence} />
        </p>
      ))}
      {part === 'words' && formula && <Formula text={formula} />}
      {noted && (
        <p class="lecture__notes">
          <Prose text={notes} />
        </p>
      )}
      <div class="lecture__bar">
        <Button shortcut="PageUp" onClick={course.previousPart}>
          Back
        </Button>
        <Button kind="primary" shortcut="PageDown" onClick={course.nextPart}>
          Next
        </Button>
        <Button onClick={() => setNotedAt(noted ? '' : name)}>{noted ? 'Hide notes' : 'Teacher’s notes'}</Button>
        <Button shortcut="Escape" onClick={course.endLecture}>
          End lecture
        </Button>
      </div>
      <p class="visually-hidden" role="status">
        {plainText(`${title}. ${sentences.join(' ')}`)}
      </p>
    </section>
  );
}

/** Zoom factors of the view in a lecture, largest first. */
const ZOOMS: readonly number[] = [1.4, 1.3, 1.2, 1.1, 1, 0.9];
/** CSS pixels; below this height the view scrolls. */
const LEAST_HEIGHT = 400;

/** The largest zoom at which every cell shows its value and the view fits the height of the window. */
function useLectureZoom(): void {
  const { entry, room, show } = useCurrentView();
  const model = show?.model;
  const content = model?.content.value;
  const g = content?.geometry;
  const bias = content?.tensors.b !== undefined;
  const backward = !model || hasBackward(model.absent.value);
  // Changes with the size of the window.
  const laid = room.value !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is measured, in a window of this size
  useLayoutEffect(() => {
    const stage = document.querySelector('.stage');
    const panels = stage?.querySelector('.stage__room');
    if (!g || !stage || !panels) return;
    const { style } = document.documentElement;
    const now = Number(style.getPropertyValue('--lecture-zoom')) || ZOOMS[0] || 1;
    const [whole, inner] = [stage.getBoundingClientRect(), panels.getBoundingClientRect()];
    const roomAt = (zoom: number): Room => ({
      width: whole.width / zoom - (whole.width - inner.width) / now,
      height: whole.height / zoom - (whole.height - inner.height) / now,
    });
    const fits = (zoom: number) => {
      const at = roomAt(zoom);
      const { cell, height: needed } = layoutStage(g, bias, at, backward);
      return at.height >= LEAST_HEIGHT && needed <= at.height && Math.min(cell.x, cell.w, cell.y) >= READABLE;
    };
    style.setProperty('--lecture-zoom', String(ZOOMS.find(fits) ?? 1));
  }, [g, bias, backward, entry, laid, window.innerWidth, window.innerHeight]);
}

/** Lecture styles apply while the root element has data-lecture. */
export function useLectureAttribute(part: 'words' | 'stage' | null): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (part) dataset.lecture = part;
    else delete dataset.lecture;
    return () => {
      delete dataset.lecture;
    };
  }, [part]);
}
