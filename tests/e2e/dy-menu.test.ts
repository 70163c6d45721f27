import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LINK, type OpenPage, openPage, useStage } from './support/browser';
import { cellAt, grid, readNumbers, typeInto } from './support/grids';
import { openDyMenu } from './support/modes';
import { seriousIn } from './support/survey/axe';

const stage = useStage();
let open: OpenPage;

const ones = (count: number) => Array.from({ length: count }, () => 1);
const choose = async (page: Page, name: string) =>
  (await openDyMenu(page)).getByRole('radio', { name, exact: true }).check();
const inMenu = async (page: Page, role: 'button' | 'checkbox' | 'radio', name: string): Promise<Locator> =>
  (await openDyMenu(page)).getByRole(role, { name, exact: true });
const shows = (page: Page, name: string, expected: readonly number[]) =>
  expect.poll(() => readNumbers(page, name), { message: name }).toEqual(expected);
const closeMenu = (page: Page) => page.keyboard.press('Escape');

async function close({ page, troubles }: OpenPage): Promise<void> {
  const seen = [...troubles];
  await page.context().close();
  expect(seen).toEqual([]);
}

describe('the menu of dy', () => {
  beforeEach(async () => {
    open = await openPage(stage);
    await grid(open.page, 'dx').waitFor();
  });
  afterEach(() => close(open));

  it('opens by mouse and keyboard, and gives the focus back', async () => {
    const { page } = open;
    const button = page.getByRole('button', { name: 'dy ones' });
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
    await button.click();
    await expect.poll(focused).toBe('ones');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await seriousIn(page, '.menu:popover-open')).toEqual([]);
    for (const key of ['Enter', ' ', 'ArrowDown']) {
      await closeMenu(page);
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await button.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press(key);
      await expect.poll(focused).toBe('ones');
    }
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'dy random' }).waitFor();
    // A click elsewhere closes it.
    await page.mouse.click(640, 690);
    await expect.poll(() => page.locator('.dy-menu').count()).toBe(0);
  });

  it('stays open after a click on the text of a source, which chooses it', async () => {
    const { page } = open;
    const menu = await openDyMenu(page);
    await menu.getByText('a single 1', { exact: true }).click();
    await page.getByRole('button', { name: 'dy a single 1' }).waitFor();
    expect(await (await inMenu(page, 'radio', 'a single 1')).isChecked()).toBe(true);
    expect(await menu.isVisible()).toBe(true);
  });

  it('moves the single 1 of dy to a clicked cell, so that dx is w in its window, until that is switched off', async () => {
    const { page } = open;
    await choose(page, 'a single 1');
    await closeMenu(page);
    await cellAt(page, 'dy', 1, 1).click();
    await shows(page, 'dy', [...Array(5).fill(0), 1, ...Array(10).fill(0)]);
    // Its window starts at row 1, column 1 of x.
    const dx: number[] = Array(49).fill(0);
    [12, 11, 10, 9, 8, 7, 6, 5, 4].forEach((tap, i) => {
      dx[(1 + Math.floor(i / 3)) * 7 + 1 + (i % 3)] = tap;
    });
    await shows(page, 'dx', dx);
    await (await inMenu(page, 'checkbox', 'Click a cell of dy to move the 1')).uncheck();
    await closeMenu(page);
    await cellAt(page, 'dy', 2, 2).click();
    await page.locator('.explain--pinned').waitFor();
    await shows(page, 'dx', dx);
  });

  it('paints −1 on a dy of ones by default; without Paint, a click pins', async () => {
    const { page } = open;
    await choose(page, 'painted');
    await (await inMenu(page, 'radio', '9 × 9')).waitFor();
    await closeMenu(page);
    await shows(page, 'dy', ones(16));
    await cellAt(page, 'dy', 0, 1).click();
    await shows(page, 'dy', [1, -1, ...ones(14)]);
    await shows(page, 'db', [14]);
    expect(await page.locator('.explain--pinned').count()).toBe(0);
    await (await inMenu(page, 'checkbox', 'Paint')).uncheck();
    await closeMenu(page);
    await cellAt(page, 'dy', 0, 2).click();
    await page.locator('.explain--pinned').waitFor();
    await shows(page, 'dy', [1, -1, ...ones(14)]);
  });

  it('paints by dragging and by key, with one undo step per stroke', async () => {
    const { page } = open;
    await choose(page, 'painted');
    await shows(page, 'dy', ones(16));
    await (await inMenu(page, 'radio', '−1')).check();
    await closeMenu(page);
    const from = await cellAt(page, 'dy', 1, 0).boundingBox();
    const to = await cellAt(page, 'dy', 1, 3).boundingBox();
    if (!from || !to) throw new Error('dy is not on the page');
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    // In one pointer move: the cells in between are painted too.
    await page.mouse.move(to.x + 5, to.y + 5, { steps: 1 });
    await page.mouse.up();
    const stroke = [...ones(4), -1, -1, -1, -1, ...ones(8)];
    await shows(page, 'dy', stroke);
    await shows(page, 'db', [8]);

    await cellAt(page, 'dy', 3, 3).focus();
    await page.keyboard.press(' ');
    await shows(page, 'dy', [...stroke.slice(0, 15), -1]);
    await page.keyboard.press('ControlOrMeta+z');
    await shows(page, 'dy', stroke);
    await page.keyboard.press('ControlOrMeta+z');
    await shows(page, 'dy', ones(16));

    await (await inMenu(page, 'button', 'Clear')).click();
    await shows(page, 'dx', Array(49).fill(0));
  });

  it('has dy = 0 with y as the target, until w changes, and shows the target in place of x', async () => {
    const { page } = open;
    await choose(page, 'squared error');
    await (await inMenu(page, 'button', 'Use y as the target')).click();
    await shows(page, 'dy', Array(16).fill(0));
    await (await inMenu(page, 'checkbox', 'show the target in place of x')).check();
    await shows(page, 'target', await readNumbers(page, 'y'));
    expect(await grid(page, 'x').count()).toBe(0);
    await closeMenu(page);
    // w[1,1] from 8 to 24 adds 16 x to y, and dy is the difference divided by the 16 cells of y: x.
    await typeInto(page, cellAt(page, 'w', 1, 1), '24');
    await shows(page, 'dy', [0, 2, 4, 6, 14, 16, 18, 20, 28, 30, 32, 34, 42, 44, 46, 48]);
    await (await inMenu(page, 'button', 'Target 0')).click();
    await grid(page, 'x').waitFor();
  });

  it('draws dx over a photo, and w and dw in the same colors on request', async () => {
    const { page } = open;
    await page.getByRole('button', { name: 'Portrait' }).click();
    await (await inMenu(page, 'checkbox', 'dx over x')).check();
    await page.getByRole('img', { name: 'dx, channel 0, over the photo x' }).waitFor();
    const colors = () => cellAt(page, 'dw', 0, 0).evaluate((cell) => cell.style.background);
    await grid(page, 'dw').waitFor();
    const own = await colors();
    await (await inMenu(page, 'checkbox', 'same colors for w and dw')).check();
    await expect.poll(colors).not.toBe(own);
  });

  it('has the sources in every view that shows dy, and the settings of the Overview only there', async () => {
    const { page } = open;
    await page.goto(`${stage.site.url}#h=7&kh=3&mode=dx`);
    await choose(page, 'random');
    await page.getByRole('button', { name: 'dy random' }).waitFor();
    await (await inMenu(page, 'button', 'Shuffle')).click();
    expect(await (await openDyMenu(page)).getByRole('checkbox').count()).toBe(0);
  });
});

