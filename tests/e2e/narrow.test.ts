import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { chooseFrom, openMode } from './support/modes';
import { cutOff, outOfCard } from './support/survey/fitting';

const stage = useStage();

it('a size of four digits fits its field', async () => {
  const { page } = await openPage(stage, {}, '#h=1024&w=4&x=ones');
  const box = page.getByRole('spinbutton', { name: 'height', exact: true });
  await box.waitFor();
  expect(await box.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
  await page.context().close();
});

describe.each([
  [1280, 720],
  [1366, 768],
  [1400, 900],
  [1440, 900],
  [820, 1180],
])('at %d x %d', (width, height) => {
  it('no tab is cut off and no side panel scrolls horizontally, also with a font 15 % wider', async () => {
    const { page } = await openPage(stage, { viewport: { width, height } }, '');
    await page.locator('.panel--dx').waitFor();
    await page.locator('.side, .phone-sheet').first().waitFor();
    expect(await cutOff(page)).toEqual([]);
    await page.evaluate(() => {
      for (const tab of document.querySelectorAll<HTMLElement>('main [role=tab], .side [role=tab]')) {
        tab.style.fontSize = `${1.15 * Number.parseFloat(getComputedStyle(tab).fontSize)}px`;
      }
    });
    expect(await cutOff(page)).toEqual([]);
    for (const name of width < 1100 ? [] : ['Lessons', 'Algorithms', 'Code']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await page.locator('.side .tabs__panel > *').first().waitFor();
      expect(await cutOff(page), name).toEqual([]);
    }
    await page.context().close();
  });
});

const SMALL = { viewport: { width: 1280, height: 720 } };
const CHANNELS = '#v=2&h=7&w=7&c=3&k=4&kh=3&kw=3&padding=same&x=random:3&weights=random:5';

it('in the three products, zoom buttons and formulas are inside their panels and rows are aligned', async () => {
  const { page } = await openPage(stage, SMALL, `${CHANNELS}&mode=lowering`);
  const chooseProducts = async () => {
    await page.getByRole('radio', { name: '2 Three products' }).check();
    await page.locator('.lanes').waitFor();
    await page.locator('.panel--y_col').waitFor();
  };
  await chooseProducts();
  expect(await outOfCard(page)).toEqual([]);
  await page.goto(page.url().replace(/#.*/, '#v=2&h=5&w=5&kh=3&kw=3&mode=lowering'));
  await page.reload();
  await chooseProducts();
  const tops = await page.evaluate(() =>
    ['x_col', 'y_col'].map((name) =>
      [...document.querySelectorAll(`.panel--${name} [role=row]`)].map((row) => row.getBoundingClientRect().top),
    ),
  );
  expect(tops[0]).toHaveLength(9);
  expect(tops[1]).toEqual(tops[0]);
  await page.context().close();
});

const cutTitles = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.figure__subtitle')].flatMap((words) =>
      words.scrollWidth > words.clientWidth ? [words.textContent] : [],
    ),
  );

it('titles of panels with three channels are not cut off', async () => {
  const { page } = await openPage(stage, SMALL, CHANNELS);
  await page.locator('.panel--dx .figure__size', { hasText: '7 × 7 × 3' }).waitFor();
  expect(await cutTitles(page)).toEqual([]);
  await page.context().close();
});

it('titles of an image and of small panels are not cut off, and its dw view is not empty', async () => {
  const hash = '#v=2&h=256&w=256&kh=3&kw=3&padding=same&x=sample:portrait&weights=filter:sobel_x';
  const { page } = await openPage(stage, SMALL, hash);
  await page.locator('.panel--dx').waitFor();
  expect(await cutTitles(page)).toEqual([]);
  await openMode(page, 'dw & db');
  await page.getByText('too many to draw').waitFor();
  for (const tensor of ['x', 'dw', 'dy']) expect(await page.locator(`main .panel--${tensor}`).count()).toBe(1);
  await page.context().close();
});

it('the source of the values is not cut off by its button', async () => {
  const { page } = await openPage(stage, SMALL, CHANNELS);
  const box = page.getByRole('combobox', { name: 'values' }).first();
  await page.getByRole('button', { name: 'Shuffle x' }).waitFor();
  const [width, natural] = await box.evaluate((element) => {
    const twin = element.cloneNode(true) as HTMLSelectElement;
    const text = (element as HTMLSelectElement).selectedOptions[0]?.text ?? '';
    twin.replaceChildren(new Option(text));
    twin.style.width = 'max-content';
    element.after(twin);
    const sizes = [element.getBoundingClientRect().width, twin.getBoundingClientRect().width];
    twin.remove();
    return sizes;
  });
  expect(width).toBeGreaterThanOrEqual(natural ?? Number.POSITIVE_INFINITY);
  await page.context().close();
});

it('a message does not cover the sentence of the player', async () => {
  const { page } = await openPage(stage, { ...SMALL, permissions: ['clipboard-read', 'clipboard-write'] }, '');
  await page.locator('.dock .scrubber__sentence').waitFor();
  await chooseFrom(page, 'Share', 'Copy link');
  await page.locator('.toast').waitFor();
  const [toast, dock] = [await page.locator('.toast').boundingBox(), await page.locator('.dock').boundingBox()];
  expect((toast?.y ?? 0) + (toast?.height ?? 9999)).toBeLessThanOrEqual(dock?.y ?? 0);
  await page.context().close();
});
