import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt, grid } from './support/grids';
import { openMode } from './support/modes';

const stage = useStage();

const NOTEBOOK = '#v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12&dy=ones';

describe('the look', () => {
  it('is in the link: view, its options, the pinned cell', async () => {
    const { page, troubles } = await openPage(stage, {}, `${NOTEBOOK}&mode=dx&dx.way=gather&dx.t=5&cell=y.5`);
    // 2 rows of 4: y[1,1] of the notebook's case 4.
    const explain = page.getByRole('complementary', { name: 'Explain' });
    await explain.getByRole('heading', { name: 'y[1,1]' }).waitFor();
    await page.getByRole('slider', { name: 'steps of dx by gather' }).waitFor();
    expect(await page.getByRole('slider', { name: 'steps of dx by gather' }).inputValue()).toBe('5');
    expect(await page.getByRole('tab', { name: 'dx', exact: true }).getAttribute('aria-selected')).toBe('true');
    await openMode(page, 'im2col');
    await page.waitForURL(/&mode=lowering&dx\.way=gather&dx\.t=5&cell=y\.5$/);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('keyboard', () => {
  it('moves between a cell and its explanation with E, and Esc returns to the cell', async () => {
    const { page, troubles } = await openPage(stage, {}, NOTEBOOK);
    await grid(page, 'dx').waitFor();
    const cell = cellAt(page, 'y', 1, 1);
    await cell.focus();
    const focused = (selector: string) =>
      page.locator(selector).evaluate((element) => element.matches(':focus-within'));
    await page.getByRole('complementary', { name: 'Explain' }).getByRole('heading', { name: 'y[1,1]' }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Unpin this cell' }).waitFor();
    expect(await focused('.explain')).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('e');
    expect(await cell.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('e');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Unpin this cell' }).waitFor({ state: 'detached' });
    expect(await cell.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('hides and shows the controls', async () => {
    const { page, troubles } = await openPage(stage, {}, NOTEBOOK);
    const height = page.getByRole('spinbutton', { name: 'height', exact: true });
    await height.waitFor();
    await page.keyboard.press('Control+b');
    await height.waitFor({ state: 'detached' });
    await page.waitForURL(/&controls=folded$/);
    await page.getByRole('button', { name: 'Show controls' }).click();
    await height.waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
