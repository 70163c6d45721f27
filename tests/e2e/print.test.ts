import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { slowMotion } from './support/motion';
import { settledPanels } from './support/survey/layout';

// Paper: exercises, the derivation, and views without controls. Nothing is cut at an edge or at the end of a page.

const stage = useStage();

/** A4 in CSS pixels, without the margins. */
const PORTRAIT = { width: 688, height: 1017 };
const LANDSCAPE = { width: 1017, height: 688 };

interface Faults {
  /** Controls that are printed. */
  readonly controls: readonly string[];
  /** Boxes that hide a part of what is in them. */
  readonly cut: readonly string[];
  /** Boxes that are kept on one page and are higher than one. */
  readonly high: readonly string[];
  /** The size of a view that is larger than a page. Its panels keep the places of the screen, so it follows from those. */
  readonly large: readonly number[];
}

/** What is wrong on paper, with the styles of print in a window of its size. */
async function faultsOf(page: Page, paper: typeof PORTRAIT): Promise<Faults> {
  // The styles for paper are loaded after the first numbers.
  const prepare = () =>
    page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'));
      const panels = [...document.querySelectorAll('.canvas--stage .panel')].map((panel) =>
        panel.getBoundingClientRect(),
      );
      const { left = 0, top = 0 } = document.querySelector('.canvas--stage')?.getBoundingClientRect() ?? {};
      return {
        zoom: document.documentElement.style.getPropertyValue('--print-zoom'),
        right: Math.max(0, ...panels.map((panel) => panel.right - left)),
        bottom: Math.max(0, ...panels.map((panel) => panel.bottom - top)),
      };
    });
  let prepared = { zoom: '', right: 0, bottom: 0 };
  await expect
    .poll(async () => {
      prepared = await prepare();
      return prepared.zoom;
    })
    .not.toBe('');
  const { zoom, right, bottom } = prepared;
  await page.emulateMedia({ media: 'print' });
  const ofView = await page.evaluate(() => {
    const view = document.querySelector('main .canvas');
    return view?.checkVisibility() ? getComputedStyle(view).zoom : null;
  });
  const [width, height] = [right * Number(zoom), bottom * Number(zoom)];
  if (ofView) expect(Number(ofView)).toBeCloseTo(Number(zoom), 4);
  const large = ofView && (width > paper.width || height > paper.height) ? [width, height] : [];
  await page.setViewportSize(paper);
  const faults = await page.evaluate((height) => {
    const nameOf = (element: Element) => `${element.localName}.${element.getAttribute('class') ?? ''}`;
    const shown = [...document.querySelectorAll('body *')].filter((element) => element.getClientRects().length > 0);
    const isSeen = (element: Element) => !element.closest('.visually-hidden, math, svg');
    const styles = shown.filter(isSeen).map((element) => ({ element, style: getComputedStyle(element) }));
    return {
      controls: shown.filter((element) => element.matches('.button, input, select, summary, dialog')).map(nameOf),
      cut: styles
        .filter(
          ({ element, style }) =>
            style.overflow !== 'visible' &&
            (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1),
        )
        .map(({ element }) => nameOf(element)),
      high: styles
        .filter(
          ({ element, style }) => style.breakInside === 'avoid' && element.getBoundingClientRect().height > height,
        )
        .map(({ element }) => nameOf(element)),
    };
  }, paper.height);
  return { ...faults, large };
}

const NONE: Faults = { controls: [], cut: [], high: [], large: [] };

describe('printing', () => {
  it.each(['gradients', 'geometry', 'gates-and-pools'])('%s gives a worksheet and its solutions', async (set) => {
    const { page, troubles } = await openPage(stage, {}, `#side=lesson&lesson=${set}.1`);
    await page.getByRole('heading', { name: /^What is .+\]\?$/ }).waitFor();
    await page.keyboard.press('Control+p');
    const dialog = page.getByRole('dialog', { name: /^Print: / });
    await dialog.getByRole('button', { name: 'Print worksheet' }).click();
    const sheet = page.locator('body > .paper');
    await expect.poll(() => sheet.locator('.paper__question').count()).toBe(8);
    // One “?” for each question.
    const asked = async () => (await sheet.locator('td').allTextContents()).filter((text) => text === '?').length;
    expect(await asked()).toBe(8);
    expect(await faultsOf(page, PORTRAIT)).toEqual(NONE);
    expect(await page.locator('.app').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await dialog.getByRole('button', { name: 'Print with solutions' }).click();
    await expect.poll(asked).toBe(0);
    expect(await faultsOf(page, PORTRAIT)).toEqual(NONE);
    expect(await sheet.isVisible()).toBe(true);
    expect(await page.locator('.app').isVisible()).toBe(false);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it('gives the derivation as a handout', async () => {
    const { page, troubles } = await openPage(stage, {}, '#side=lesson&lesson=derivation.1');
    await page.getByRole('heading', { name: 'Derivation of the formulas' }).waitFor();
    expect(await faultsOf(page, PORTRAIT)).toEqual(NONE);
    expect(await page.locator('main').isVisible()).toBe(false);
    expect(await page.getByRole('math').first().isVisible()).toBe(true);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it.each(['', '#h=4&kh=3&mode=matrix', '#h=5&kh=3&mode=dx', '#h=9&kh=3&mode=geometry', '#lesson=padding.2'])(
    'the view of %s has no controls, is light, and fits on a page',
    async (link) => {
      const { page, troubles } = await openPage(stage, { colorScheme: 'dark' }, link);
      // The zoom follows from the size of the view, so its panels have their places.
      await page.locator('main :is(.panel, table, .geometry)').first().waitFor();
      await settledPanels(page);
      expect(await faultsOf(page, LANDSCAPE)).toEqual(NONE);
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
      expect(troubles).toEqual([]);
      await page.context().close();
    },
  );

  it('shows the values that are on their way in their cells', async () => {
    const { page, troubles } = await openPage(stage, {}, '#h=4&kh=3&x=ramp&weights=countdown:9');
    await page.getByText('to see its sum.').waitFor();
    await slowMotion(page);
    await page.getByRole('button', { name: 'One step forward' }).click();
    await page.locator('.travel').first().waitFor();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await expect.poll(() => page.locator('.travel').count()).toBe(0);
    const value = page.locator('main .panel--y .cell').first();
    expect(await value.evaluate((cell) => getComputedStyle(cell).opacity)).toBe('1');
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});
