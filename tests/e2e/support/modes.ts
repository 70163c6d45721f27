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

/** Chooses an item of a menu in the header. */
export async function chooseFrom(page: Page, menu: 'Share' | 'More', item: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
