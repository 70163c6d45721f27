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

it('in the three products, rows and columns of the factors meet in the result, for values and for maps', async () => {
  const products = ['y_col = x_col · w_col', 'dw_col = x_colᵀ · dy_col', 'dx_col = dy_col · w_colᵀ'];
  for (const hash of [CHANNELS, '#v=2&h=5&w=5&kh=3&kw=3', '#v=2&h=256&w=256&kh=3&kw=3']) {
    const { page } = await openPage(stage, SMALL, `${hash}&mode=lowering&lowering.part=products`);
    for (const name of products) {
      await page.getByRole('radio', { name, exact: true }).check();
      await page
        .locator(`.matrix-product__result .panel--${name.replace(/ .*/, '')} [role=gridcell]`)
        .first()
        .waitFor();
      expect(await outOfCard(page)).toEqual([]);
      const [left, above, result] = await page.evaluate(() =>
        ['left', 'above', 'result'].map((part) => {
          const { top, bottom, left, right } =
            document.querySelector(`.matrix-product__${part} .grid-box`)?.getBoundingClientRect() ?? new DOMRect();
          return { rows: [top, bottom], cols: [left, right] };
        }),
      );
      expect(left?.rows, name).toEqual(result?.rows);
      expect(above?.cols, name).toEqual(result?.cols);
      expect(result?.rows[1]).toBeGreaterThan((result?.rows[0] ?? 0) + 10);
    }
    await page.context().close();
  }
});

it('the parts of a product that is too large scroll together', async () => {
  const { page } = await openPage(stage, SMALL, '#v=2&h=256&w=256&kh=3&kw=3&mode=lowering&lowering.part=products');
  const result = page.locator('.matrix-product__result [role=gridcell]');
  await page.getByText(/^In view: .* of 64,516 windows/).waitFor();
  const pixels = () =>
    page.locator('.matrix-product__above canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const before = await pixels();
  await result.focus();
  await page.keyboard.press('Control+End');
  await expect.poll(pixels).not.toBe(before);
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
  const dw = await openMode(page, 'dw & db');
  await dw.getByRole('radio', { name: 'matrix product' }).check();
  await page.getByText('of 65,536 windows').waitFor();
  expect(await cutTitles(page)).toEqual([]);
  for (const name of ['x_col', 'dw_col', 'dy_col']) expect(await page.locator(`main .panel--${name}`).count()).toBe(1);
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
