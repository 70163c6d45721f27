import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { NO_LINK, openPage, useStage } from './support/browser';
import { openWithClock } from './support/clock';
import { seriousIn } from './support/survey/axe';
import { settledPanels } from './support/survey/layout';

const stage = useStage();

const SMALL = { viewport: { width: 1280, height: 720 } };
const section = (page: Page, name: RegExp) => page.getByRole('button', { name });

it('the opening has at most 41 elements to use, 156 words beside the cells, and five sizes of text', async () => {
  // At rest: the opening in motion has other sentences.
  const { page, troubles } = await openPage(stage, { ...SMALL, reducedMotion: 'reduce' }, NO_LINK, null);
  await page.locator('.explain .totals').waitFor();
  await page.locator('.toolbar .menu__button').first().waitFor();
  const { used, words, sizes } = await page.evaluate(() => {
    const inView = (element: Element) => {
      const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    };
    const seen = (element: Element) =>
      inView(element) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    // Not counted: the grids, and the link that is visible only with the focus.
    const usable = 'button, input, select, textarea, summary, a[href]:not(.skip)';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let count = 0;
    const found = new Set<string>();
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!parent || !seen(parent) || parent.closest('[role=grid], .products, script, style')) continue;
      const text = (walker.currentNode.textContent ?? '').split(/\s+/);
      if (text.join('') !== '' && !parent.closest('.pair__cells')) found.add(getComputedStyle(parent).fontSize);
      count += text.filter((word) => /[a-z]/i.test(word)).length;
    }
    const elements = [...document.querySelectorAll(usable)].filter(seen);
    const free = elements.filter((element) => element.getAttribute('aria-disabled') !== 'true');
    return { used: free.length, words: count, sizes: [...found].sort() };
  });
  expect(used).toBeLessThanOrEqual(41);
  expect(words).toBeLessThanOrEqual(156);
  expect(sizes).toEqual(['12px', '13px', '14px', '18px', '22px']);
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('the cells of the tensors cover a fifth of the opening', async () => {
  const { page } = await openPage(stage, SMALL, NO_LINK);
  await page.locator('.panel--db').waitFor();
  for (const viewport of [SMALL.viewport, { width: 1920, height: 1080 }]) {
    await page.setViewportSize(viewport);
    await settledPanels(page);
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll('main [role=gridcell]')].reduce((sum, cell) => {
        const { left, top, right, bottom } = cell.getBoundingClientRect();
        const inside = right <= innerWidth && bottom <= innerHeight;
        return sum + (inside ? (right - left) * (bottom - top) : 0);
      }, 0),
    );
    expect(covered / (viewport.width * viewport.height), `${viewport.width}`).toBeGreaterThanOrEqual(0.2);
  }
  await page.context().close();
});

it('the grids of each view cover enough of 1280 x 720', async () => {
  const { page } = await openPage(stage, { ...SMALL, reducedMotion: 'reduce' }, '#h=7&kh=3');
  await page.locator('.panel--db').waitFor();
  for (const [mode, share] of [
    // Cells of 33 px, with air between the question and the choices of the other views.
    ['board', 0.197],
    // A product in a row has the width of its titles.
    ['dw', 0.13],
    ['lowering', 0.21],
    // x and y beside C are strips, which are no grids.
    ['matrix', 0.26],
  ] as const) {
    await page.evaluate((to) => {
      location.hash = `h=7&kh=3&mode=${to}`;
    }, mode);
    await page.locator(`#view-${mode}[aria-selected="true"]`).waitFor();
    const covered = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main .canvas [role=grid]')].reduce((sum, grid) => {
          const { width, height } = grid.getBoundingClientRect();
          return sum + width * height;
        }, 0),
      );
    await expect.poll(async () => (await covered()) / (1280 * 720), { message: mode }).toBeGreaterThanOrEqual(share);
  }
  await page.context().close();
});

it('a part of a matrix keeps the outlined row in sight when the window changes', async () => {
  const { page } = await openPage(stage, { ...SMALL, reducedMotion: 'reduce' }, '#h=7&kh=3&mode=lowering');
  await page.locator('.panel--x_col canvas').first().waitFor();
  for (const height of [720, 800, 680]) {
    await page.setViewportSize({ width: 1280, height });
    await settledPanels(page);
    const below = () =>
      page.evaluate(() => {
        const [map, mark] = ['.heat__map', '.mark__line'].map((part) =>
          document.querySelector(`.panel--x_col ${part}`)?.getBoundingClientRect(),
        );
        return map && mark ? mark.bottom - map.bottom : Number.NaN;
      });
    await expect.poll(below, { message: `${height}` }).toBeLessThanOrEqual(2);
  }
  await page.context().close();
});

