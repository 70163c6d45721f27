import { useEffect } from 'preact/hooks';
import { isText } from '../../commands/keys';
import { perform } from '../../commands/list';
import { exerciseRefOf } from '../../lessons/exercises';
import type { LookStore } from '../../look/look-store';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazy } from '../../ui/lazy';
import { isSwitchedOff } from '../../ui/single-keys';
import { ExplainTab } from '../side/ExplainTab';
import type { SideTabProps } from '../side/tab';
import { useWide } from '../use-wide';
import { Catalogue } from './Catalogue';
import { type Course, courseOf } from './course';
import { endLecture, goBack, goForward, Lecture, useLectureAttribute } from './Lecture';
import { LessonStep } from './LessonStep';
import { bugRefOf, bugRefText } from './spot/bug-ref';
import { lastSeed } from './spot/score';
import './lesson.css';

/** The derivation's name in a link, in place of a lesson step. */
const DERIVATION = 'derivation.1';
const exercises = lazy(async () => await import('../exercise/sets'));
const derivation = lazy(async () => (await import('./derivation/Derivation')).Derivation);
const spotTheBug = lazy(async () => (await import('./spot/SpotTheBug')).SpotTheBug);

/** The list of lessons; in an open lesson its step, with the explained cell below. */
export function Lessons(props: SideTabProps) {
  const { look } = props.page;
  const course = courseOf(props.page);
  const stepRef = course.step.value;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = course.step.peek() ? actOf(event, course, look) : null;
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    // Runs before the page's own keys, where Esc unpins a cell.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [course, look]);
  const wide = useWide();
  const lecture = stepRef && wide && course.lecture.value;
  useLectureAttribute(lecture || null);
  if (look.lesson.value === DERIVATION) {
    const Derivation = derivation();
    return Derivation ? (
      <Derivation page={props.page} course={course} />
    ) : (
      <LoadingNotice what="The derivation" of={[derivation]} />
    );
  }
  const bug = bugRefOf(look.lesson.value);
  if (bug) {
    const SpotTheBug = spotTheBug();
    return SpotTheBug ? (
      <SpotTheBug page={props.page} course={course} bugRef={bug} />
    ) : (
      <LoadingNotice what="“Spot the bug”" of={[spotTheBug]} />
    );
  }
  const exerciseRef = exerciseRefOf(look.lesson.value);
  if (exerciseRef) {
    const parts = exercises();
    return parts ? (
      <parts.Exercise {...props} exerciseRef={exerciseRef} />
    ) : (
      <LoadingNotice what="The exercises" of={[exercises]} />
    );
  }
  if (!stepRef) {
    const parts = exercises();
    return (
      <>
        <Catalogue
          course={course}
          unknown={look.lesson.value}
          onClass={() => perform('class', props.context)}
          onBugs={() => {
            look.lesson.value = bugRefText({ seed: lastSeed() ?? newSeed(), pass: 'backward_data', letter: 0 });
          }}
          onDerivation={() => {
            look.lesson.value = DERIVATION;
          }}
        />
        {parts ? (
          <parts.ExerciseList page={props.page} />
        ) : (
          <LoadingNotice what="The list of exercises" of={[exercises]} />
        )}
      </>
    );
  }
  if (lecture) return <Lecture course={course} stepRef={stepRef} part={lecture} />;
  return (
    <>
      <LessonStep course={course} stepRef={stepRef} />
      {look.current.value && (
        <div class="lesson-cell">
          <ExplainTab {...props} />
        </div>
      )}
    </>
  );
}

/** A random order of the letters. */
const newSeed = (): number => Math.floor(Math.random() * 100_000);

/** The action of a key in an open lesson. */
function actOf(event: KeyboardEvent, course: Course, look: LookStore): (() => void) | null {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || document.querySelector('dialog[open], :popover-open')) return null;
  const lecturing = course.lecture.peek() !== null;
  if (key === 'Escape') {
    if (lecturing) return () => endLecture(course);
    const inside = target instanceof Element && target.closest('.lesson') !== null;
    return inside || (!look.pinned.peek() && look.sheet.peek() !== 'full') ? course.leave : null;
  }
  if (isText(target) || isSwitchedOff(event)) return null;
  const [on, back] = lecturing ? [() => goForward(course), () => goBack(course)] : [course.next, course.back];
  const acts: Readonly<Record<string, () => void>> = { n: on, b: back };
  // Keys that a presentation remote sends. Outside a lecture a grid uses them.
  const presenterKeys: Readonly<Record<string, () => void>> = { PageDown: on, PageUp: back };
  // Grids, players and inputs use these keys themselves, and Space presses a button.
  const arrows: Readonly<Record<string, () => void>> = { ArrowRight: on, ArrowLeft: back, ' ': on };
  const free = !(target instanceof Element && target.closest('[role="grid"], .scrubber, input, select, summary'));
  const presses = key === ' ' && target instanceof Element && target.closest('button, a') !== null;
  const presenterAction = presenterKeys[key] ?? (free && !presses ? arrows[key] : undefined);
  return (lecturing ? presenterAction : undefined) ?? acts[key.toLowerCase()] ?? null;
}
