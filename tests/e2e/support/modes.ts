import type { Locator, Page } from 'playwright-core';

/** All modes, that of the opening page last. */
export const MODES = [
  'Step by step',
  'dx',
  'dw and db',
  'Lowering',
  'Matrix C',
  'Paint dy',
  'Gradient check',
  'Geometry',
  'Learn',
  'Board',
];

/** Opens a mode of the stage; what it shows, chooses and plays is in the main part of the page. */
export async function openMode(page: Page, title: string): Promise<Locator> {
  const main = page.getByRole('main');
  await main.getByRole('tab', { name: title, exact: true }).click();
  return main;
}
