import { useEffect } from 'preact/hooks';
import { isText } from '../../commands/keys';
import { perform } from '../../commands/list';
import { setPlaceOf } from '../../lessons/exercises';
import type { LookStore } from '../../look/look-store';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import { ExplainTab } from '../side/ExplainTab';
import type { SideTabProps } from '../side/tab';
import { useWide } from '../use-wide';
import { Catalogue } from './Catalogue';
import { type Course, courseOf } from './course';
import { endLecture, LectureFrame, turnBack, turnOn, useLectureMark } from './Lecture';
import { LessonStep } from './LessonStep';
import { bugPlaceOf, bugPlaceText } from './spot/place';
import { lastSeed } from './spot/score';
import './lesson.css';

/** A page of its own among the lessons; a link names it as it names a step. */
const DERIVATION = 'derivation.1';
/** They come with the list of lessons. */
const exercises = late(async () => await import('../exercise/sets'));
const derivation = late(async () => (await import('./derivation/Derivation')).Derivation);
const spotTheBug = late(async () => (await import('./spot/SpotTheBug')).SpotTheBug);

/** The list of lessons; when one is open, its step, and below it the cell that is spoken of. */
export function Lessons(props: SideTabProps) {
  const { look } = props.page;
  const course = courseOf(props.page);
  const place = course.place.value;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = course.place.peek() ? actOf(event, course, look) : null;
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    // Before the page's own keys: Esc lets a cell go there.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [course, look]);
  const wide = useWide();
  const lecture = place && wide && course.lecture.value;
  useLectureMark(lecture || null);
  if (look.lesson.value === DERIVATION) {
    const Derivation = derivation();
    return Derivation ? (
      <Derivation page={props.page} course={course} />
    ) : (
      <LateNotice what="The derivation" of={[derivation]} />
    );
  }
  const bug = bugPlaceOf(look.lesson.value);
  if (bug) {
    const SpotTheBug = spotTheBug();
    return SpotTheBug ? (
      <SpotTheBug page={props.page} course={course} place={bug} />
    ) : (
      <LateNotice what="The shelf of bugs" of={[spotTheBug]} />
    );
  }
  const asked = setPlaceOf(look.lesson.value);
  if (asked) {
    const parts = exercises();
    return parts ? <parts.Exercise {...props} place={asked} /> : <LateNotice what="The exercises" of={[exercises]} />;
  }
  if (!place) {
    const parts = exercises();
    return (
      <>
        <Catalogue
          course={course}
          unknown={look.lesson.value}
          onClass={() => perform('class', props.hands)}
          onBugs={() => {
            look.lesson.value = bugPlaceText({ seed: lastSeed() ?? newSeed(), pass: 'backward_data', letter: 0 });
          }}
          onDerivation={() => {
            look.lesson.value = DERIVATION;
          }}
        />
        {parts ? (
          <parts.ExerciseList page={props.page} />
        ) : (
          <LateNotice what="The list of exercises" of={[exercises]} />
        )}
      </>
    );
  }
  if (lecture) return <LectureFrame course={course} place={place} shown={lecture} />;
  return (
    <>
      <LessonStep course={course} place={place} />
      {look.current.value && (
        <div class="lesson-cell">
          <ExplainTab {...props} />
        </div>
      )}
    </>
  );
}

/** Another order of the letters for everybody. */
const newSeed = (): number => Math.floor(Math.random() * 100_000);

/** What a key means while a lesson is open. */
function actOf(event: KeyboardEvent, course: Course, look: LookStore): (() => void) | null {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || document.querySelector('dialog[open], :popover-open')) return null;
  const lecturing = course.lecture.peek() !== null;
  if (key === 'Escape') {
    if (lecturing) return () => endLecture(course);
    const inside = target instanceof Element && target.closest('.lesson') !== null;
    return inside || (!look.pinned.peek() && look.sheet.peek() !== 'full') ? course.leave : null;
  }
  if (isText(target)) return null;
  const [on, back] = lecturing ? [() => turnOn(course), () => turnBack(course)] : [course.next, course.back];
  const acts: Readonly<Record<string, () => void>> = { n: on, b: back };
  // What a presenter's buttons send. Elsewhere a grid has these keys for itself.
  const turns: Readonly<Record<string, () => void>> = { PageDown: on, PageUp: back };
  return (lecturing ? turns[key] : undefined) ?? acts[key.toLowerCase()] ?? null;
}
