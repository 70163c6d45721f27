import { Menu } from '../../ui/controls/Menu';
import { VIEWS } from '../../views/list';
import type { Page } from '../page/page';
import { lockOf, selectView, shownViews } from './ViewTabs';

/** All views as a menu, for a page that has no room for tabs: "Backward · dx". */
export function ViewMenu({ page }: { readonly page: Page }) {
  const mode = page.look.mode.value;
  const face = VIEWS.find(({ id }) => id === mode);
  return (
    <div class="view-menu">
      <Menu
        label="View"
        align="left"
        face={face && <Face {...face} />}
        items={shownViews(page).map((view) => ({
          id: view.id,
          label: nameOf(view),
          checked: view.id === mode,
          disabled: lockOf(page, view.id) !== undefined,
          hint: lockOf(page, view.id),
          run: () => selectView(page, view.id),
        }))}
      />
    </div>
  );
}

/** The group is left out where the header is narrow. */
const Face = ({ group, title }: (typeof VIEWS)[number]) => (
  <span>
    {group && group !== title && <span class="view-menu__group">{group} · </span>}
    {title}
  </span>
);

const nameOf = ({ group, title }: (typeof VIEWS)[number]) => (group && group !== title ? `${group} · ${title}` : title);
