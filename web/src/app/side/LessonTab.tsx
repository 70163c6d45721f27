import { lazy } from '../../ui/lazy';
import { LoadingNotice } from '../../ui/notices';
import { ExplainTab } from '../explain/ExplainTab';
import type { SideTabProps } from '../page/page';

const lessons = lazy(async () => (await import('../lesson/Lessons')).Lessons);

/** The list of lessons, or the current step of the open one. */
export function LessonTab(props: SideTabProps) {
  const Lessons = lessons();
  return Lessons ? <Lessons {...props} Explain={ExplainTab} /> : <LoadingNotice what="The lessons" of={[lessons]} />;
}
