import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { StepRef } from '../../lessons/lessons';
import { BREAKPOINTS } from '../../ui/breakpoints';
import { Button } from '../../ui/controls/Button';
import { Formula, Prose, withoutMarkup } from '../../ui/Formula';
import { leastFont } from '../../ui/numbers';
import { sumOf, sumText } from '../../views/shared/written-sum';
import { type Page, perPage } from '../page/page';
import type { Course } from './course';
import { studyStateOf } from './study';
import './lecture.css';

const media = matchMedia(BREAKPOINTS.lecture);
const wideEnough = signal(media.matches);
media.addEventListener('change', () => {
  wideEnough.value = media.matches;
});

/** The window has room for the lecture view. */
export const canLecture: ReadonlySignal<boolean> = wideEnough;

/** Digits in CSS pixels. Fewer digits come before a smaller font, and none before an illegible one. */
const LEAST_DIGITS = 12;

/** A lecture is open. */
const lecturing = signal(false);

/** Whether the lecture view is open. Its styles apply while the root element has data-lecture, the name of the view. */
export const lectureOf = perPage((page: Page): ReadonlySignal<boolean> => {
  const { current } = studyStateOf(page);
  effect(() => {
    lecturing.value = current.value?.kind === 'lesson' && page.look.lecture.value !== null && canLecture.value;
    leastFont.value = lecturing.value ? LEAST_DIGITS : 0;
    if (lecturing.value) document.documentElement.dataset.lecture = page.look.mode.value;
    else delete document.documentElement.dataset.lecture;
  });
  return lecturing;
});

export interface LectureProps {
  readonly page: Page;
  readonly course: Course;
  readonly stepRef: StepRef;
}

/** Room for the sum of the pinned cell, the ends of paragraphs and the buttons, in letters. */
const OTHER_LETTERS = 290;

/** A step of a lesson on a projector: its text and the view, as large as the window permits. A key goes on: the result, then the next step. */
export function Lecture({ page, course, stepRef: { lesson, index, step } }: LectureProps) {
  const { title, words, formula, asks, outcome, notes } = step;
  // A lecture has no box for an answer.
  const task = step.task.replace(/ The right answer .*/, '');
  const options = typeof asks === 'object' && 'options' in asks ? asks.options : [];
  const reached = course.reached.value;
  /** The second window, with the notes of the step; undefined: the browser refused it. */
  const [notesWindow, setNotesWindow] = useState<Window | null | undefined>(null);
  useEffect(() => {
    if (notesWindow) notesWindow.document.body.textContent = withoutMarkup(`${title}: ${notes}`);
  }, [notesWindow, title, notes]);
  useEffect(() => () => notesWindow?.close(), [notesWindow]);
  const told = Math.max(task.length + options.join('   ').length, outcome.length);
  const letters = title.length * 1.6 + words.length + (formula?.length ?? 0) + told;
  return (
    <section
      class="lecture"
      style={{ '--lecture-scale': 1 / Math.sqrt(letters + OTHER_LETTERS) }}
      aria-label={`Lecture: ${lesson.title}`}
    >
      <p class="lecture__where">
        {lesson.title} · {index + 1} of {lesson.steps.length}
      </p>
      <h2 class="lecture__title">{title}</h2>
      {words.split('\n').map((sentence) => (
        <p key={sentence} class="lecture__words">
          <Prose text={sentence} />
        </p>
      ))}
      {formula && <Formula text={formula} />}
      {/* Both take their room, so that the view keeps its place when the task is done. */}
      <div class="lecture__task">
        <div class={reached ? 'lecture__untold' : 'lecture__told'}>
          <p>
            <Prose text={task} />
          </p>
          {options.length > 0 && (
            <ul class="lecture__options">
              {options.map((option) => (
                <li key={option}>
                  <Prose text={option} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <p class={reached ? 'lecture__told' : 'lecture__untold'}>
          <Prose text={outcome} />
        </p>
      </div>
      <PinnedSum page={page} told={formula} />
      {notesWindow === undefined && (
        <p class="lecture__notes" role="status">
          The browser blocked the second window. Allow pop-up windows for this page.
        </p>
      )}
      <div class="wrap">
        <Button shortcut="PageUp" onClick={course.back}>
          Back
        </Button>
        <Button kind="primary" shortcut="PageDown" onClick={course.nextPart}>
          Next
        </Button>
        <Button onClick={() => setNotesWindow(open('', '', 'popup,width=480,height=480') ?? undefined)}>
          Teacher’s notes
        </Button>
        <Button shortcut="Escape" onClick={course.endLecture}>
          End lecture
        </Button>
      </div>
      <p class="visually-hidden" role="status">
        {withoutMarkup(reached ? `Done. ${outcome}` : `${title}. ${words} ${task}`)}
      </p>
    </section>
  );
}

/** The sum of the pinned cell: the lecture view has no panel that explains it. `told`: the formula of the step. */
function PinnedSum({ page: { look, currentContent }, told = '' }: { page: Page; told: string | undefined }) {
  const [cell, content] = [look.pinned.value, currentContent.value];
  const sum = cell && content && look.mode.value !== 'learn' ? sumOf(content.geometry, content.tensors, cell) : null;
  const text = sum && !sum.isHidden && sumText(sum);
  return (
    text && (
      <div class={told.startsWith(`${sum.label} = `) ? 'lecture__untold' : ''}>
        <Formula text={text} />
      </div>
    )
  );
}
