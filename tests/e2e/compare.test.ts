import type { FrameLocator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, openStage, useStage } from './support/browser';
import { cellAt } from './support/grids';
import { openMode } from './support/modes';
import type { Serving } from './support/site';

// Two problems side by side: the other one is a frame of this site, and its link is part of the link of the page.

// With the recommended headers, only pages of the same site may embed it.
const stage = useStage({ recommended: true });

const HERE = '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:9';
const THERE = 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=ones';
const other = (page: Page) => page.frameLocator('iframe[title="The other problem"]');
const cellThere = (page: Page, name: string, row: number, col: number) =>
  other(page).locator(`.panel--${name} [role=gridcell][data-row="${row}"][data-col="${col}"]`);
const withOf = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get('with');
const row = (page: Page, name: string) =>
  page.locator('.compare__table tr', { has: page.getByRole('rowheader', { name, exact: true }) }).allTextContents();
/** Whether the explained cell is marked here: the outline starts at the top left of the cell. */
const isMarked = (side: Page | FrameLocator, name: string, at: number, col: number) =>
  side.locator(`.panel--${name}`).evaluate(
    (panel, [r, c]) => {
      const line = panel.querySelector('.mark--focus .mark__line')?.getBoundingClientRect();
      const cell = panel.querySelector(`[role=gridcell][data-row="${r}"][data-col="${c}"]`)?.getBoundingClientRect();
      return !!line && !!cell && Math.abs(line.x - cell.x) < 4 && Math.abs(line.y - cell.y) < 4;
    },
    [at, col] as const,
  );

/**
 * y of both, by loops: a ramp of 7 x 7, padding 1, stride 2; weights 9 to 1 there, ones here. Returns the cell with the
 * largest difference.
 */
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

it('opens a pasted link next to the page, names the differences, and is itself a link', async () => {
  const { page, troubles } = await openPage(stage, {}, HERE);
  await cellAt(page, 'y', 0, 0).waitFor();
  await page.keyboard.press('c');
  const beginning = page.getByRole('complementary', { name: 'The other problem' });
  const box = beginning.getByRole('textbox');
  await box.fill('https://course.example/#h=2&kh=9');
  await box.press('Enter');
  await beginning.getByText(/The link was not opened: its problem has sizes that do not fit together/).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await box.fill(`https://course.example/any/#${THERE}&mode=dw`);
  await beginning.getByRole('button', { name: 'Open link' }).click();
  await cellThere(page, 'y', 0, 0).waitFor();
  // y[0,0] of a ramp: 0 + 1 + 7 + 8 with ones; with the countdown, the weights of 0, 1, 7 and 8 are 5, 4, 2 and 1.
  expect(await cellThere(page, 'y', 0, 0).textContent()).toBe('16');
  expect(await cellAt(page, 'y', 0, 0).textContent()).toBe('26');
  expect(await row(page, 'w')).toEqual(['wcountdown 9ones']);
  expect(await row(page, 'stride')).toEqual([]);
  await expect.poll(() => row(page, 'y')).toEqual([`y[1, 4, 4, 1][1, 4, 4, 1]${worst()}`]);
  await expect.poll(() => row(page, 'dw')).toEqual(['dw[3, 3, 1, 1][3, 3, 1, 1]same values']);
  await expect.poll(() => withOf(page)).toContain('weights=ones');
  expect(withOf(page)).not.toContain('mode=');

  // The same link, opened on another page.
  const again = await openPage(stage, {}, new URL(page.url()).hash);
  await cellThere(again.page, 'y', 0, 0).waitFor();
  expect(await cellThere(again.page, 'y', 0, 0).textContent()).toBe('16');
  await again.page.context().close();

  await page.getByRole('button', { name: 'Swap' }).click();
  await expect.poll(() => cellAt(page, 'y', 0, 0).textContent()).toBe('16');
  await expect.poll(() => cellThere(page, 'y', 0, 0).textContent()).toBe('26');
  await page.getByRole('button', { name: 'Close comparison' }).click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Explain' }).waitFor();
  await expect.poll(() => withOf(page)).toBeNull();
  await page.context().close();
  expect([...troubles, ...again.troubles]).toEqual([]);
});

