import type { Locator, Page } from 'playwright-core';

/** All views, the opening view last. */
export const MODES = [
  'Step by step',
  'dx',
  'dw & db',
  'im2col',
  'Matrix',
  'Paint dy',
  'Gradient check',
  'Sizes',
  'Learn',
  'Overview',
];

/** Opens a view of the stage; its content, choices and player are in the main part of the page. */
export async function openMode(page: Page, title: string): Promise<Locator> {
  const main = page.getByRole('main');
  await main.getByRole('tab', { name: title, exact: true }).click();
  return main;
}