it('a closed section of the controls tells its settings; this browser remembers what is open', async () => {
  const { page, troubles } = await openPage(stage, SMALL, NO_LINK, null);
  const kernel = section(page, /kernel ?: 3 × 3, 1 filter, Sobel/);
  await section(page, /input ?: 5 × 5, 1 channel, a bright corner/).waitFor();
  await section(page, /upstream gradient ?: a 1 at the cell you point at/).waitFor();
  await section(page, /^padding, stride, dilation$/).click();
  await section(page, /^padding, stride, dilation ?: no padding, stride 1, dilation 1$/).waitFor();
  await kernel.click();
  await page.getByRole('spinbutton', { name: 'kernel', exact: true }).fill('2');
  await page.keyboard.press('Enter');
  await page.reload();
  await expect.poll(() => page.getByRole('spinbutton', { name: 'kernel', exact: true }).inputValue()).toBe('2');
  expect(await page.getByRole('spinbutton', { name: 'stride' }).count()).toBe(0);
  await section(page, /kernel$/).click();
  await section(page, /kernel ?: 2 × 2, 1 filter/).waitFor();
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('a step of a lesson opens the section that it is about, and closes it again', async () => {
  const { page } = await openPage(stage, SMALL, '#lesson=sliding.2&side=lesson', null);
  const kernel = page.getByRole('spinbutton', { name: 'kernel', exact: true });
  await kernel.waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await kernel.waitFor({ state: 'detached' });
  await page.context().close();
});

it('Share and More are menus for mouse and keyboard', async () => {
  const { page, troubles } = await openPage(stage, SMALL, NO_LINK);
  const share = page.getByRole('button', { name: 'Share' });
  await share.click();
  const items = page.getByRole('menuitem');
  expect(await items.allTextContents()).toEqual([
    'Copy link',
    'Export a figure or an animationP',
    'Prepare a link for classT',
  ]);
  expect(await seriousIn(page, '.menu:popover-open')).toEqual([]);
  expect(await share.getAttribute('aria-expanded')).toBe('true');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe('Copy link');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('Prepare a link for classT');
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('Share');
  expect(await items.count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe('Copy link');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Export' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('Share');
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('products of 0 are one line that opens', async () => {
  const { page } = await openPage(stage, SMALL, NO_LINK);
  await page.getByRole('button', { name: '7 products are 0' }).click();
  expect(await page.locator('.term').count()).toBe(9);
  await page.getByRole('button', { name: 'Fold 7 products of 0' }).click();
  expect(await page.locator('.term').count()).toBe(2);
  await page.context().close();
});

/** The opening on a first visit, in steps of time. */
async function firstVisit(hash = NO_LINK, options: BrowserContextOptions = {}) {
  const clocked = await openWithClock(stage, { ...SMALL, ...options }, hash);
  const { page, until } = clocked;
  const textOf = (selector: string) =>
    page.evaluate((name) => document.querySelector(name)?.textContent ?? '', selector);
  const said = () => textOf('.scrubber__sentence');
  const reached = () => textOf('.scrubber__count');
  const explained = () => textOf('.explain__title');
  /** The gradients without values yet. */
  const empty = () =>
    page.evaluate(() =>
      ['dx', 'dw', 'db'].filter((name) =>
        document.querySelector(`main .panel--${name} .mark--pending .mark__line`)?.getAttribute('d'),
      ),
    );
  await until(async () => (await said()) !== '');
  return {
    ...clocked,
    said,
    explained,
    reached,
    empty,
    /** Lets time pass until the player has made so many cells of y and says this. */
    waitFor: (sentence: RegExp, cells: number) =>
      until(async () => sentence.test(await said()) && (await reached()).startsWith(`${cells} `)),
  };
}

it('the first visit shows the opening in motion, once: y fills, then dx, dw and db', async () => {
  const { page, pass, until, said, explained, empty, waitFor } = await firstVisit();
  await waitFor(/^Forward: the window moves/, 7);
  // Explain keeps still.
  expect([await empty(), await explained()]).toEqual([['dx', 'dw', 'db'], 'y[1,1] = 3']);
  await waitFor(/^Backward: the 1 in dy comes back/, 0);
  for (const left of [['dx', 'dw', 'db'], ['dw', 'db'], ['db'], []])
    await until(async () => `${await empty()}` === `${left}`);
  await waitFor(/^Press Play/, 0);
  expect([await empty(), await explained()]).toEqual([[], 'y[1,1] = 3']);
  expect(page.url()).not.toContain('board.t');
  await page.goto('about:blank');
  await page.goto(stage.site.url);
  await until(async () => (await page.locator('.explain__title').count()) > 0);
  await pass(10_000);
  expect(await said()).toMatch(/^Press Play/);
  await page.context().close();
});

it('the opening is also in motion when the first result comes after the address is written', async () => {
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const newContext = async (options?: BrowserContextOptions) => {
    const context = await stage.newContext(options);
    await context.route(/worker-[^/]*\.js$/, async (route) => {
      await started;
      await route.continue();
    });
    return context;
  };
  const { page, until } = await openWithClock({ ...stage, newContext }, SMALL, NO_LINK);
  await until(async () => page.url().includes('#v='));
  expect(await page.locator('.scrubber__sentence').count()).toBe(0);
  start();
  await until(async () => (await page.getByText(/^Forward: the window moves/).count()) > 0);
  await page.context().close();
});

it.each([
  ['a key', (page: Page) => page.keyboard.press('Tab')],
  ['a click', (page: Page) => page.mouse.click(640, 100)],
])('%s ends the motion of the opening', async (_name, act) => {
  const { page, pass, said, explained, empty, waitFor } = await firstVisit();
  await waitFor(/^Forward: the window moves/, 6);
  await act(page);
  await pass(50);
  expect(await said()).toMatch(/^Press Play/);
  await waitFor(/^Press Play/, 0);
  expect([await empty(), await explained()]).toEqual([[], 'y[1,1] = 3']);
  await pass(10_000);
  expect(await said()).toMatch(/^Press Play/);
  await page.context().close();
});

it.each([
  ['reduced motion', NO_LINK, { reducedMotion: 'reduce' }],
  ['a link that says more', '#h=6&kh=3', {}],
  ['a link to another view', '#mode=dx', {}],
] as const)('with %s nothing moves at the opening', async (_name, hash, options) => {
  const { page, pass, until, said } = await firstVisit(hash, options);
  // What begins the motion comes with the second part of the page, as this menu does.
  await until(async () => (await page.locator('.toolbar .menu__button').count()) > 0);
  const before = await said();
  await pass(10_000);
  expect(await said()).toBe(before);
  // It has not begun unseen, either.
  expect(await page.evaluate(() => localStorage.getItem('conv2d playground opening'))).toBeNull();
  await page.context().close();
});
