import type { Locator, Page } from 'playwright-core';

/** The area below the board. Its grids have names of their own, as `x, lowering`. */
const area = (page: Page): Locator => page.getByRole('region', { name: 'Look closer' });

/** Scrolls to the closer views, which loads them, and opens one. */
export async function openCloser(page: Page, title: string): Promise<Locator> {
  await area(page).scrollIntoViewIfNeeded();
  await page.getByRole('tab', { name: title, exact: true }).click();
  return area(page);
}
