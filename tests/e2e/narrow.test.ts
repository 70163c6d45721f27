import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, openPage, openStage, type Stage } from './support/browser';
import { openMode } from './support/modes';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

/** Of each panel, what covers what: the buttons of its map, the bar of its legend and the figures below that. */
const collisions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const textOf = (node: Element) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect();
    };
    return [...document.querySelectorAll('.panel')].flatMap((panel) => {
      const boxesOf = (selector: string) =>
        [...panel.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
      const figures = [...panel.querySelectorAll('.legend__ticks span')].map(textOf);
      const others = [...boxesOf('.zoom__button'), ...boxesOf('.legend__bar')];
      const apart = (a: DOMRect, b: DOMRect, gap = 0) =>
        a.right + gap <= b.left || b.right + gap <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      const pairs = (of: readonly DOMRect[], gap: number) =>
        of.every((a, i) => of.slice(i + 1).every((b) => apart(a, b, gap)));
      // Without a gap "−288540" and "288540" read as one number.
      const fine = pairs(figures, 3) && pairs(others, 0) && figures.every((a) => others.every((b) => apart(a, b)));
      return fine ? [] : [panel.className];
    });
  });

const WINDOWS = [
  ['a desktop', { width: 1280, height: 720 }],
  ['a phone', { width: 390, height: 844 }],
  ['a small phone', { width: 320, height: 640 }],
] as const;

// Tensors that are tall and narrow, wide and low, or large: their maps are narrower than a legend.
describe.each([
  '#h=99&w=7',
  '#h=7&w=99&x=random:1',
  '#h=64&w=64&kh=5&padding=2&stride=2&k=32',
  // Their figures are long: hundreds of thousands, and hundred-thousandths.
  '#v=2&n=2&c=3&k=32&h=9&w=9&kh=3&kw=3&padding=1&x=random:1&b=ones&dy=mse:0',
  '#h=256&w=256&c=3&k=3&groups=3&kh=3&padding=same&x=sample:landscape&weights=filter:sobel_x&dy=mse:0',
])('%s', (hash) => {
  it.each(WINDOWS)('on %s nothing lies on a legend, and its figures stand apart', async (_name, viewport) => {
    const { page, troubles } = await openPage(stage, { viewport }, hash);
    await page.locator('.panel--dx canvas').first().waitFor();
    expect(await collisions(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});

it('the line of the zeros has its whole name in the plot of errors', async () => {
  const { page } = await openPage(stage, {}, '');
  await openMode(page, 'Gradient check');
  const label = page.locator('.plot__axes text', { hasText: 'exactly 0' });
  await label.waitFor();
  const [text, picture] = [await label.boundingBox(), await page.locator('.plot__picture').boundingBox()];
  expect(text?.x).toBeGreaterThanOrEqual(picture?.x ?? Number.POSITIVE_INFINITY);
  await page.context().close();
});

it('a size of four digits fits its field', async () => {
  const { page } = await openPage(stage, {}, '#h=1024&w=4&x=ones');
  const box = page.getByRole('spinbutton', { name: 'height', exact: true });
  await box.waitFor();
  expect(await box.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
  await page.context().close();
});
