import type { Locator, Page } from 'playwright-core';

export const grid = (page: Page, name: string): Locator => page.getByRole('grid', { name, exact: true });

/** The cell at a row and column of a grid as drawn (for x, including the ring of padding). */
export const cellAt = (page: Page, name: string, row: number, col: number): Locator =>
  grid(page, name).getByRole('row').nth(row).getByRole('gridcell').nth(col);

/** The displayed values of a grid, row by row, without the ring of padding. */
export async function readNumbers(page: Page, name: string): Promise<number[]> {
  const cells = await grid(page, name)
    .getByRole('gridcell')
    .evaluateAll((elements) => elements.map((element) => element.textContent ?? ''));
  return (
    cells
      // A value that is too small for its cell is displayed as about 0.
      .map((text) => text.trim().replace('\u2212', '-').replace('\u2248', ''))
      .filter(Boolean)
      .map(Number)
  );
}

/** The same at full precision: if a cell is too small, its description has the value. */
export async function readExact(page: Page, name: string): Promise<number[]> {
  const cells = await grid(page, name)
    .getByRole('gridcell')
    .evaluateAll((elements) =>
      elements.map((element) => element.getAttribute('aria-description') ?? element.textContent ?? ''),
    );
  return cells
    .map((text) => text.trim().replace('\u2212', '-'))
    .filter(Boolean)
    .map(Number);
}

/** Cells that a keyboard reads in a reasonable time. */
const MOST_KEYS = 160;

/**
 * An im2col matrix, row by row, in plain form however it is drawn. A map has elements only around its cursor: it is read by
 * keyboard, a large one only in its first column.
 */
export async function readMatrix(page: Page, name: string): Promise<number[][]> {
  const upright = grid(page, name);
  const transposed = grid(page, `${name} transposed`);
  await upright.or(transposed).waitFor();
  const isTransposed = (await transposed.count()) > 0;
  const matrix = isTransposed ? transposed : upright;
  const sizes = await Promise.all(['aria-rowcount', 'aria-colcount'].map((size) => matrix.getAttribute(size)));
  const [rows = 0, cols = 0] = (isTransposed ? sizes.reverse() : sizes).map(Number);
  const cell = matrix.getByRole('gridcell');
  if ((await cell.count()) > 1) {
    const values = await readExact(page, isTransposed ? `${name} transposed` : name);
    const at = (row: number, col: number) => values[isTransposed ? col * rows + row : row * cols + col] ?? Number.NaN;
    return Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_cell, col) => at(row, col)));
  }
  const [next, across] = isTransposed ? (['ArrowRight', 'ArrowDown'] as const) : (['ArrowDown', 'ArrowRight'] as const);
  const found: number[][] = Array.from({ length: rows }, () => []);
  await cell.focus();
  for (let col = 0; col < (rows * cols <= MOST_KEYS ? cols : 1); col += 1) {
    await page.keyboard.press('Control+Home');
    for (let i = 0; i < col; i += 1) await page.keyboard.press(across);
    for (const line of found) {
      line.push(Number(await cell.getAttribute('data-value')));
      await page.keyboard.press(next);
    }
  }
  return found;
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