it.each([
  ['locked', 'locked=dy', 1],
  ['hidden', 'hidden=values.dy', 0],
])('the sources of dy are %s by a link', async (_name, part, buttons) => {
  const opened = await openPage(stage, {}, `#h=5&kh=3&dy=one_hot:4&${part}`);
  const { page } = opened;
  await grid(page, 'dx').waitFor();
  await page.locator('.loss').waitFor();
  const button = page.getByRole('button', { name: 'dy a single 1' });
  expect(await button.count()).toBe(buttons);
  expect(await page.locator('.panel--dy .figure__head').textContent()).toContain(
    buttons > 0 ? 'a single 1' : 'gradient of y',
  );
  if (buttons > 0) expect(await (await inMenu(page, 'radio', 'ones')).isDisabled()).toBe(true);
  await close(opened);
});

it('a link to the former view "dy and loss" paints at once, in the colors that it had', async () => {
  const opened = await openPage(stage, {}, '#h=4&kh=3&dy=values:1.2.2.1~i8.AQIDBA&mode=dy&dy.value=0&dy.same=true');
  const { page } = opened;
  await page.locator('.dy-canvas').waitFor({ state: 'attached' });
  await cellAt(page, 'dy', 1, 1).click();
  await shows(page, 'dy', [1, 2, 3, 0]);
  expect(await (await inMenu(page, 'checkbox', 'same colors for w and dw')).isChecked()).toBe(true);
  await closeMenu(page);
  await expect.poll(() => page.url()).toContain('&board.paint=true');
  expect(page.url()).not.toContain('mode=dy');
  await close(opened);
});

