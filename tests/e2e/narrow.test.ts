import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { chooseFrom } from './support/modes';
import { cutOff, outOfCard } from './support/survey/fitting';
import { settledPanels } from './support/survey/layout';

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
    await page.locator('.dock > button', { hasText: name }).waitFor({ state: 'attached' });
    for (const viewport of WINDOWS) {
      await page.setViewportSize(viewport);
      const sheet = page.locator('.dock > button');
      if (await sheet.isVisible()) await sheet.click();
      await page.locator('.side .tabs__list').waitFor();
      const where = `${name}, ${viewport.width}`;
      expect(await cutOff(page), where).toEqual([]);
      await scaleTabs(page, 1.15);
      expect(await cutOff(page), `${where}, wider`).toEqual([]);
      await scaleTabs(page, null);
    }
    await page.locator('.dock > button').click();
    await page.setViewportSize(WINDOWS[0] ?? { width: 0, height: 0 });
  }
  await page.context().close();
});

const SMALL = { viewport: { width: 1280, height: 720 } };
const CHANNELS = '#v=2&h=7&w=7&c=3&k=4&kh=3&kw=3&padding=same&x=random:3&weights=random:5';

it('in the three products, rows and columns of the factors meet in the result, or they stand in a row, for values and for maps', async () => {
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
      if ((await page.locator('.matrix-product--row').count()) > 0) {
        // c = a · b, with their middles in a line.
        const middle = ({ rows }: { rows: number[] }) => (rows[0] ?? 0) + (rows[1] ?? 0);
        expect(above && middle(above), name).toBe(result && middle(result));
        expect(result?.cols[1], name).toBeLessThan(left?.cols[0] ?? 0);
        expect(left?.cols[1], name).toBeLessThan(above?.cols[0] ?? 0);
      } else {
        expect(above?.cols, name).toEqual(result?.cols);
      }
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
    page.locator('.matrix-product__left canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  // It opens at the largest entry, which is the last; the keyboard begins at the first.
  await page.getByText(/^y_col\[64515,0\] = /).waitFor();
  const atEnd = await pixels();
  await result.focus();
  await expect.poll(pixels).not.toBe(atEnd);
  await page.keyboard.press('Control+End');
  await expect.poll(pixels).toBe(atEnd);
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

it.each([
  [1024, 768],
  [844, 390],
  [390, 844],
])('at %i x %i the panels stay where they are when the player comes', async (width, height) => {
  const context = await stage.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = () => {
      const rect = JSON.stringify(document.querySelector('main .panel--dx .grid-box')?.getBoundingClientRect());
      if (rect && rect !== seen.at(-1)) seen.push(rect);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(stage.site.url);
  await page.locator('.dock .scrubber__sentence').waitFor();
  await settledPanels(page);
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toHaveLength(1);
  await context.close();
});

it('a walk of a gradient opens with its result in sight, and other algorithms at their top', async () => {
  for (const [hash, tensor] of [
    ['&mode=dx&dx.way=scatter', 'dx'],
    ['&mode=dw&dw.way=direct', 'dw'],
  ] as const) {
    const { page } = await openPage(stage, { viewport: { width: 390, height: 844 } }, `${CHANNELS}${hash}`);
    const panel = page.locator(`main .panel--${tensor} .panel__frame`);
    const dock = page.locator('.dock');
    await panel.waitFor();
    await settledPanels(page);
    const { y = Number.NaN } = (await panel.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(((await dock.boundingBox())?.y ?? 0) / 2);
    await page.getByRole('radio', { name: tensor === 'dx' ? 'full convolution' : 'x convolved with dy' }).check();
    await expect.poll(() => page.locator('.stage__room').evaluate((room) => room.scrollTop)).toBe(0);
    await page.context().close();
  }
});
