import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import type { SideTabProps } from './tab';

/** Lessons and their texts come when somebody opens them. */
const lessons = late(async () => (await import('../lesson/Lessons')).Lessons);

/** The lessons, or the step of the one that is open. */
export function LessonTab(props: SideTabProps) {
  const Lessons = lessons();
  return Lessons ? <Lessons {...props} /> : <LateNotice what="The lessons" of={[lessons]} />;
}