describe('1 where you point', () => {
  const atWindow = (row: number, col: number): number[] => {
    const dx: number[] = Array(25).fill(0);
    [-1, 0, 1, -2, 0, 2, -1, 0, 1].forEach((weight, i) => {
      dx[(row + Math.floor(i / 3)) * 5 + col + (i % 3)] = weight;
    });
    return dx;
  };
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

  it('follows the mouse: dx is w at the window, dw is the window; the link follows, and undo does not', async () => {
    const opened = await openPage(stage, {}, NO_LINK);
    const { page } = opened;
    await shows(page, 'dx', atWindow(1, 1));
    await page.getByRole('button', { name: 'dy 1 where you point' }).waitFor();
    await cellAt(page, 'y', 0, 2).hover();
    await shows(page, 'dy', [0, 0, 1, ...Array(6).fill(0)]);
    await shows(page, 'dx', atWindow(0, 2));
    await shows(page, 'dw', [0, 0, 0, 0, 0, 0, 1, 1, 1]);
    await cellAt(page, 'dy', 2, 0).hover();
    await shows(page, 'dx', atWindow(2, 0));
    const before = page.url();
    await cellAt(page, 'dy', 2, 1).hover();
    await shows(page, 'dx', atWindow(2, 1));
    // Not on each move: the link is written after a pause, as after other edits.
    expect(page.url()).toBe(before);
    await cellAt(page, 'x', 0, 0).hover();
    await page.mouse.move(640, 700);
    await shows(page, 'dx', atWindow(2, 1));
    await expect.poll(() => page.url()).toMatch(/&dy=pointed:7$/);
    expect(await page.locator('.explain__title').textContent()).toMatch(/^y\[2,1\]/);
    expect(await undo(page).getAttribute('aria-disabled')).toBe('true');
    await page.reload();
    await shows(page, 'dx', atWindow(2, 1));
    await close(opened);
  });

  it('follows the arrow keys in y and dy, and a tap', async () => {
    const opened = await openPage(stage, { hasTouch: true }, NO_LINK);
    const { page } = opened;
    await page.getByRole('button', { name: 'dy 1 where you point' }).waitFor();
    await cellAt(page, 'y', 0, 0).focus();
    await page.keyboard.press('ArrowRight');
    await shows(page, 'dx', atWindow(0, 1));
    await cellAt(page, 'dy', 0, 0).focus();
    await page.keyboard.press('ArrowDown');
    await shows(page, 'dx', atWindow(1, 0));
    await cellAt(page, 'y', 2, 2).tap();
    await shows(page, 'dx', atWindow(2, 2));
    await cellAt(page, 'x', 0, 0).tap();
    await shows(page, 'dx', atWindow(2, 2));
    expect(await undo(page).getAttribute('aria-disabled')).toBe('true');
    await close(opened);
  });

  it.each([
    ['hidden values', 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=pointed:4&hidden=dw.0'],
    ['a lock of dy', 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=pointed:4&locked=dy'],
  ])('does not follow with %s', async (_name, link) => {
    const opened = await openPage(stage, {}, `#${link}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'dy 1 where you point' }).waitFor();
    await cellAt(page, 'y', 0, 2).hover();
    await page.locator('.explain__title').filter({ hasText: 'y[0,2]' }).waitFor();
    await page.waitForTimeout(300);
    await shows(page, 'dx', atWindow(1, 1));
    await close(opened);
  });
});
