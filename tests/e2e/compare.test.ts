import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { cellAt } from './support/grids';

// Two problems side by side: the other one is a frame of this site, and a link in the page's own link.

let stage: Stage;
beforeAll(async () => {
  // Who hosts the site as is recommended lets its own pages alone show it.
  stage = await openStage({ recommended: true });
});
afterAll(() => closeStage(stage));

const HERE = '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:9';
const THERE = 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=ones';
const other = (page: Page) => page.frameLocator('iframe[title="The other problem"]');
const cellThere = (page: Page, name: string, row: number, col: number) =>
  other(page).locator(`.panel--${name} [role=gridcell][data-row="${row}"][data-col="${col}"]`);
const withOf = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get('with');
const row = (page: Page, name: string) =>
  page.locator('.compare__table tr', { has: page.getByRole('rowheader', { name, exact: true }) }).allTextContents();
/** Whether the cell that is spoken of is marked at this place: its outline begins at the top left of the cell. */
const isMarked = (side: Page | FrameLocator, name: string, at: number, col: number) =>
  side.locator(`.panel--${name}`).evaluate(
    (panel, place) => {
      const line = panel.querySelector('.mark--focus .mark__line')?.getBoundingClientRect();
      const cell = panel
        .querySelector(`[role=gridcell][data-row="${place[0]}"][data-col="${place[1]}"]`)
        ?.getBoundingClientRect();
      return !!line && !!cell && Math.abs(line.x - cell.x) < 4 && Math.abs(line.y - cell.y) < 4;
    },
    [at, col] as const,
  );

/** y of both, by loops: a ramp of 7 x 7, padding 1, stride 2; weights 9 to 1 there, ones here. The cell that is furthest apart. */
function worst(): string {
  let most = { off: 0, words: '' };
  for (let p = 0; p < 4; p += 1) {
    for (let q = 0; q < 4; q += 1) {
      let off = 0;
      for (let r = 0; r < 3; r += 1) {
        for (let s = 0; s < 3; s += 1) {
          const [i, j] = [2 * p + r - 1, 2 * q + s - 1];
          if (i >= 0 && i < 7 && j >= 0 && j < 7) off += (7 * i + j) * (1 - (9 - (3 * r + s)));
        }
      }
      if (Math.abs(off) > Math.abs(most.off)) most = { off, words: `${off} at y[${p},${q}]`.replace('-', '\u2212') };
    }
  }
  return most.words;
}

it('opens a pasted link beside the page, names what differs, and is a link itself', async () => {
  const { page, troubles } = await openPage(stage, {}, HERE);
  await cellAt(page, 'y', 0, 0).waitFor();
  await page.keyboard.press('c');
  const beginning = page.getByRole('complementary', { name: 'The other problem' });
  const box = beginning.getByRole('textbox');
  await box.fill('https://course.example/#h=2&kh=9');
  await box.press('Enter');
  await beginning.getByText(/The link was not opened: its problem has sizes that do not go together/).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await box.fill(`https://course.example/any/#${THERE}&mode=dw`);
  await beginning.getByRole('button', { name: 'Open it here' }).click();
  await cellThere(page, 'y', 0, 0).waitFor();
  // y[0,0] of a ramp: 0 + 1 + 7 + 8 with ones; 5, 4, 2 and 1 of the countdown weigh 0, 1, 7 and 8 there.
  expect(await cellThere(page, 'y', 0, 0).textContent()).toBe('16');
  expect(await cellAt(page, 'y', 0, 0).textContent()).toBe('26');
  expect(await row(page, 'w')).toEqual(['wcountdown 9ones']);
  expect(await row(page, 'stride')).toEqual([]);
  await expect.poll(() => row(page, 'y')).toEqual([`y[1, 4, 4, 1][1, 4, 4, 1]${worst()}`]);
  await expect.poll(() => row(page, 'dw')).toEqual(['dw[3, 3, 1, 1][3, 3, 1, 1]the same numbers']);
  await expect.poll(() => withOf(page)).toContain('weights=ones');
  expect(withOf(page)).not.toContain('mode=');

  // The same link, opened by somebody else.
  const again = await openPage(stage, {}, new URL(page.url()).hash);
  await cellThere(again.page, 'y', 0, 0).waitFor();
  expect(await cellThere(again.page, 'y', 0, 0).textContent()).toBe('16');
  await again.page.context().close();

  await page.getByRole('button', { name: 'Swap them' }).click();
  await expect.poll(() => cellAt(page, 'y', 0, 0).textContent()).toBe('16');
  await expect.poll(() => cellThere(page, 'y', 0, 0).textContent()).toBe('26');
  await page.getByRole('button', { name: 'Back to one' }).click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Explain' }).waitFor();
  await expect.poll(() => withOf(page)).toBeNull();
  await page.context().close();
  expect([...troubles, ...again.troubles]).toEqual([]);
});

it('has one cursor and one mode, both ways, and leaves the copy as it was', async () => {
  const { page, troubles } = await openPage(stage, {}, HERE);
  await cellAt(page, 'y', 0, 0).waitFor();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Put a copy of this one here' }).click();
  await cellThere(page, 'y', 1, 2).waitFor();
  await page.getByText('Both are the same problem.').waitFor();
  const frame = other(page);
  await cellAt(page, 'y', 1, 2).hover();
  await expect.poll(() => isMarked(frame, 'y', 1, 2)).toBe(true);
  await cellThere(page, 'x', 3, 2).hover();
  await expect.poll(() => isMarked(page, 'x', 3, 2)).toBe(true);
  await cellThere(page, 'w', 0, 1).click();
  await expect.poll(() => new URL(page.url()).hash).toContain('cell=w.1');
  expect(await isMarked(page, 'w', 0, 1)).toBe(true);
  await cellAt(page, 'y', 1, 2).click();
  await page.mouse.move(5, 5);
  await expect.poll(() => isMarked(frame, 'y', 1, 2)).toBe(true);
  await page.getByRole('tab', { name: 'Step by step' }).click();
  await other(page).locator('.scrubber').first().waitFor();
  // Before and after: what is changed here stays as it was there, and where there is no such cell nothing is marked.
  await page.getByRole('tab', { name: 'Board' }).click();
  await page.getByRole('spinbutton', { name: 'height', exact: true }).fill('9');
  await page.keyboard.press('Enter');
  await expect.poll(() => row(page, 'height')).toEqual(['height97']);
  await expect.poll(() => row(page, 'y')).toEqual(['y[1, 5, 4, 1][1, 4, 4, 1]other sizes']);
  await cellAt(page, 'y', 4, 0).click();
  await expect.poll(() => isMarked(page, 'y', 4, 0)).toBe(true);
  await expect.poll(() => frame.locator('.mark--focus').count()).toBe(0);
  expect(withOf(page)).toContain('h=7');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('tells no hidden number by comparing', async () => {
  const { page, troubles } = await openPage(stage, {}, `${HERE}&with=${encodeURIComponent(`${THERE}&hidden=y`)}`);
  await expect.poll(() => cellThere(page, 'y', 0, 0).textContent()).toBe('?');
  await expect.poll(() => row(page, 'y')).toEqual(['y[1, 4, 4, 1][1, 4, 4, 1]numbers are hidden']);
  await page.context().close();
  expect(troubles).toEqual([]);
});
