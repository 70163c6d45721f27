import { ExplainTab } from '../explain/ExplainTab';
import type { SideTab } from '../page/page';
import { AlgorithmsTab } from './AlgorithmsTab';
import { CodeTab } from './CodeTab';
import { LessonTab } from './LessonTab';

/** THE LIST of side panel tabs. */
export const SIDE_TABS: readonly [SideTab, ...SideTab[]] = [
  { id: 'explain', title: 'Explain', Component: ExplainTab },
  { id: 'lesson', title: 'Lessons', Component: LessonTab },
  { id: 'algorithms', title: 'Algorithms', Component: AlgorithmsTab },
  { id: 'code', title: 'Code', Component: CodeTab },
];
