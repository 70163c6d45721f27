import type { Locator, Page } from 'playwright-core';

/** Opens a mode of the stage; what it shows, chooses and plays is in the main part of the page. */
export async function openMode(page: Page, title: string): Promise<Locator> {
  const main = page.getByRole('main');
  await main.getByRole('tab', { name: title, exact: true }).click();
  return main;
}
