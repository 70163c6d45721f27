import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { NO_LINK, openPage, useStage } from './support/browser';
import { cellAt, grid } from './support/grids';
import { openMode } from './support/modes';

// Layout of a narrow page: controls and their effect are visible together, and nothing is covered.

const stage = useStage();

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const SMALL: BrowserContextOptions = { ...PHONE, viewport: { width: 320, height: 640 } };

const DEVICES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['320 x 640', SMALL],
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

const strip = (page: Page) => page.getByRole('navigation', { name: 'x, w and y at a glance' });
const mini = (page: Page, tensor: string) => strip(page).getByRole('button', { name: new RegExp(`^${tensor}, `) });
const sheet = (page: Page) => page.locator('.phone-sheet');
const sheetTab = (page: Page, name: string) => sheet(page).getByRole('tab', { name, exact: true });

async function open(options: BrowserContextOptions, hash = NO_LINK) {
  const opened = await openPage(stage, options, hash);
  await strip(opened.page).locator('canvas').nth(2).waitFor();
  await opened.page.locator('.panel--dx').waitFor();
  await sheet(opened.page).waitFor();
  return opened;
}

/** Whether an element is visible: it is the topmost one at its center. */
const isOnTop = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && (element.contains(there) || there.contains(element));
  });

const drawing = (page: Page, tensor: string) =>
  mini(page, tensor)
    .locator('canvas')
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());

