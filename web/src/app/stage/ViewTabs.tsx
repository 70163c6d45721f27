import type { ModeId } from '../../look/look';
import { TabList, type TabTitle } from '../../ui/controls/Tabs';
import { VIEWS, type ViewEntry } from '../../views/list';
import { type Page, perPage } from '../page/page';
import './view-tabs.css';

/** The id of the tab panel with the view. */
export const VIEW_PANEL = 'view';

const lastViews = perPage(() => new Map<string, ModeId>());

/** Why a view does not open. */
export function lockOf({ look }: Page, id: ModeId): string | undefined {
  if (id === look.mode.value || !look.locked.value.includes(`mode.${id}`)) return undefined;
  return look.noHintYet.value ? 'Opens after a hint' : 'Locked by this link';
}

export const shownViews = ({ look }: Page): readonly ViewEntry[] =>
  VIEWS.filter(({ id }) => id === look.mode.value || !look.hiddenParts.value.includes(`mode.${id}`));

export function selectView(page: Page, id: string): void {
  const chosen = VIEWS.find((entry) => entry.id === id);
  if (chosen && !lockOf(page, chosen.id)) page.look.openMode(chosen.id);
}

/** The shown views of a group; a view alone has no group. */
function membersOf(page: Page, group: ViewEntry['group']): readonly ViewEntry[] {
  const members = shownViews(page).filter((entry) => group && entry.group === group);
  return members.length > 1 ? members : [];
}

const openGroup = (page: Page): readonly ViewEntry[] =>
  membersOf(page, VIEWS.find(({ id }) => id === page.look.mode.value)?.group);

/** The id of the tab that names the tab panel. */
export const tabOfView = (page: Page): string => `${VIEW_PANEL}-${page.look.mode.value}`;

/** The groups of views, and views without a group. A group opens the view that was used last. */
export function ViewGroups({ page }: { readonly page: Page }) {
  const { look } = page;
  const mode = look.mode.value;
  const last = lastViews(page);
  const open = openGroup(page);
  const [{ group: openName } = {}] = open;
  if (openName) last.set(openName, mode);
  const tabs: (TabTitle & { readonly opens: string })[] = [];
  for (const { id, title, group } of shownViews(page)) {
    const members = membersOf(page, group);
    if (members.length === 0) tabs.push({ id, title, opens: id, locked: lockOf(page, id) });
    if (members[0]?.id !== id) continue;
    const free = members.filter((entry) => !lockOf(page, entry.id));
    tabs.push({
      id: `group-${id}`,
      title: group ?? title,
      hint: members.map((entry) => entry.title).join(', '),
      opens: (free.find((entry) => entry.id === last.get(group ?? '')) ?? free[0])?.id ?? '',
      locked: free.length === 0 ? lockOf(page, id) : undefined,
      names: group === openName ? undefined : members.map((entry) => entry.id).join(' '),
    });
  }
  return (
    <div class="views views--groups">
      <TabList
        label="Views"
        tabs={tabs}
        selected={openName ? tabs.find(({ title }) => title === openName)?.id : mode}
        onSelect={(id) => selectView(page, tabs.find((tab) => tab.id === id)?.opens ?? '')}
        panel={VIEW_PANEL}
      />
    </div>
  );
}

export function ViewsOfGroup({ page }: { readonly page: Page }) {
  const open = openGroup(page);
  const [{ group } = {}] = open;
  if (!group) return null;
  return (
    <div class="views">
      <TabList
        label={group}
        tabs={open.map(({ id, title }) => ({ id, title, locked: lockOf(page, id) }))}
        selected={page.look.mode.value}
        onSelect={(id) => selectView(page, id)}
        panel={VIEW_PANEL}
      />
    </div>
  );
}
