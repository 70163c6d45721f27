import type { Locator, Page } from 'playwright-core';
import { VIEWS } from '../../../web/src/views/list';

/** The titles of all views, the opening view last. */
export const MODES: readonly string[] = [...VIEWS.slice(1), ...VIEWS.slice(0, 1)].map(({ title }) => title);

/** Opens a view of the stage; its content, choices and player are in the main part of the page. */
export async function openMode(page: Page, title: string): Promise<Locator> {
  const main = page.getByRole('main');
  const views = page.locator('.views');
  const tab = views.getByRole('tab', { name: title, exact: true });
  const group = groupOf(title);
  const menu = page.locator('.view-menu .menu__button');
  // The menu comes with the second chunk.
  await page.locator('.views--groups, .view-menu').filter({ visible: true }).first().waitFor();
  if (await menu.isVisible()) {
    await menu.click();
    const name = group ? `${group} · ${title}` : title;
    await page.getByRole('menuitemradio', { name, exact: true }).click();
    return main;
  }
  if (group && (await tab.count()) === 0) await views.getByRole('tab', { name: group, exact: true }).click();
  await tab.click();
  return main;
}

/** The group of a view's tab; a view alone in its group has none. */
export function groupOf(title: string): string | undefined {
  const group = VIEWS.find((view) => view.title === title)?.group;
  return VIEWS.filter((view) => view.group === group).length > 1 ? group : undefined;
}

/** Opens the menu of dy, if it is closed. */
export async function openDyMenu(page: Page): Promise<Locator> {
  const button = page.getByRole('main').getByRole('button', { name: /^dy / });
  await button.waitFor();
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  return page.getByRole('group', { name: 'dy', exact: true });
}

/** Chooses an item of a menu in the header. A narrow page has those of Share under More. */
export async function chooseFrom(page: Page, menu: 'Share' | 'More', item: string): Promise<void> {
  const button = page.getByRole('banner').getByRole('button', { name: menu, exact: true });
  const more = page.getByRole('banner').getByRole('button', { name: 'More', exact: true });
  await more.waitFor();
  await ((await button.isVisible()) ? button : more).click();
  await page.getByRole('menuitem', { name: item }).click();
}
