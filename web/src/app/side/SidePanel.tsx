import { Tabs } from '../../ui/controls/Tabs';
import { sideTabs } from '../features/list';
import type { SideTabProps } from '../page/page';
import './side.css';

/** The tabs that the page has, and how to select one: `select` is false for another id. */
export function sideTabsOf(props: SideTabProps) {
  const { side, hiddenParts } = props.page.look;
  const shown = sideTabs.filter(({ id }) => id === side.value || !hiddenParts.value.includes(`side.${id}`));
  const select = (id: string): boolean => {
    const chosen = sideTabs.find((tab) => tab.id === id);
    if (chosen) side.value = chosen.id;
    return chosen !== undefined;
  };
  const tabs = shown.map(({ id, title, Component }) => ({
    id,
    title,
    content: () => <Component key={id} {...props} />,
  }));
  return { selected: side.value, tabs, select };
}

export function SidePanel(props: SideTabProps) {
  const { selected, tabs, select } = sideTabsOf(props);
  return (
    <div class="side">
      <Tabs label="Side panel" selected={selected} onSelect={select} tabs={tabs} />
    </div>
  );
}
