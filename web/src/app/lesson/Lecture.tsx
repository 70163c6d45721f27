import { useLayoutEffect, useState } from 'preact/hooks';
import type { Place } from '../../lessons/lessons';
import { Button } from '../../ui/controls/Button';
import { Formula } from '../../ui/Formula';
import { Prose, plainText } from '../../ui/Prose';
import type { Course } from './course';
import './lecture.css';

/**
 * A lesson on a projector: one thing at a time, large. First the words of a step, then the stage with what is to be done below it,
 * then what is to be seen; each a key further, or a button of a presenter.
 */
interface LectureFrameProps {
  readonly course: Course;
  readonly place: Place;
  readonly shown: 'words' | 'stage';
}

export function LectureFrame({ course, place: { lesson, index, step }, shown }: LectureFrameProps) {
  const { title, words, formula, task, notes } = step;
  const reached = course.reached.value;
  const [noted, setNoted] = useState(false);
  const sentences =
    shown === 'words' ? words : [reached ? task?.seen : task?.words].filter((text) => text !== undefined);
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
      {shown === 'words' && formula && <Formula text={formula} />}
      {noted && (
        <p class="lecture__notes">
          <Prose text={notes} />
        </p>
      )}
      <div class="lecture__bar">
        <Button shortcut="PageUp" onClick={() => turnBack(course)}>
          Back
        </Button>
        <Button kind="primary" shortcut="PageDown" onClick={() => turnOn(course)}>
          On
        </Button>
        <Button onClick={() => setNoted(!noted)}>{noted ? 'Hide the notes' : 'Teacher’s notes'}</Button>
        <Button shortcut="Escape" onClick={() => endLecture(course)}>
          End the lecture
        </Button>
      </div>
      <p class="visually-hidden" role="status">
        {plainText(`${title}. ${sentences.join(' ')}`)}
      </p>
    </section>
  );
}

/** The page is laid out for a projector as long as its root says so. */
export function useLectureMark(shown: 'words' | 'stage' | null): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (shown) dataset.lecture = shown;
    else delete dataset.lecture;
    return () => {
      delete dataset.lecture;
    };
  }, [shown]);
}

/** Words, stage, what is to be seen, next step. */
export function turnOn(course: Course): void {
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

export function turnBack(course: Course): void {
  if (course.lecture.peek() === 'words') course.back();
  else course.lecture.value = 'words';
}

export const endLecture = ({ lecture }: Course): void => {
  lecture.value = null;
};
