import type { ComponentType } from 'preact';
import { Tabs } from '../../ui/controls/Tabs';
import { lazy } from '../../ui/lazy';
import { Late } from '../../ui/notices';
import { ExplainTab } from '../explain/ExplainTab';
import type { SideTab, SideTabProps, StudyProps } from '../page/page';
import './side.css';

/** A tab that loads its component when it is first shown. */
function lazyTab(what: string, load: () => Promise<ComponentType<StudyProps>>): SideTab['Component'] {
  const tab = lazy(what, load);
  return (props) => <Late part={tab}>{(Tab) => <Tab {...props} Explain={ExplainTab} />}</Late>;
}

const LessonTab = lazyTab('The lessons', async () => (await import('../lesson/Lessons')).Lessons);
const AlgorithmsTab = lazyTab('The algorithms', async () => (await import('./AlgorithmsTab')).AlgorithmsTab);
const CodeTab = lazyTab('The code', async () => (await import('./Code')).Code);

/** THE LIST of side panel tabs. */
export const SIDE_TABS: readonly [SideTab, ...SideTab[]] = [
  { id: 'explain', title: 'Explain', Component: ExplainTab },
  { id: 'lesson', title: 'Lessons', Component: LessonTab },
  { id: 'algorithms', title: 'Algorithms', Component: AlgorithmsTab },
  { id: 'code', title: 'Code', Component: CodeTab },
];

/** The tabs that the page has, and how to select one: `select` is false for another id. */
export function sideTabsOf(props: SideTabProps) {
  const { side, absent } = props.page.look;
  const [first] = SIDE_TABS;
  const selected = SIDE_TABS.find(({ id }) => id === side.value) ?? first;
  const shown = SIDE_TABS.filter((tab) => tab === selected || !absent.value.includes(`side.${tab.id}`));
  const select = (id: string): boolean => {
    const chosen = SIDE_TABS.find((tab) => tab.id === id);
    if (chosen) side.value = chosen.id;
    return chosen !== undefined;
  };
  const tabs = shown.map(({ id, title, Component }) => ({
    id,
    title,
    content: () => <Component key={id} {...props} />,
  }));
  return { selected: selected.id, tabs, select };
}

export function SidePanel(props: SideTabProps) {
  const { selected, tabs, select } = sideTabsOf(props);
  return (
    <div class="side">
      <Tabs label="Side panel" selected={selected} onSelect={select} tabs={tabs} />
    </div>
  );
}
