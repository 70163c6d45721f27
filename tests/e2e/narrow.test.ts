import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { chooseFrom } from './support/modes';
import { cutOff, outOfCard } from './support/survey/fitting';

const stage = useStage();

const WINDOWS = [
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
  { width: 1400, height: 900 },
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
];

/** Sets the size of the text of all tabs, or removes it. */
const scaleTabs = (page: Page, factor: number | null) =>
  page.evaluate((by) => {
    for (const tab of document.querySelectorAll<HTMLElement>('main [role=tab], .side [role=tab]'))
      tab.style.fontSize = by ? `${by * Number.parseFloat(getComputedStyle(tab).fontSize)}px` : '';
  }, factor);

// The survey checks one window of a desktop.
it('at every width no tab is cut off and no side panel scrolls horizontally, also with a font 15 % wider', async () => {
  const { page } = await openPage(stage, { viewport: WINDOWS[0] ?? null, reducedMotion: 'reduce' }, '');
  for (const name of ['Lessons', 'Algorithms', 'Code']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await page.locator('.side .tabs__panel > *').first().waitFor();
    for (const viewport of WINDOWS) {
      await page.setViewportSize(viewport);
      await page
        .locator(viewport.width < 1100 ? '.phone-sheet' : '.side .tabs__list')
        .first()
        .waitFor();
      const where = `${name}, ${viewport.width}`;
      expect(await cutOff(page), where).toEqual([]);
      await scaleTabs(page, 1.15);
      expect(await cutOff(page), `${where}, wider`).toEqual([]);
      await scaleTabs(page, null);
    }
    await page.setViewportSize(WINDOWS[0] ?? { width: 0, height: 0 });
  }
  await page.context().close();
});

const SMALL = { viewport: { width: 1280, height: 720 } };
const CHANNELS = '#v=2&h=7&w=7&c=3&k=4&kh=3&kw=3&padding=same&x=random:3&weights=random:5';

it('in the three products, rows and columns of the factors meet in the result, for values and for maps', async () => {
  const products = ['y_col = x_col · w_col', 'dw_col = x_colᵀ · dy_col', 'dx_col = dy_col · w_colᵀ'];
  for (const hash of [CHANNELS, '#v=2&h=256&w=256&kh=3&kw=3']) {
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
  const dock = await page.locator('.dock').boundingBox();
  // It is there for four seconds.
  const [toast] = await Promise.all([page.locator('.toast').boundingBox(), chooseFrom(page, 'Share', 'Copy link')]);
  expect((toast?.y ?? 0) + (toast?.height ?? 9999)).toBeLessThanOrEqual(dock?.y ?? 0);
  await page.context().close();
});
