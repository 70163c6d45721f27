import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { NO_LINK, openPage, useStage } from './support/browser';
import { cellAt, grid } from './support/grids';
import { openMode } from './support/modes';

// A narrow page: the picture, the player, and one sheet with controls or explanations, none of which covers another.

const stage = useStage();

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const SMALL: BrowserContextOptions = { ...PHONE, viewport: { width: 320, height: 640 } };
const SIDEWAYS: BrowserContextOptions = { ...PHONE, viewport: { width: 844, height: 390 } };

const DEVICES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['320 x 640', SMALL],
  ['844 x 390', SIDEWAYS],
  ...(THOROUGH ? ([['390 x 844', PHONE]] as const) : []),
];

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const boxOf = (locator: Locator): Promise<Box> =>
  locator.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const isOpen = (page: Page, name: string) => button(page, name).getAttribute('aria-expanded');

async function open(options: BrowserContextOptions, hash = NO_LINK) {
  const opened = await openPage(stage, options, hash);
  await opened.page.locator('.panel--dx').waitFor();
  await button(opened.page, 'Explain').waitFor();
  return opened;
}

/** Whether an element is visible: it is the topmost one at its center. */
const isOnTop = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && (element.contains(there) || there.contains(element));
  });

describe.each(DEVICES)('%s', (_name, device) => {
  it('the sheet opens from the bar beside the player, and covers neither the player nor x, w and y', async () => {
    const { page, troubles } = await open(device);
    await button(page, 'Explain').tap();
    await page.getByRole('heading', { name: 'y[1,1] = 3' }).waitFor();
    for (const part of [
      button(page, 'Play'),
      button(page, 'Explain'),
      cellAt(page, 'x', 4, 4),
      cellAt(page, 'y', 2, 2),
    ])
      await expect.poll(() => isOnTop(part)).toBe(true);
    await button(page, 'One step forward').tap();
    await expect.poll(() => page.locator('.scrubber__count').textContent()).toBe('1 / 9');
    await button(page, 'Explain').tap();
    expect(await isOpen(page, 'Explain')).toBe('false');
    await page.getByRole('heading', { name: /^y\[/ }).waitFor({ state: 'hidden' });
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('y changes in sight while a slider of the controls moves', async () => {
    const { page, troubles } = await open(device);
    await button(page, 'Controls').tap();
    const slider = page.locator('.number-field', { hasText: 'stride' }).locator('input[type=range]');
    await slider.waitFor();
    const { left, top, right, bottom } = await boxOf(slider);
    const cells = grid(page, 'y').getByRole('gridcell');
    await expect.poll(() => cells.count()).toBe(9);
    await page.mouse.move(left + 8, (top + bottom) / 2);
    await page.mouse.down();
    // Stride 2, before the pointer is released.
    await page.mouse.move(left + (right - left) * 0.6, (top + bottom) / 2, { steps: 5 });
    await expect.poll(() => cells.count()).toBeLessThan(9);
    expect(await isOnTop(cells.first())).toBe(true);
    expect(await isOnTop(slider)).toBe(true);
    await page.mouse.up();
    // One sheet at a time.
    await button(page, 'Explain').tap();
    expect([await isOpen(page, 'Controls'), await isOpen(page, 'Explain')]).toEqual(['false', 'true']);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('a tap pins a cell and opens nothing; the sheet explains it', async () => {
    const { page, troubles } = await open(device, '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12');
    const cell = cellAt(page, 'x', 3, 3);
    await cell.tap();
    expect(await isOpen(page, 'Explain')).toBe('false');
    await button(page, 'Explain').tap();
    await page.getByRole('heading', { name: /^x\[\d,\d\] = / }).waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('the header fits its buttons in one row', async () => {
    const { page } = await open(device);
    expect(await page.getByRole('heading', { level: 1, name: 'conv2d playground' }).count()).toBe(1);
    const parts = await page.locator('.masthead .button:visible').all();
    const boxes = await Promise.all(parts.map(boxOf));
    expect(boxes.length).toBeGreaterThanOrEqual(4);
    expect(new Set(boxes.map(({ top }) => Math.round(top))).size).toBe(1);
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    expect(await isOnTop(button(page, 'Start here'))).toBe(true);
    await page.context().close();
  });

  it('the focused element is never covered', async () => {
    const { page } = await open(device);
    for (let i = 0; i < 30; i += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.count()) === 0) continue;
      const name = await focused.evaluate((element) => element.outerHTML.slice(0, 120));
      await expect.poll(() => isOnTop(focused), { message: name }).toBe(true);
    }
    await page.context().close();
  });
});

it('E opens the sheet with the explanation of the focused cell, and Esc closes it', async () => {
  const { page, troubles } = await open(PHONE);
  await cellAt(page, 'y', 1, 1).focus();
  await page.keyboard.press('e');
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Explain');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect.poll(() => isOpen(page, 'Explain')).toBe('false');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('a tap during loading opens the lessons, and they stay', async () => {
  const { page, troubles } = await open(PHONE);
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      const start = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Start here');
      if (!start || !document.querySelector('.side')) return;
      watch.disconnect();
      start.click();
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await page.locator('.catalogue__lesson').first().waitFor();
  await page.locator('.panel--dx').waitFor();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect(await page.locator('.catalogue__lesson').first().isVisible()).toBe(true);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('the views are one menu, also for the keyboard', async () => {
  const { page, troubles } = await open(PHONE);
  await openMode(page, 'dx');
  const menu = page.locator('.view-menu .menu__button');
  await expect.poll(() => menu.textContent()).toBe('Backward · dx');
  await page.locator('.menu:popover-open').waitFor({ state: 'detached' });
  await menu.press('ArrowDown');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe('Overview');
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toBe('Train · Learn');
  await page.keyboard.press('Enter');
  await expect.poll(() => menu.textContent()).toBe('Train · Learn');
  // The items of a narrow page are under More.
  await button(page, 'More').press('ArrowDown');
  await expect.poll(focused).toMatch(/^Keep this result/);
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toMatch(/^Examples/);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('tensors that are too large for the board are one below the other, small ones side by side', async () => {
  const { page } = await open(PHONE, '#h=9&kh=3&padding=1');
  const [x, w, y] = await Promise.all(
    ['x', 'w', 'y'].map((tensor) => boxOf(page.locator(`main .panel--${tensor} .panel__frame`))),
  );
  expect(w?.top).toBeGreaterThan(x?.bottom ?? 0);
  expect(y?.top).toBeGreaterThan(w?.bottom ?? 0);
  await page.context().close();
});
