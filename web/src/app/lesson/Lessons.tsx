import { useEffect } from 'preact/hooks';
import { isText } from '../../commands/keys';
import { perform } from '../../commands/list';
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
import { lastSeed } from './spot/score';
import { type Study, studyStateOf, studyText } from './study';
import './lesson.css';

const exercises = lazy(async () => await import('../exercise/sets'));
const derivation = lazy(async () => (await import('./derivation/Derivation')).Derivation);
const spotTheBug = lazy(async () => (await import('./spot/SpotTheBug')).SpotTheBug);

/** The open study, or the list of all. */
export function Lessons(props: SideTabProps) {
  const { look } = props.page;
  const course = courseOf(props.page);
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
  const study = studyStateOf(props.page).current.value;
  const wide = useWide();
  const lecture = study?.kind === 'lesson' && wide && course.lecture.value;
  useLectureAttribute(lecture || null);
  switch (study?.kind) {
    case 'lesson':
      if (lecture) return <Lecture course={course} stepRef={study} part={lecture} />;
      return (
        <>
          <LessonStep course={course} stepRef={study} />
          {look.current.value && (
            <div class="lesson-cell">
              <ExplainTab {...props} />
            </div>
          )}
        </>
      );
    case 'exercise': {
      const parts = exercises();
      if (!parts) return <LoadingNotice what="The exercises" of={[exercises]} />;
      return <parts.Exercise {...props} exerciseRef={study} />;
    }
    case 'bug': {
      const SpotTheBug = spotTheBug();
      if (!SpotTheBug) return <LoadingNotice what="“Spot the bug”" of={[spotTheBug]} />;
      return <SpotTheBug page={props.page} course={course} bugRef={study} />;
    }
    case 'derivation': {
      const Derivation = derivation();
      if (!Derivation) return <LoadingNotice what="The derivation" of={[derivation]} />;
      return <Derivation page={props.page} course={course} />;
    }
    default:
      return <AllStudies {...props} course={course} />;
  }
}

/** All lessons and sets of exercises, and the ways to the rest. */
function AllStudies({ page, context, course }: SideTabProps & { readonly course: Course }) {
  const { lesson } = page.look;
  const parts = exercises();
  const open = (study: Study) => {
    lesson.value = studyText(study);
  };
  return (
    <>
      <Catalogue
        course={course}
        unknown={lesson.value}
        onClass={() => perform('class', context)}
        onBugs={() => open({ kind: 'bug', seed: lastSeed() ?? newSeed(), pass: 'backward_data', letter: 0 })}
        onDerivation={() => open({ kind: 'derivation' })}
      />
      {parts ? <parts.ExerciseList page={page} /> : <LoadingNotice what="The list of exercises" of={[exercises]} />}
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
