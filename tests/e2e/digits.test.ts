import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';

describe('the training on digits', () => {
  const stage = useStage();

  it('recognizes 95 % of the held-out digits, reads a drawing, and opens a batch as a problem', async () => {
    const { page, troubles } = await openPage(stage, {}, '#h=5&kh=3&mode=learn');
    const main = page.getByRole('main');
    await main.getByRole('combobox', { name: 'task' }).selectOption('digits');
    await main.getByText('After 0 steps:').waitFor();
    const picture = await main.locator('.digits__batch canvas').first().elementHandle();
    await main.getByRole('slider', { name: 'steps of gradient descent' }).press('End');
    const sentence = main.getByText('After 440 steps:');
    await sentence.waitFor();
    // A step draws its images into the pictures of the one before.
    expect(await picture?.evaluate((canvas) => canvas.isConnected)).toBe(true);
    const [, correct] = /: (\d+) of 359 held-out digits/.exec((await sentence.textContent()) ?? '') ?? [];
    expect(Number(correct) / 359).toBeGreaterThanOrEqual(0.95);

    // A vertical stroke, by pointer and by keyboard.
    const drawing = main.getByRole('grid', { name: 'your digit' });
    const box = (await drawing.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [left, top, cell] = [box.x, box.y, box.width / 8] as const;
    await page.mouse.move(left + 3.5 * cell, top + 0.5 * cell);
    await page.mouse.down();
    for (let row = 1; row < 7; row += 1) await page.mouse.move(left + 3.5 * cell, top + (row + 0.5) * cell);
    await page.mouse.up();
    await expect.poll(() => drawing.locator('.drawing__cell--ink').count()).toBe(7);
    await drawing.getByRole('gridcell', { name: 'row 0, column 0' }).focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    for (let row = 0; row < 7; row += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expect.poll(() => drawing.locator('.drawing__cell--ink').count()).toBe(8);
    const shares = main.getByRole('list', { name: 'probability of each class for your digit' });
    await expect.poll(() => shares.locator('.shares__class--best').count()).toBe(1);

    await main.getByRole('button', { name: 'Open the batch' }).click();
    await main.getByRole('grid', { name: /^y6/ }).first().waitFor();
    // The address follows the page after a while.
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('layers=6');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
