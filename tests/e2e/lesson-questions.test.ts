import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { done, heading } from './support/lesson-user';

// A question of a lesson by the keys of a real browser. What a step says to each answer is in tests/web/page.

const stage = useStage();

it('answers a question by keyboard alone: a mistake is named, the right number reveals the cell', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=gather.1');
  await page.locator('.lesson .predict__guess').waitFor();
  const cell = page.locator('main .panel--dx [role="gridcell"][data-row="2"][data-col="2"]');
  await expect.poll(() => cell.textContent()).toBe('?');
  const focused = () => page.evaluate(() => document.activeElement?.closest('.lesson .predict__guess') !== null);
  for (let left = 60; left > 0 && !(await focused()); left -= 1) await page.keyboard.press('Tab');
  // 1·9 + 2·8 + 3·6 + 4·5: the weights of the opposite corner.
  await page.keyboard.type('63');
  await page.keyboard.press('Enter');
  await page.getByText('Weight of the opposite corner').waitFor();
  expect(await done(page).count()).toBe(0);
  // Values stay as they are while the page asks for one.
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('37');
  await page.keyboard.press('Enter');
  await done(page).waitFor();
  expect(await cell.textContent()).toBe('37');
  await page.getByText('37 is correct.').waitFor();
  // What the next step asks for stays hidden.
  await expect.poll(() => page.url()).toMatch(/hidden=dx\.4$/);
  // The focus is on Next.
  await page.keyboard.press('Enter');
  await expect.poll(() => heading(page).textContent()).toBe('One cell in one step');
  await page.context().close();
  expect(troubles).toEqual([]);
});
