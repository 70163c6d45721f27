import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { grid } from './support/grids';
import { openMode } from './support/modes';

// The layout of im2col, and its overview. Its values, links and animation are in tests/web/page.

const stage = useStage();

async function walk(hash: string, dx: string, steps: (page: Page, view: Locator) => Promise<void>): Promise<void> {
  const { page, troubles } = await openPage(stage, {}, hash);
  await grid(page, dx).waitFor();
  await steps(page, await openMode(page, 'im2col'));
  await page.context().close();
  expect(troubles).toEqual([]);
}

it('labels of columns do not overlap', async () => {
  await walk('#h=6&c=2&k=2&kh=3', 'dx[n=0, c=0]', async (_, view) => {
    await view.locator('.axis-labels__cols span').first().waitFor({ state: 'attached' });
    const labels = await view.locator('.axis-labels__cols span').evaluateAll((spans) =>
      spans.flatMap((span) => {
        const range = document.createRange();
        range.selectNodeContents(span);
        const { left, right } = range.getBoundingClientRect();
        return span.textContent ? [{ text: span.textContent, left, right }] : [];
      }),
    );
    expect(labels[0]?.text).toBe('0,0,0');
    expect(labels.length).toBeGreaterThan(4);
    expect(labels.filter(({ left }, i) => left < (labels[i - 1]?.right ?? 0))).toEqual([]);
  });
});

it('navigates the 50,176 rows of a photo by keyboard and by the overview', async () => {
  const photo = '#h=224&w=224&c=3&k=2&kh=3&kw=3&stride=1&padding=1&x=sample:landscape&weights=random:2';
  await walk(photo, 'dx[n=0, c=0]', async (page, view) => {
    const matrix = grid(page, 'x_col');
    await matrix.waitFor();
    expect([await matrix.getAttribute('aria-rowcount'), await matrix.getAttribute('aria-colcount')]).toEqual([
      '50176',
      '27',
    ]);
    await view.getByText('1,354,752 values').waitFor();
    const cell = matrix.getByRole('gridcell');
    await cell.focus();
    await page.keyboard.press('Control+End');
    await view.getByText('Row 50175 of x_col is the window of y[223,223,0]').waitFor();
    await cell.focus();
    const seen = () =>
      view.locator('.overview__seen').evaluate((element) => Number.parseFloat((element as HTMLElement).style.top));
    const before = await seen();
    await view.locator('.overview canvas').click({ position: { x: 10, y: 200 } });
    await expect.poll(seen).toBeLessThan(before - 100);
    // The focused cell is out of view: moving the focus back scrolls the map just enough.
    await cell.focus();
    await expect.poll(seen).toBe(before);
    expect(await matrix.evaluate(bottomSeen)).toBe(true);
  });
});

/** Whether the focused cell is the last of the grid's height, and on the screen. */
function bottomSeen(element: Element): boolean {
  const [all, cell] = [element.getBoundingClientRect(), element.querySelector(':focus')?.getBoundingClientRect()];
  return cell !== undefined && Math.abs(cell.bottom - all.bottom) < 1 && cell.top > 0 && cell.bottom < innerHeight;
}
