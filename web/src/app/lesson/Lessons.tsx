import { useEffect } from 'preact/hooks';
import { isText } from '../../commands/keys';
import type { LookStore } from '../../look/look-store';
import { ExplainTab } from '../side/ExplainTab';
import type { SideTabProps } from '../side/tab';
import { Catalogue } from './Catalogue';
import { type Course, courseOf } from './course';
import { LessonStep } from './LessonStep';
import './lesson.css';

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
  if (!place) return <Catalogue course={course} unknown={look.lesson.value} />;
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

/** What a key means while a lesson is open. */
function actOf(event: KeyboardEvent, course: Course, look: LookStore): (() => void) | null {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || document.querySelector('dialog[open], :popover-open')) return null;
  if (key === 'Escape') {
    const inside = target instanceof Element && target.closest('.lesson') !== null;
    return inside || (!look.pinned.peek() && look.sheet.peek() !== 'full') ? course.leave : null;
  }
  if (isText(target)) return null;
  const acts: Readonly<Record<string, () => void>> = { n: course.next, b: course.back };
  return acts[key.toLowerCase()] ?? null;
}
