import { Tabs } from '../../ui/controls/Tabs';
import type { SideTabProps } from '../page/page';
import { SIDE_TABS } from './list';
import './side.css';

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

/** The tabs beside the view. */
export function SidePanel(props: SideTabProps) {
  const { selected, tabs, select } = sideTabsOf(props);
  return (
    <div class="side">
      <Tabs label="Side panel" selected={selected} onSelect={select} tabs={tabs} />
    </div>
  );
}
