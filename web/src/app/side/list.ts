import { AlgorithmsTab } from './AlgorithmsTab';
import { CodeTab } from './CodeTab';
import { ExplainTab } from './ExplainTab';
import { LessonTab } from './LessonTab';
import type { SideTab } from './tab';

/** THE LIST of side panel tabs. */
export const SIDE_TABS: readonly [SideTab, ...SideTab[]] = [
  { id: 'explain', title: 'Explain', Component: ExplainTab },
  { id: 'lesson', title: 'Lessons', Component: LessonTab },
  { id: 'algorithms', title: 'Algorithms', Component: AlgorithmsTab },
  { id: 'code', title: 'Code', Component: CodeTab },
];
