import { Tabs } from '../../ui/controls/Tabs';
import type { SideTabProps } from '../page/page';
import { SIDE_TABS } from './list';
import './side.css';

/** The tabs beside the view. */
export function SidePanel(props: SideTabProps) {
  const { look } = props.page;
  const [first] = SIDE_TABS;
  const selected = SIDE_TABS.find(({ id }) => id === look.side.value) ?? first;
  const shown = SIDE_TABS.filter((tab) => tab === selected || !look.absent.value.includes(`side.${tab.id}`));
  return (
    <div class="side">
      <Tabs
        label="Side panel"
        selected={selected.id}
        onSelect={(id) => {
          const chosen = SIDE_TABS.find((tab) => tab.id === id);
          if (chosen) look.side.value = chosen.id;
        }}
        tabs={shown.map(({ id, title, Component }) => ({
          id,
          title,
          content: () => <Component key={id} {...props} />,
        }))}
      />
    </div>
  );
}
