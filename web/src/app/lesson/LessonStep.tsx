import { useLayoutEffect, useRef } from 'preact/hooks';
import { LESSONS, type Place } from '../../lessons/lessons';
import { Button } from '../../ui/controls/Button';
import { Formula } from '../../ui/Formula';
import { Prose, plainText } from '../../ui/Prose';
import { useFoothold } from '../use-foothold';
import { useWide } from '../use-wide';
import type { Course } from './course';
import { usePointers } from './point';

interface LessonStepProps {
  readonly course: Course;
  readonly place: Place;
}

/** One step of a lesson: what it says, what it asks for, and the way on. */
export function LessonStep({ course, place: { lesson, index, step } }: LessonStepProps) {
  const { title, words, formula, task, points = [], notes } = step;
  const reached = course.reached.value;
  const wide = useWide();
  const heading = useRef<HTMLHeadingElement>(null);
  usePointers(reached && task ? [] : points);
  const name = `${lesson.id} ${index}`;
  useFoothold(name, () => heading.current);
  const shown = useRef(name);
  useLayoutEffect(() => {
    if (shown.current !== name) heading.current?.closest('.lesson')?.scrollIntoView({ block: 'nearest' });
    shown.current = name;
  });
  const outcome = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (reached) outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [reached]);
  const last = index + 1 === lesson.steps.length;
  const following = LESSONS[LESSONS.indexOf(lesson) + 1];
  const onward = last ? (following ? `Next lesson: ${following.title}` : 'Finish') : 'Next';
  return (
    <section class="lesson" aria-label={`Lesson: ${lesson.title}`}>
      <div class="lesson__head">
        <p class="lesson__where">
          {lesson.title}{' '}
          <span class="lesson__count">
            · {index + 1} of {lesson.steps.length}
          </span>
        </p>
        <Button label="Leave the lesson" shortcut="Escape" kind="icon" onClick={course.leave}>
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
      {task && (
        <p class={reached ? 'lesson__task lesson__task--done' : 'lesson__task'}>
          <span class="lesson__mark" aria-hidden="true">
            {reached ? '✓' : '→'}
          </span>
          <span>
            <Prose text={task.words} />
          </span>
        </p>
      )}
      {task && reached && (
        <p ref={outcome} class="lesson__words lesson__seen">
          <Prose text={task.seen} />
        </p>
      )}
      <div class="lesson__bar">
        <Button disabled={index === 0} onClick={course.back}>
          Back
        </Button>
        {task && !reached && <Button onClick={course.show}>Show me</Button>}
        <Button kind={reached ? 'primary' : 'plain'} onClick={course.next}>
          {reached ? onward : 'Skip'}
        </Button>
      </div>
      <details class="lesson__notes">
        <summary>Teacher’s notes</summary>
        <p>
          <Prose text={notes} />
        </p>
      </details>
      {wide && (
        <p>
          <Button
            onClick={() => {
              course.lecture.value = 'words';
            }}
          >
            Show on a projector
          </Button>
        </p>
      )}
      <p class="visually-hidden" role="status">
        {plainText(
          task && reached
            ? `Done. ${task.seen}`
            : `Step ${index + 1} of ${lesson.steps.length}: ${title}. ${words.join(' ')} ${task?.words ?? ''}`,
        )}
      </p>
    </section>
  );
}