it('shares the cursor and the view in both directions, and leaves the copy unchanged', async () => {
  const { page, troubles } = await openPage(stage, {}, HERE);
  await cellAt(page, 'y', 0, 0).waitFor();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Compare with a copy' }).click();
  await cellThere(page, 'y', 1, 2).waitFor();
  await page.getByText('Both problems are the same.').waitFor();
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
  await openMode(page, 'im2col');
  await other(page).locator('.scrubber').first().waitFor();
  // Before and after: what is changed here stays as it was there, and where there is no such cell nothing is marked.
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('spinbutton', { name: 'height', exact: true }).fill('9');
  await page.keyboard.press('Enter');
  await expect.poll(() => row(page, 'height')).toEqual(['height97']);
  await expect.poll(() => row(page, 'y')).toEqual(['y[1, 5, 4, 1][1, 4, 4, 1]different sizes']);
  await cellAt(page, 'y', 4, 0).click();
  await expect.poll(() => isMarked(page, 'y', 4, 0)).toBe(true);
  await expect.poll(() => frame.locator('.mark--focus').count()).toBe(0);
  expect(withOf(page)).toContain('h=7');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('reports hidden values even if both problems are equal', async () => {
  const { page, troubles } = await openPage(stage, {}, '#lesson=stride.3&with=hidden%3Dy');
  await page.getByText('Both problems are the same.').waitFor();
  // The opening problem: 3 x 3 over 5 x 5.
  await expect.poll(() => row(page, 'y')).toEqual([expect.stringMatching(/^y(\[.*\])\1values are hidden$/)]);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('reports why it cannot compare the results, and compares them after recovery', async () => {
  // The code that hides values loads with the first problem that hides some.
  const serving: Serving = {};
  serving.patch = (file, body) => (/\/masks-[^/]*\.js$/.test(file) ? { status: 404, body } : body);
  const broken = await openStage(serving);
  const { page } = await openPage(broken, {}, `${HERE}&with=${encodeURIComponent(`${THERE}&hidden=y`)}`);
  const notice = page.locator('.compare__head .notice');
  await notice.getByText('The results were not compared: the part that hides values failed to load').waitFor();
  expect(await row(page, 'y')).toEqual([]);
  serving.patch = undefined;
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => row(page, 'y')).toEqual(['y[1, 4, 4, 1][1, 4, 4, 1]values are hidden']);
  expect(await notice.count()).toBe(0);
  await broken.close();
});

it('reveals no hidden value by comparing', async () => {
  const { page, troubles } = await openPage(stage, {}, `${HERE}&with=${encodeURIComponent(`${THERE}&hidden=y`)}`);
  await expect.poll(() => cellThere(page, 'y', 0, 0).textContent()).toBe('?');
  await expect.poll(() => row(page, 'y')).toEqual(['y[1, 4, 4, 1][1, 4, 4, 1]values are hidden']);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('aligns the tops of both problems', async () => {
  const other = encodeURIComponent('v=2&h=5&w=5&kh=3&kw=3');
  const { page } = await openPage(stage, { viewport: { width: 1280, height: 720 } }, `#v=2&h=7&w=7&kh=3&with=${other}`);
  const frame = page.frameLocator('.compare__frame');
  await page.locator('main .panel--x').waitFor();
  await frame.locator('.panel--x').waitFor();
  const [left, right] = [
    await page.locator('main .panel--x').boundingBox(),
    await frame.locator('.panel--x').boundingBox(),
  ];
  expect(Math.abs((left?.y ?? 0) - (right?.y ?? 9999))).toBeLessThanOrEqual(2);
  await page.context().close();
});
