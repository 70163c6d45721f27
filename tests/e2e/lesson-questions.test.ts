import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { setField } from './support/grids';
import { DEVICES, done, heading } from './support/lesson-user';

// What a step of a lesson says to an answer or a choice.

const stage = useStage();

const wrong = (page: Page) => page.locator('.lesson__wrong');

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

it('names the mistake in a cell of a network, and reveals it there', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=relu.3');
  const box = page.locator('.lesson .predict__guess input');
  await box.waitFor();
  const cell = page.getByRole('grid', { name: 'dy1', exact: true }).locator('[data-row="0"][data-col="2"]');
  await expect.poll(() => cell.textContent()).toBe('?');
  // dy2[0,2], as if the gate were open; then a number that no mistake gives.
  await box.fill('-30');
  await box.press('Enter');
  await page.getByText('Gate forgotten').waitFor();
  await box.fill('7');
  await box.press('Enter');
  await page.getByText('dy1[0,2] is not 7. Check the numbers that you used.').waitFor();
  expect(await done(page).count()).toBe(0);
  expect(await cell.textContent()).toBe('?');
  await box.fill('0');
  await box.press('Enter');
  await done(page).waitFor();
  await expect.poll(() => cell.textContent()).toBe('0');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('answers a question by touch, and one that is no value of a tensor', async () => {
  const { page, troubles } = await openPage(stage, DEVICES.touch, '#lesson=dw.2');
  const box = page.locator('.lesson .predict__guess input');
  const check = page.locator('.lesson').getByRole('button', { name: 'Check' });
  await box.tap();
  await box.fill('44');
  await check.tap();
  await done(page).waitFor();
  await expect.poll(() => page.locator('.lesson .predict__verdict--right').count()).toBe(1);
  await page.goto(`${page.url().split('#')[0]}#lesson=padding.3`);
  await expect.poll(() => heading(page).textContent()).toBe('valid, same, full');
  await box.fill('5');
  await check.tap();
  await page.getByText('5 is not right.').waitFor();
  expect(await done(page).count()).toBe(0);
  await box.fill('7');
  await check.tap();
  await done(page).waitFor();
  await expect.poll(() => page.url()).toContain('padding=full');
  await page.goto(`${page.url().split('#')[0]}#lesson=gather.3`);
  await page.locator('.lesson__options button').first().tap();
  await page.getByText('“1, 2, 4, 5” is not right.').waitFor();
  await page.locator('.lesson__options button').nth(1).tap();
  await done(page).waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('answers a wrong cell and a wrong size, and stops when the task is done', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=one-window.1');
  const cellOf = (tensor: string, row: number, col: number) =>
    page.locator(`main .panel--${tensor} [role="gridcell"][data-row="${row}"][data-col="${col}"]`);
  await cellOf('y', 2, 2).click();
  await expect
    .poll(() => wrong(page).textContent())
    .toBe('The window of y[2,2] begins at x[2,2]. Look for row 0 and column 0 of y.');
  expect(await wrong(page).getAttribute('role')).toBe('status');
  await cellOf('x', 0, 0).click();
  await expect.poll(() => wrong(page).textContent()).toMatch(/^x\[0,0\] is read by 1 window\./);
  await cellOf('y', 0, 0).click();
  await done(page).waitFor();
  expect(await wrong(page).textContent()).toBe('');

  await page.goto(`${page.url().split('#')[0]}#lesson=sliding.2`);
  await expect.poll(() => heading(page).textContent()).toBe('How many positions there are');
  await setField(page, 'kernel', '4');
  await expect.poll(() => wrong(page).textContent()).toBe('y is now 2 × 2. The task asks for 4 × 4.');
  await setField(page, 'kernel', '2');
  await done(page).waitFor();
  expect(await wrong(page).textContent()).toBe('');
  await page.context().close();
  expect(troubles).toEqual([]);
});
