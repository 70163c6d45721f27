import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export const grid = (page: Page, name: string): Locator => page.getByRole('grid', { name, exact: true });

/** The cell at a row and column of a grid as drawn (for x, including the ring of padding). */
export const cellAt = (page: Page, name: string, row: number, col: number): Locator =>
  grid(page, name).getByRole('row').nth(row).getByRole('gridcell').nth(col);

/** The texts of the cells of a grid, row by row; of a cell without text, the value of its lens. */
const written = (page: Page, name: string, exactly: boolean): Promise<string[]> =>
  grid(page, name)
    .getByRole('gridcell')
    .evaluateAll(
      (elements, exact) =>
        elements.map((cell) => {
          const text = cell.matches('.cell--bare') ? cell.getAttribute('data-value') : cell.textContent;
          return (exact && cell.getAttribute('aria-description')) || (text ?? '');
        }),
      exactly,
    );

/** The displayed values of a grid, row by row, without the ring of padding. */
export async function readNumbers(page: Page, name: string): Promise<number[]> {
  return (
    (await written(page, name, false))
      // A value that is too small for its cell is displayed as about 0.
      .map((text) => text.trim().replace('\u2212', '-').replace('\u2248', ''))
      .filter(Boolean)
      .map(Number)
  );
}

/** The same at full precision: if a cell is too small, its description has the value. */
export async function readExact(page: Page, name: string): Promise<number[]> {
  return (await written(page, name, true))
    .map((text) => text.trim().replace('\u2212', '-'))
    .filter(Boolean)
    .map(Number);
}

/** Types a value into a cell by keyboard. */
export async function typeInto(page: Page, cell: Locator, value: string): Promise<void> {
  await cell.click();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(value);
  await page.keyboard.press('Enter');
}

/** Sets a number field and moves the focus away. */
export async function setField(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByRole('spinbutton', { name: label, exact: true });
  await field.fill(value);
  await field.press('Enter');
}

/** Does something after which the page shows a message for four seconds. The waiting begins before, so that it is not missed. */
export const briefly = async (message: Locator, act: () => Promise<unknown>): Promise<void> =>
  void (await Promise.all([message.waitFor(), act()]));

/** Resolves when nothing shows progress. The page and each of its panels may show some. */
export const computed = (page: Page): Promise<void> => expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
