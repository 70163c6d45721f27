import type { ComponentType } from 'preact';
import { Tabs } from '../../ui/controls/Tabs';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazy } from '../../ui/lazy';
import { ExplainTab } from '../explain/ExplainTab';
import type { SideTab, SideTabProps, StudyProps } from '../page/side-tab';
import { AlgorithmsTab } from './AlgorithmsTab';
import './side.css';

/** A tab that loads its component when it is first shown. */
function lazyTab(what: string, load: () => Promise<ComponentType<StudyProps>>): SideTab['Component'] {
  const tab = lazy(load);
  return function LazyTab(props) {
    const Tab = tab();
    return Tab ? <Tab {...props} Explain={ExplainTab} /> : <LoadingNotice what={what} of={[tab]} />;
  };
}

const LessonTab = lazyTab('The lessons', async () => (await import('../lesson/Lessons')).Lessons);
const CodeTab = lazyTab('The code', async () => (await import('./Code')).Code);

/** THE LIST of side panel tabs. */
export const SIDE_TABS: readonly [SideTab, ...SideTab[]] = [
  { id: 'explain', title: 'Explain', Component: ExplainTab },
  { id: 'lesson', title: 'Lessons', Component: LessonTab },
  { id: 'algorithms', title: 'Algorithms', Component: AlgorithmsTab },
  { id: 'code', title: 'Code', Component: CodeTab },
];

/** The selected tab, and all tabs that the link does not hide. */
export function sideTabs(props: SideTabProps) {
  const { look } = props.page;
  const selected = SIDE_TABS.find(({ id }) => id === look.side.value) ?? SIDE_TABS[0];
  const shown = SIDE_TABS.filter((tab) => tab === selected || !look.absent.value.includes(`side.${tab.id}`));
  return {
    selected,
    tabs: shown.map(({ id, title, Component }) => ({ id, title, content: () => <Component key={id} {...props} /> })),
  };
}

/** The tabs beside the view. */
export function SidePanel(props: SideTabProps) {
  const { selected, tabs } = sideTabs(props);
  return (
    <div class="side">
      <Tabs
        label="Side panel"
        selected={selected.id}
        onSelect={(id) => {
          const chosen = SIDE_TABS.find((tab) => tab.id === id);
          if (chosen) props.page.look.side.value = chosen.id;
        }}
        tabs={tabs}
      />
    </div>
  );
}
