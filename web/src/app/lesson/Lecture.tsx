import { useLayoutEffect, useState } from 'preact/hooks';
import type { StepRef } from '../../lessons/lessons';
import { Button } from '../../ui/controls/Button';
import { Formula, Prose, plainText } from '../../ui/Formula';
import type { Course } from './course';
import { useLectureZoom } from './lecture-zoom';
import './lecture.css';

/** A lesson on a projector. Each key press shows the next part of a step: its text, then the view with the task, then the result. */
interface LectureProps {
  readonly course: Course;
  readonly stepRef: StepRef;
  readonly part: 'words' | 'stage';
}

export function Lecture({ course, stepRef: { lesson, index, step }, part }: LectureProps) {
  const { title, words, formula, task, notes } = step;
  const reached = course.reached.value;
  // The notes are for the teacher: the next step hides them again.
  const name = `${lesson.id} ${index}`;
  const [notedAt, setNotedAt] = useState('');
  const noted = notedAt === name;
  useLectureZoom();
  const sentences =
    part === 'words' ? words : [reached ? task?.outcome : task?.words].filter((text) => text !== undefined);
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
        <Button shortcut="PageUp" onClick={() => goBack(course)}>
          Back
        </Button>
        <Button kind="primary" shortcut="PageDown" onClick={() => goForward(course)}>
          Next
        </Button>
        <Button onClick={() => setNotedAt(noted ? '' : name)}>{noted ? 'Hide notes' : 'Teacher’s notes'}</Button>
        <Button shortcut="Escape" onClick={() => endLecture(course)}>
          End lecture
        </Button>
      </div>
      <p class="visually-hidden" role="status">
        {plainText(`${title}. ${sentences.join(' ')}`)}
      </p>
    </section>
  );
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

/** Text, task, result, next step. */
export function goForward(course: Course): void {
  const { lecture, reached } = course;
  if (lecture.peek() === 'words') {
    lecture.value = 'stage';
  } else if (!reached.peek()) {
    course.show();
  } else {
    lecture.value = 'words';
    course.next();
  }
}

export function goBack(course: Course): void {
  if (course.lecture.peek() === 'words') course.back();
  else course.lecture.value = 'words';
}

export const endLecture = ({ lecture }: Course): void => {
  lecture.value = null;
};
