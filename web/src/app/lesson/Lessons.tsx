import { useEffect } from 'preact/hooks';
import { isText } from '../../commands/keys';
import type { LookStore } from '../../look/look-store';
import { isSwitchedOff } from '../../ui/single-keys';
import type { StudyProps } from '../page/side-tab';
import { useWide } from '../page/use-wide';
import { Catalogue } from './Catalogue';
import { type Course, courseOf } from './course';
import { Derivation } from './derivation/Derivation';
import { Exercise } from './exercise/Exercise';
import { Lecture, LessonStep, useLectureAttribute } from './Lesson';
import { SpotTheBug } from './spot/SpotTheBug';
import { studyStateOf } from './study';
import './lesson.css';

/** The open study, or the list of all. */
export function Lessons(props: StudyProps) {
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
              <props.Explain {...props} />
            </div>
          )}
        </>
      );
    case 'exercise':
      return <Exercise {...props} exerciseRef={study} />;
    case 'bug':
      return <SpotTheBug page={props.page} course={course} bugRef={study} />;
    case 'derivation':
      return <Derivation page={props.page} course={course} />;
    default:
      return <Catalogue {...props} />;
  }
}

/** The action of a key in an open lesson. */
function actOf(event: KeyboardEvent, course: Course, look: LookStore): (() => void) | null {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || document.querySelector('dialog[open], :popover-open')) return null;
  const lecturing = course.lecture.peek() !== null;
  if (key === 'Escape') {
    if (lecturing) return course.endLecture;
    const inside = target instanceof Element && target.closest('.lesson') !== null;
    return inside || (!look.pinned.peek() && look.sheet.peek() !== 'full') ? course.leave : null;
  }
  if (isText(target) || isSwitchedOff(event)) return null;
  const [on, back] = lecturing ? [course.nextPart, course.previousPart] : [course.next, course.back];
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
