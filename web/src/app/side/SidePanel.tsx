import type { CommandContext } from '../../commands/command';
import { Button } from '../../ui/controls/Button';
import { Tabs } from '../../ui/controls/Tabs';
import { sideTabs } from '../features/list';
import type { Page, SideTabProps } from '../page/page';
import './side.css';

export function SidePanel(props: SideTabProps) {
  const { side, hiddenParts } = props.page.look;
  const shown = sideTabs.filter(({ id }) => id === side.value || !hiddenParts.value.includes(`side.${id}`));
  return (
    <Tabs
      label="Side panel"
      selected={side.value}
      onSelect={(id) => {
        side.value = sideTabs.find((tab) => tab.id === id)?.id ?? side.value;
      }}
      tabs={shown.map(({ id, title, Component }) => ({ id, title, content: () => <Component key={id} {...props} /> }))}
    />
  );
}

/** Opens and closes the side panel of a narrow page. It has the name of the tab. */
export function SideButton({ page: { look }, context }: { readonly page: Page; readonly context: CommandContext }) {
  const expanded = look.sheet.value === 'side';
  return (
    <Button
      controls={{ id: 'side', expanded }}
      onClick={() => {
        if (expanded) context.closeSheet();
        else look.sheet.value = 'side';
      }}
    >
      {sideTabs.find(({ id }) => id === look.side.value)?.title}
    </Button>
  );
}