it('shows x, w, y and the player on one screen, and the player stays while the page scrolls', async () => {
  const { page, troubles } = await open(PHONE);
  const play = page.getByRole('button', { name: 'Play' });
  for (const tensor of ['x', 'w', 'y']) {
    expect((await boxOf(grid(page, tensor))).bottom, tensor).toBeLessThan((await boxOf(play)).top);
  }
  const lines = await page.getByRole('button', { name: 'Start here' }).evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
  await page.evaluate(() => window.scrollTo({ top: 400, behavior: 'instant' }));
  expect(await isOnTop(play)).toBe(true);
  await page.getByRole('button', { name: 'One step forward' }).tap();
  await expect.poll(() => page.locator('.scrubber__count').textContent()).toBe('1 / 9');
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('the player of a way of dx stays on the screen, with and without the measured error below it', async () => {
  for (const dy of ['ones', 'mse:0']) {
    const { page, troubles } = await openPage(stage, PHONE, `#h=7&kh=3&dy=${dy}&mode=dx`);
    const play = page.getByRole('button', { name: 'Play' });
    await page
      .locator('.badge')
      .getByText(/^max error/)
      .waitFor({ state: dy === 'mse:0' ? 'visible' : 'detached' });
    expect(await isOnTop(play), dy).toBe(true);
    expect(troubles).toEqual([]);
    await page.context().close();
  }
});

// The other tests are those of the larger phone.
describe.each(DEVICES)('%s', (_name, device) => {
  it('the strip stays visible while a slider moves, and its y changes', async () => {
    const { page, troubles } = await open(device);
    await page.evaluate(() => window.scrollTo(0, 99_999));
    await sheetTab(page, 'Controls').tap();
    for (const height of ['half', 'full']) {
      if (height === 'full') await sheet(page).getByRole('button', { name: 'Full height' }).tap();
      const slider = page.locator('.number-field', { hasText: 'stride' }).locator('input[type=range]');
      await slider.waitFor();
      const { left, top, right, bottom } = await boxOf(slider);
      const middle = (top + bottom) / 2;
      const before = await drawing(page, 'y');
      expect(await mini(page, 'y').getAttribute('aria-label')).toBe('y, 3 × 3: go to its panel');
      await page.mouse.move(left + 8, middle);
      await page.mouse.down();
      // Stride 2, before the pointer is released.
      await page.mouse.move(left + (right - left) * 0.6, middle, { steps: 5 });
      await expect.poll(() => mini(page, 'y').getAttribute('aria-label'), { message: height }).not.toContain('3 × 3');
      await expect.poll(() => drawing(page, 'y'), { message: height }).not.toBe(before);
      const shown = await boxOf(strip(page));
      expect(shown.top, height).toBeGreaterThanOrEqual(0);
      expect(shown.bottom, height).toBeLessThanOrEqual((await boxOf(sheet(page))).top);
      for (const tensor of ['x', 'w', 'y'])
        expect(await isOnTop(mini(page, tensor)), `${height}, ${tensor}`).toBe(true);
      expect(await isOnTop(slider), height).toBe(true);
      await page.mouse.move(left + 1, middle, { steps: 5 });
      await page.mouse.up();
      await expect.poll(() => mini(page, 'y').getAttribute('aria-label'), { message: height }).toContain('3 × 3');
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('a tapped cell is above the sheet that explains it', async () => {
    const { page, troubles } = await open(device);
    for (const [hash, name, row, col] of [
      ['', 'y', 2, 2],
      ['', 'dx', 4, 4],
      ['', 'x', 0, 0],
      ['#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12', 'x', 7, 3],
    ] as const) {
      await page.goto(`${stage.site.url}empty`);
      await page.goto(stage.site.url + hash);
      await sheet(page).waitFor();
      await page.locator('.panel--dx').waitFor();
      const cell = cellAt(page, name, row, col);
      // Low on the screen, where the sheet will be, if the page is long enough.
      await cell.evaluate((element) => {
        const { bottom } = element.getBoundingClientRect();
        window.scrollBy({ top: bottom - window.innerHeight + 80, behavior: 'instant' });
      });
      await cell.tap();
      await sheet(page).getByRole('heading', { name: /= / }).waitFor();
      const free = { top: (await boxOf(strip(page))).bottom, bottom: (await boxOf(sheet(page))).top };
      const height = page.viewportSize()?.height ?? 0;
      expect(free.bottom).toBeCloseTo(height / 2, -1);
      await expect.poll(async () => (await boxOf(cell)).bottom).toBeLessThanOrEqual(free.bottom);
      await expect.poll(async () => (await boxOf(cell)).top).toBeGreaterThanOrEqual(free.top);
      expect(await isOnTop(cell), `${name}[${row},${col}]`).toBe(true);
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('a tapped cell of a map is above the sheet', async () => {
    const { page, troubles } = await open(device, '#h=40&w=40&x=random:1');
    const map = page.locator('.panel--y canvas');
    await map.evaluate((element) => {
      const { bottom } = element.getBoundingClientRect();
      // Just above the player.
      window.scrollBy({ top: bottom - window.innerHeight + 200, behavior: 'instant' });
    });
    const { left, right, bottom } = await boxOf(map);
    await page.touchscreen.tap((left + right) / 2, bottom - 12);
    const top = async () => (await boxOf(sheet(page))).top;
    await expect.poll(top).toBeLessThan((page.viewportSize()?.height ?? 0) * 0.6);
    const mark = page.locator('.panel--y .mark--focus .mark__line');
    await expect.poll(async () => (await boxOf(mark)).bottom).toBeLessThanOrEqual(await top());
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('the header fits its title and all its buttons in one row', async () => {
    const { page } = await open(device);
    const title = await page.locator('.masthead__title').evaluate((element) => {
      const range = document.createRange();
      range.setStart(element, 0);
      range.setEnd(element, 1);
      const { left, right, bottom } = range.getBoundingClientRect();
      return { left, right, bottom, text: range.toString() };
    });
    expect(title.text.trim()).toBe('conv2d');
    expect(await page.getByRole('heading', { level: 1, name: 'conv2d playground' }).count()).toBe(1);
    const buttons = await Promise.all((await page.locator('.toolbar .button:visible').all()).map(boxOf));
    expect(buttons).toHaveLength(6);
    expect(title.left).toBeGreaterThanOrEqual(0);
    expect(title.right).toBeLessThanOrEqual(Math.min(...buttons.map(({ left }) => left)));
    expect(Math.max(...buttons.map(({ right }) => right))).toBeLessThanOrEqual(
      (await boxOf(page.locator('.masthead'))).right,
    );
    await page.context().close();
  });
});

it('the sheet has three heights; a tap on a cell raises it, and unpinning lowers it', async () => {
  const { page, troubles } = await open(PHONE);
  const tall = async () => {
    const { top, bottom } = await boxOf(sheet(page));
    return bottom - top;
  };
  expect(await tall()).toBeLessThanOrEqual(60);
  await sheet(page).getByText('y[1,1] = 3').waitFor();
  await cellAt(page, 'y', 0, 0).tap();
  await expect.poll(tall).toBe(422);
  await sheet(page).getByRole('button', { name: 'Full height' }).tap();
  await expect.poll(tall).toBeGreaterThan(720);
  expect((await boxOf(strip(page))).top).toBe(0);
  await sheet(page).getByRole('button', { name: 'Half height' }).tap();
  await expect.poll(tall).toBe(422);
  await sheet(page).getByRole('button', { name: 'Unpin this cell' }).tap();
  await expect.poll(tall).toBeLessThanOrEqual(60);
  // Dragging moves it up and down.
  const drag = async (from: number, to: number) => {
    await page.mouse.move(195, from);
    await page.mouse.down();
    await page.mouse.move(195, to, { steps: 4 });
    await page.mouse.up();
  };
  await drag((await boxOf(sheet(page))).top + 8, 430);
  await expect.poll(tall).toBe(422);
  await drag((await boxOf(sheet(page))).top + 8, 120);
  await expect.poll(tall).toBeGreaterThan(720);
  await drag((await boxOf(sheet(page))).top + 8, 820);
  await expect.poll(tall).toBeLessThanOrEqual(60);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('a tap during loading raises the sheet, and it stays up', async () => {
  const { page, troubles } = await open(PHONE);
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      const start = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Start here');
      if (!start || !document.querySelector('.phone-sheet')) return;
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

it('a tap on the strip scrolls to the panel, also from a view without one', async () => {
  const { page, troubles } = await open(PHONE);
  const inSight = async (tensor: string) => {
    const panel = await boxOf(page.locator(`main .panel--${tensor}`));
    return panel.top >= (await boxOf(strip(page))).bottom && panel.top < 500;
  };
  await page.evaluate(() => window.scrollTo(0, 99_999));
  expect(await inSight('y')).toBe(false);
  await mini(page, 'y').tap();
  await expect.poll(() => inSight('y')).toBe(true);
  await openMode(page, 'Sizes and coverage');
  await page.locator('main .panel--y').waitFor({ state: 'hidden' });
  await mini(page, 'w').tap();
  await expect.poll(() => inSight('w')).toBe(true);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('w and y are side by side where their values and slices fit, else stacked', async () => {
  const places = async (hash: string) => {
    const { page } = await open(PHONE, hash);
    const boxes = await Promise.all(
      ['w', 'y'].map((tensor) => boxOf(page.locator(`main .panel--${tensor} .panel__frame`))),
    );
    const cell = await page
      .locator('main .panel--w .cell')
      .first()
      .evaluate((element) => element.clientWidth);
    await page.context().close();
    const [w, y] = boxes as [Box, Box];
    return { w, y, cell };
  };
  for (const hash of ['', '#h=5&w=5&kernel=3&padding=1&k=2&b=ones']) {
    const { w, y, cell } = await places(hash);
    expect(y.top, hash).toBeCloseTo(w.top, 0);
    expect(y.left, hash).toBeGreaterThan(w.right);
    expect(y.right, hash).toBeLessThanOrEqual(390);
    expect(cell, hash).toBeGreaterThanOrEqual(24);
  }
  for (const hash of ['#n=2&c=3&k=4&h=7&w=7&kernel=3&stride=2&padding=1']) {
    const { w, y } = await places(hash);
    expect(y.top, hash).toBeGreaterThan(w.bottom);
  }
});

it('the focused element is never covered by the strip or the sheet', async () => {
  const { page } = await open(PHONE);
  for (let i = 0; i < 30; i += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) continue;
    const name = await focused.evaluate((element) => element.outerHTML.slice(0, 120));
    await expect.poll(() => isOnTop(focused), { message: name }).toBe(true);
  }
  expect(await grid(page, 'dx').count()).toBe(1);
  await page.context().close();
});

it.each(THOROUGH ? ['matrix', 'gradient-check', 'geometry', 'learn'] : ['gradient-check'])(
  'a page that opens on %s shows its tab and all groups, also at 360 px',
  async (mode) => {
    const { page } = await openPage(stage, { ...PHONE, viewport: { width: 360, height: 740 } }, `#v=2&mode=${mode}`);
    await sheet(page).waitFor();
    const list = page.getByRole('tablist', { name: 'Views' });
    const cut = () =>
      list.evaluate((row) =>
        [...row.querySelectorAll('.tabs__tab')]
          .filter((each) => each.getBoundingClientRect().right > innerWidth || each.scrollWidth > each.clientWidth)
          .map((each) => each.textContent),
      );
    expect(await cut()).toEqual([]);
    expect(await page.locator(`.views [data-tab=${mode}]`).getAttribute('aria-selected')).toBe('true');
    await list.locator('[aria-selected=true]').press('ArrowRight');
    await expect.poll(cut).toEqual([]);
    await page.context().close();
  },
);

it('a row of choices that is cut off fades', async () => {
  const { page } = await openPage(stage, PHONE, '#v=2&mode=learn');
  const row = page.locator('.stage__choices');
  const cut = () => row.evaluate((choices) => (choices as HTMLElement).dataset['cut'] ?? '');
  await expect.poll(cut).toBe('right');
  expect(await row.evaluate((choices) => getComputedStyle(choices).maskImage)).toContain('gradient');
  await row.evaluate((choices) => choices.scrollTo(choices.scrollWidth, 0));
  await expect.poll(cut).toBe('left');
  await page.context().close();
});
