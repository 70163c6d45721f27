import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt, grid, readNumbers } from './support/grids';
import { openDyMenu } from './support/modes';
import { seriousIn } from './support/survey/axe';

// The menu of dy as a popover of the browser, and dy under a real pointer. What the sources do is in tests/web/page.

const stage = useStage();

it('opens by mouse and keyboard, gives the focus back, and closes by a click elsewhere; dragging paints', async () => {
  const { page, troubles } = await openPage(stage);
  await grid(page, 'dx').waitFor();
  const button = page.getByRole('button', { name: 'dy ones' });
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
  await button.click();
  await expect.poll(focused).toBe('ones');
  await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
  expect(await seriousIn(page, '.menu:popover-open')).toEqual([]);
  for (const key of ['Enter', ' ', 'ArrowDown']) {
    await page.keyboard.press('Escape');
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press(key);
    await expect.poll(focused).toBe('ones');
  }
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'dy random' }).waitFor();
  await page.mouse.click(640, 690);
  await expect.poll(() => page.locator('.dy-menu').count()).toBe(0);
  // A press on text inside keeps it open.
  const menu = await openDyMenu(page);
  await menu.getByText('a single 1', { exact: true }).click();
  await page.getByRole('button', { name: 'dy a single 1' }).waitFor();
  expect(await menu.isVisible()).toBe(true);

  await menu.getByRole('radio', { name: 'painted', exact: true }).check();
  await menu.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('Escape');
  const [from, to] = await Promise.all([1, 3].map((col) => cellAt(page, 'dy', 1, col).boundingBox()));
  if (!from || !to) throw new Error('dy is not on the page');
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y + 5, { steps: 1 });
  await page.mouse.up();
  await expect.poll(() => readNumbers(page, 'dy')).toEqual([...Array(5).fill(0), -1, -1, -1, ...Array(8).fill(0)]);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('the 1 follows the mouse and a tap', async () => {
  const { page, troubles } = await openPage(stage, { hasTouch: true }, '#h=5&kh=3&dy=pointed:4');
  const at = (cell: number) => Array.from({ length: 9 }, (_, i) => Number(i === cell));
  await page.getByRole('button', { name: 'dy a 1 at the cell you point at' }).waitFor();
  await cellAt(page, 'y', 0, 2).hover();
  await expect.poll(() => readNumbers(page, 'dy')).toEqual(at(2));
  await cellAt(page, 'dy', 2, 0).hover();
  await expect.poll(() => readNumbers(page, 'dy')).toEqual(at(6));
  await page.mouse.move(640, 700);
  await cellAt(page, 'y', 2, 2).tap();
  await expect.poll(() => readNumbers(page, 'dy')).toEqual(at(8));
  await page.context().close();
  expect(troubles).toEqual([]);
});
