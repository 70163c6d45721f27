import { expect, it } from 'vitest';
import { NOTEBOOK_4, openPage, useStage } from './support/browser';
import { heading } from './support/lesson-user';

const stage = useStage();

it('highlights the panel of a symbol of the derivation, and the symbols of a cell', async () => {
  const { page, troubles } = await openPage(stage, {}, NOTEBOOK_4);
  await page.locator('main .panel--dx').waitFor();
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.getByRole('button', { name: 'Derivation of the formulas' }).click();
  const formulas = page.getByRole('math');
  await expect.poll(() => formulas.count()).toBeGreaterThan(10);
  // Rendered as MathML, not as text.
  expect(await formulas.first().evaluate(({ namespaceURI }) => namespaceURI)).toBe(
    'http://www.w3.org/1998/Math/MathML',
  );
  const below = await page
    .locator('munder')
    .first()
    .evaluate((sum) => {
      const [sign, over] = [...sum.children].map((child) => child.getBoundingClientRect());
      return sign && over ? over.top - sign.top : 0;
    });
  expect(below).toBeGreaterThan(5);
  const outline = (tensor: string) =>
    page.locator(`main .panel--${tensor} .panel__frame`).evaluate((panel) => getComputedStyle(panel).outlineStyle);
  expect(await outline('dw')).not.toBe('solid');
  await page.locator('.derivation mi[data-tensor="dw"]').first().hover();
  await expect.poll(() => outline('dw')).toBe('solid');
  await page.locator('main .panel--dx [role="gridcell"]').first().hover();
  await expect.poll(() => outline('dw')).not.toBe('solid');
  const lit = (tensor: string) =>
    page
      .locator(`.derivation mi[data-tensor="${tensor}"]`)
      .first()
      .evaluate((symbol) => getComputedStyle(symbol).outlineStyle);
  await expect.poll(() => lit('dx')).toBe('solid');
  expect(await lit('dw')).toBe('none');
  const chip = page.getByRole('button', { name: 'outline panel w' }).first();
  await chip.press('Enter');
  await expect.poll(() => outline('w')).toBe('solid');
  await page.getByRole('button', { name: 'lesson with numbers' }).first().click();
  await heading(page).waitFor();
  await page.getByRole('button', { name: 'Leave lesson' }).click();
  await page.locator('.derivation').waitFor();
  await page.getByRole('button', { name: 'Back to the lessons' }).click();
  await page.locator('.catalogue').waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});
