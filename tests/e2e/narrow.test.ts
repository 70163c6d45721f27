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
      const boxes = [
        ...[...panel.querySelectorAll('.zoom__button')].map((node) => node.getBoundingClientRect()),
        ...[...panel.querySelectorAll('.legend__ticks span')].map(textOf),
      ];
      const bar = panel.querySelector('.legend__bar')?.getBoundingClientRect();
      const apart = (a: DOMRect, b: DOMRect) =>
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).map((b) => [a, b] as const));
      const barred = bar
        ? [...panel.querySelectorAll('.zoom__button')].map((node) => [bar, node.getBoundingClientRect()] as const)
        : [];
      return [...pairs, ...barred].some(([a, b]) => !apart(a, b)) ? [panel.className] : [];
    });
  });

const WINDOWS = [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
  ['a small phone', { width: 320, height: 640 }],
] as const;

// Tensors that are tall and narrow, wide and low, or large: their maps are narrower than a legend.
describe.each(['#h=99&w=7', '#h=7&w=99&x=random:1', '#h=64&w=64&kh=5&padding=2&stride=2&k=32'])('%s', (hash) => {
  it.each(WINDOWS)('on %s nothing lies on a legend, and its figures stand apart', async (_name, viewport) => {
    const { page, troubles } = await openPage(stage, { viewport }, hash);
    await page.locator('.panel--dx canvas').waitFor();
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
